import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import { State } from '../../kit/State.tsx'

/** Only a site where people work is in a good state or a bad one; the others wait for nobody. */
export const SiteState = ({ status }: { status: number }) => (
  <State tone={status === siteStatus.code.building ? 'ok' : 'grey'}>{siteStatus.label(status)}</State>
)

/** Its cameras are for working hours alone. */
export const LivedIn = () => <State tone="wait">有人居住</State>
