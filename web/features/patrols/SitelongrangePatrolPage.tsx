import { OfSite } from './OfSite.tsx'

/** What was found of the site at its cameras. */
export default function SitelongrangePatrolPage() {
  return <OfSite kind="remote" empty="这个工地还没有远程巡检。" />
}
