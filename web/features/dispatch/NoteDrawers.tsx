import { useQuery } from '@tanstack/react-query'
import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { linkKind } from '@zhuguan/contract/features/links/links.record.ts'

import { call } from '../../kit/api.ts'
import type { DrawerProps } from '../../kit/form/FormDrawer.tsx'
import LinksDrawer from '../../parts/LinksDrawer.tsx'
import { NotePrint } from './NotePrint.tsx'
import { Deliver, HandOver, SendBack } from './ProofDrawers.tsx'
import { ShipDrawer } from './ShipDrawer.tsx'
import { TripDrawer } from './TripDrawer.tsx'
import type { OpenedNote } from './useNoteActions.ts'

/** Loaded with the first drawer that is opened; a note is read as it is now. */
export default function NoteDrawers({ kind, note: row, ...p }: DrawerProps & OpenedNote) {
  const { id, code, version } = row
  const { data: note } = useQuery({
    queryKey: [dispatchApi.details.path, id, version],
    queryFn: ({ signal }) => call(dispatchApi.details, { query: { id } }, signal),
  })
  if (kind === 'link')
    return (
      <LinksDrawer kind={linkKind.code.driver} target={id} title={`司机链接 · ${code}`} onClose={p.onClose} />
    )
  if (kind === 'trip' && row.trip_id)
    return <TripDrawer id={row.trip_id} code={row.tripCode} onClose={p.onClose} />
  if (!note) return null
  if (kind === 'print') return <NotePrint note={note} onClose={p.onClose} />
  if (kind === 'deliver') return <Deliver {...p} note={note} />
  if (kind === 'handOver') return <HandOver {...p} note={note} />
  if (kind === 'sendBack') return <SendBack {...p} note={note} />
  return <ShipDrawer {...p} note={note} />
}
