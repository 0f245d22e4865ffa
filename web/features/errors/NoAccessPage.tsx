import { ErrorPlate } from './ErrorPlate.tsx'

export default function NoAccessPage() {
  return <ErrorPlate code="401" title="无权访问" detail="您的角色没有可以打开的页面，请联系系统管理员。" />
}
