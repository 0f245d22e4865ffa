import { LinkTo } from '../../kit/LinkTo.tsx'
import { useMayOpen } from '../../parts/session.ts'

/** A camera by its number, with a link for who may open its page. */
export function DeviceLink({ id, sn, reachable }: { id: string; sn: string; reachable: boolean }) {
  const mayOpen = useMayOpen('DeviceInfo')
  if (!mayOpen || !reachable) return <span>{sn}</span>
  return (
    <LinkTo page="DeviceInfo" query={{ id }}>
      {sn}
    </LinkTo>
  )
}
