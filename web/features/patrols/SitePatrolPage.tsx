import { OfSite } from './OfSite.tsx'

/** What was found on the site by those who went there. */
export default function SitePatrolPage() {
  return <OfSite kind="scene" empty="这个工地还没有现场巡检。" />
}
