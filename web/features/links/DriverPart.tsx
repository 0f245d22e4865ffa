import type { DriverStop } from '@zhuguan/contract/features/dispatch/driver.record.ts'
import { useEffect, useState } from 'react'

import { randomUuid } from '../../kit/api.ts'
import { message } from '../../kit/notices.ts'
import { nowSeconds } from '../../kit/time.ts'
import type { Bearer } from './bearer.ts'
import { DoorSheet } from './DoorSheet.tsx'
import { drafts, emptyDraft, type HandOverDraft, HandOverSheet } from './HandOverSheet.tsx'
import type { Act, SayAct } from './outbox.ts'
import { Refused, StopCard } from './StopCard.tsx'
import { type Driver, useDriver } from './useDriver.ts'
import { WhereDialog } from './WhereDialog.tsx'

import '../../kit/plate.css'
import './driver.css'

type Open =
  | { kind: 'where'; stop: DriverStop }
  | { kind: 'handOver'; stop: DriverStop; draft: HandOverDraft }
  | { kind: 'say'; stop: DriverStop; draft: SayAct | null }
const NO_ROOM = '手机里存不下了，请清理一些空间再试'

/** The sent and the unsent, in one line. */
function Sent({ driver: { acts, away } }: { driver: Driver }) {
  const waiting = acts.filter((a) => !a.why).length
  if (waiting)
    return (
      <p className="driver-sync wait" role="status">
        有 {waiting} 项还没有发出，{away ? '网络恢复后自动发送' : '正在发送…'}
      </p>
    )
  if (away)
    return (
      <p className="driver-sync wait" role="status">
        现在没有网络，可以照常填写，网络恢复后自动发送
      </p>
    )
  return (
    <p className="driver-sync" role="status">
      ✓ 操作都已保存
    </p>
  )
}

/** The page of whoever drives: stops in order, where they are, handing over. */
export default function DriverPart({ bearer }: { bearer: Bearer }) {
  const driver = useDriver(bearer)
  const { acts, dead, state } = driver
  const [open, setOpen] = useState<Open | null>(null)
  useEffect(() => {
    document.title = state?.code ? `送货 ${state.code}` : '送货'
  }, [state?.code])
  if (dead)
    return (
      <main className="plate">
        <h1>这个链接不能再用</h1>
        <p>{dead}</p>
        {acts.length > 0 && <p>有 {acts.length} 项没有发出，请打电话告诉发给您链接的人。</p>}
      </main>
    )
  if (!state) return <main className="plate" aria-busy="true" />

  const begin = (stop: DriverStop) => ({
    token: bearer.token,
    act: randomUuid(),
    note_id: stop.id,
    at: nowSeconds(),
  })
  const keep = (act: Act) =>
    driver.do(act).catch(() => {
      message.error(NO_ROOM)
      throw new Error(NO_ROOM)
    })
  async function handOver(stop: DriverStop) {
    const kept = await drafts.get(stop.id).catch(() => undefined)
    const draft = kept ?? emptyDraft(stop)
    // Counts of what has been handed over meanwhile are no counts of what is left.
    const same = stop.lines.every((l) => Number(draft.counts[l.line_id] ?? -1) <= Number(l.quantity))
    setOpen({ kind: 'handOver', stop, draft: same ? draft : { ...draft, counts: emptyDraft(stop).counts } })
  }
  async function again(stop: DriverStop, act: Act) {
    if (act.kind === 'node') return
    if (act.kind === 'say') {
      await driver.drop(act)
      return setOpen({ kind: 'say', stop, draft: act })
    }
    const { damage, damagePhoto, photo, pickupCode, place, reason, signature } = act
    const counts = act.lines
      ? Object.fromEntries(stop.lines.map((l) => [l.line_id, '0'] as const))
      : emptyDraft(stop).counts
    for (const l of act.lines ?? []) counts[l.line_id] = l.quantity
    await driver.drop(act)
    const said = { damage: damage ?? '', damagePhoto: damagePhoto ?? null, reason: reason ?? '' }
    setOpen({ kind: 'handOver', stop, draft: { counts, photo, pickupCode, place, signature, ...said } })
  }
  /** What was refused of a stop that is not on this trip any more: it is not silent. */
  const astray = acts.filter((a) => a.why && !state.stops.some((s) => s.id === a.note_id))
  return (
    <main className="driver" aria-hidden={false}>
      <header className="driver-head">
        <h1>{state.trip ? `车次 ${state.code}` : '送货'}</h1>
        <p>{[state.person, state.trip && `共 ${state.stops.length} 站`].filter(Boolean).join('，')}</p>
        <Sent driver={driver} />
      </header>
      {open?.kind === 'where' && (
        <WhereDialog
          onClose={() => setOpen(null)}
          onSay={(place) => keep({ kind: 'node', ...begin(open.stop), ...place })}
        />
      )}
      {open?.kind === 'handOver' && (
        <HandOverSheet
          key={open.stop.id}
          stop={open.stop}
          draft={open.draft}
          onClose={() => setOpen(null)}
          onDone={async (handed) => {
            await keep({ kind: 'handOver', ...begin(open.stop), ...handed })
            await drafts.remove(open.stop.id).catch(() => {})
            setOpen(null)
          }}
        />
      )}
      {open?.kind === 'say' && (
        <DoorSheet
          key={open.stop.id}
          stop={open.stop}
          draft={open.draft}
          onClose={() => setOpen(null)}
          onDone={async (said) => {
            await keep({ kind: 'say', ...begin(open.stop), ...said })
            setOpen(null)
          }}
        />
      )}
      {!open && astray.map((a) => <Refused key={a.act} act={a} onDrop={() => void driver.drop(a)} />)}
      {!open &&
        state.stops.map((stop, i) => (
          <StopCard
            key={stop.id}
            stop={stop}
            number={state.trip ? (stop.stop ?? i + 1) : null}
            acts={acts.filter((a) => a.note_id === stop.id)}
            onWhere={() => setOpen({ kind: 'where', stop })}
            onHandOver={() => void handOver(stop)}
            onSay={() => setOpen({ kind: 'say', stop, draft: null })}
            onAgain={(act) => void again(stop, act)}
            onDrop={(act) => void driver.drop(act)}
          />
        ))}
      {!open && state.stops.length === 0 && <p className="empty">这个车次还没有要送的货。</p>}
    </main>
  )
}
