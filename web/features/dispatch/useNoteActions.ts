import { dispatchActions } from '@zhuguan/contract/features/dispatch/dispatch.actions.ts'
import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { dispatchState, type NoteRow } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { LINK_POWERS } from '@zhuguan/contract/features/links/links.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

export interface OpenedNote {
  kind: 'ship' | 'deliver' | 'handOver' | 'sendBack' | 'link' | 'print' | 'trip'
  note: NoteRow
}
const { cancelled, shipped, waiting } = dispatchState.code
const isUnderWay = (n: NoteRow): boolean => n.state === waiting || n.state === shipped

/** Whoever ships may give the driver a link, as long as the goods are not there. */
export function useMayLink(): (n: NoteRow) => boolean {
  const actor = useActor()
  const may = LINK_POWERS.driver.some((power) => hasPermission(actor, power))
  return (n) => may && isUnderWay(n)
}

/** What this person may do to a note: its commands first, then its trip, the driver's link and the paper. */
export function useNoteActions(open: (o: OpenedNote) => void): (note: NoteRow) => RowAction[] {
  const actor = useActor()
  const mayLink = useMayLink()
  return (note) => {
    const opens = (kind: OpenedNote['kind']) => ({ open: () => open({ kind, note }) })
    const commands = actionsOf(dispatchActions, note, actor, {
      ship: opens('ship'),
      cancel: {
        confirm: `取消发货单 ${note.code}？里面的商品回到待发货，可以再开一张`,
        run: (reason) => call(dispatchApi.cancel, { body: { id: note.id, version: note.version, reason } }),
      },
      deliver: opens('deliver'),
      handOver: opens('handOver'),
      sendBack: opens('sendBack'),
    })
    const link = mayLink(note) ? [{ key: 'link', label: '司机链接', ...opens('link') }] : []
    const print = note.state === cancelled ? [] : [{ key: 'print', label: '打印', ...opens('print') }]
    const trip = note.trip_id ? [{ key: 'trip', label: '车次', ...opens('trip') }] : []
    return [...commands, ...trip, ...link, ...print]
  }
}
