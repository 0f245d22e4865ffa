import { LinkTo } from '../kit/LinkTo.tsx'
import { useMayReach } from './session.ts'

/** An order by its number: the way to it for those who may go there. */
export function OrderLink({ id, code }: { id: string; code: string }) {
  if (!useMayReach('OrderDetail')) return code
  return (
    <LinkTo page="OrderDetail" query={{ id }}>
      {code}
    </LinkTo>
  )
}
/** A note by its number, opened beside its list. */
export function NoteLink({ id, code }: { id: string; code: string }) {
  if (!useMayReach('DispatchList')) return code
  return (
    <LinkTo page="DispatchList" query={{ open: id }}>
      {code}
    </LinkTo>
  )
}
