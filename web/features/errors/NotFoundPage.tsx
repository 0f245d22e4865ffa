import { ErrorPlate } from './ErrorPlate.tsx'

export default function NotFoundPage() {
  return <ErrorPlate code="404" title="页面不存在" detail="地址可能写错了，或者页面已经下线。" />
}
