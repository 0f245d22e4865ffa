import { HELD_BESIDE_S, type HeldFilm } from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { found, refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { beginView } from '../video/video-views.service.ts'
import { heldFilms } from './recordings.queries.ts'

/** Says whether a complaint is still open, for who may know of it; given by who keeps complaints. */
export type OpenComplaint = (tx: Tx, scope: Scope, id: string) => Promise<{ hidden: boolean } | undefined>

const isTooLong = ({ from, to, hour }: Pick<HeldFilm, 'from' | 'to' | 'hour'>): boolean =>
  hour.from - from > HELD_BESIDE_S || to - hour.to > HELD_BESIDE_S

async function ofComplaint(tx: Tx, scope: Scope, feedback: string) {
  const films = await heldFilms(tx, scope, feedback)
  return films.map(({ hourFrom, hourTo, ...film }) => {
    const hour = { from: hourFrom, to: hourTo }
    return { ...film, hour, tooLong: isTooLong({ ...film, hour }) }
  })
}

/** Films of the hour that an open complaint holds. */
export async function heldFor(
  tx: Tx,
  call: Call,
  isOpen: OpenComplaint,
  feedback: string,
): Promise<HeldFilm[]> {
  const { scope } = call.user
  found(await isOpen(tx, scope, feedback))
  const films = await ofComplaint(tx, scope, feedback)
  return films.map(({ id, deviceSn, from, to, format, hour, tooLong }) => ({
    id,
    deviceSn,
    from,
    to,
    format,
    hour,
    tooLong,
  }))
}

/** One of these films at this moment, for who may look at nothing else: gone with the complaint, or with the hold. */
export async function heldNow(
  tx: Tx,
  scope: Scope,
  isOpen: OpenComplaint,
  asked: { feedback: string; id: string },
) {
  const complaint = await isOpen(tx, scope, asked.feedback)
  if (!complaint) return undefined
  const film = (await ofComplaint(tx, scope, asked.feedback)).find((one) => one.id === asked.id)
  return film && { ...film, hidden: complaint.hidden }
}

/** Writes down who looks at the hour of a complaint; of one that is kept from the steward the line does not say why. */
export async function viewHeld(
  tx: Tx,
  call: Call,
  isOpen: OpenComplaint,
  asked: { feedback: string; id: string },
): Promise<void> {
  const film = found(await heldNow(tx, call.user.scope, isOpen, asked))
  refuse(film.tooLong ? '这个录像文件比留存的一小时长得多，请分公司总经理在录像回放里查看' : undefined)
  const from = Math.max(film.from, film.hour.from)
  const to = Math.min(film.to, film.hour.to)
  const { complaint, other } = viewPurpose.code
  const why = film.hidden
    ? { purpose: other, words: '查看留存录像', said: true }
    : { purpose: complaint, words: '', said: true }
  const { device_id, site_id, bc_id } = film
  const { hours } = await beginView(
    tx,
    call,
    { device_id, site_id, bc_id, recorded: { id: film.id, from, to } },
    why,
  )
  await call.log(tx, {
    action: '查看录像',
    object: 'recording',
    objectId: film.id,
    after: { device_id, site_id, from, to, purpose: why.purpose, words: why.words, ...hours },
  })
}
