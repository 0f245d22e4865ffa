import { token } from '../../kit/api.ts'
import { everyEntryOf, useSession } from '../../parts/session.ts'
import { ErrorPlate } from './ErrorPlate.tsx'

export default function NoAccessPage() {
  const session = useSession()
  const entries = token() ? everyEntryOf(session) : []
  const detail = entries.length
    ? '您的角色不能打开这个页面。要用的话，请系统管理员在角色里授权。'
    : '您的角色没有可以打开的页面，请联系系统管理员。'
  return <ErrorPlate code="401" title="无权访问" detail={detail} />
}
