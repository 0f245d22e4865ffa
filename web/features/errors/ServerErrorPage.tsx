import { ErrorPlate } from './ErrorPlate.tsx'

export default function ServerErrorPage() {
  return <ErrorPlate code="500" title="服务器错误" detail="服务器出了问题，请稍后再试。" />
}
