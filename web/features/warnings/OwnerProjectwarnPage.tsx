import { HomeWarnings } from './HomeWarnings.tsx'
import { scheduleTable } from './warningTable.tsx'

export default function OwnerProjectwarnPage() {
  return <HomeWarnings kind="schedule" columns={scheduleTable} empty="这一家没有工期预警。" />
}
