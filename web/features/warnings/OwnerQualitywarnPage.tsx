import { HomeWarnings } from './HomeWarnings.tsx'
import { qualityTable } from './warningTable.tsx'

export default function OwnerQualitywarnPage() {
  return <HomeWarnings kind="quality" columns={qualityTable} empty="这一家没有质量预警。" />
}
