import type { Database } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { ask } from '../../kit/outgoing.ts'
import { Refused } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { seal, unseal } from '../../kit/secret.ts'
import { SYSTEM } from '../session/access.reads.ts'
import type { Admissions } from './admission.ts'
import { addCall, allTenants, holdCalls, leaveCalls, putOff, removeCall, takeCalls } from './calls.queries.ts'
import { checkStatus, type Source } from './gateway.ts'

const ANSWER_BYTES = 65_536
const LOOK_MS = 4_000
/** The time that the end of a server waits for the gateway; what is left then is ended by the next start. */
const GOODBYE_MS = 2_000
/** A gateway that was away for a moment is nobody's concern. */
const TOLD_AFTER = 3

interface Answered {
  sdp: string
  /** The address at which the gateway ends it; some have none. */
  place: string | undefined
}
/** The gateway's answer to a browser's offer: as WHEP has it, or in JSON as some gateways do. */
async function callGateway({ ask: asks, start, whole, resolve }: Source, sdp: string): Promise<Answered> {
  const answered = await asks(start, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: sdp,
  })
  const { response } = answered
  try {
    checkStatus(response.status)
    const text = (await answered.whole(ANSWER_BYTES)).toString()
    const isJson = response.headers.get('content-type')?.includes('json')
    const answer = isJson ? sdpIn(text) : text
    if (!answer.startsWith('v=0')) throw new Refused('视频网关给出的不是直播画面', 502, 502)
    const location = response.headers.get('location')
    return { sdp: answer, place: location ? whole(resolve(location, start)) : undefined }
  } finally {
    answered.end()
  }
}
function sdpIn(text: string): string {
  try {
    const { sdp } = JSON.parse(text) as { sdp?: unknown }
    return typeof sdp === 'string' ? sdp : ''
  } catch {
    return ''
  }
}
/** Whether the gateway says that the call has ended, or that there is none. */
async function isEnded(place: string, answerMs: number | undefined): Promise<boolean> {
  try {
    const { end, response } = await ask((how) => fetch(place, { ...how, method: 'DELETE' }), answerMs)
    end()
    return response.ok || response.status === 404 || response.status === 410
  } catch {
    return false
  }
}

interface Caller {
  tenant: string
  view: string
  session: Buffer
  source: Source
  sdp: string
  /** What cannot be ended is not begun: without its answer the browser never gets a picture. */
  mustEnd: boolean
  /** Gives back what was taken for the call. */
  leave: () => void
}
interface Running {
  tenant: string
  /** Under which it is written down, and where the gateway ends it; nothing where it has no such place. */
  kept: { id: string; place: string } | undefined
  stop: () => void
}
interface Deps {
  db: Database
  secretKey: Buffer
  answerMs: number | undefined
  /** Without one no call begins. */
  hasGateway: boolean
  warn: (what: unknown) => void
}
/**
 * WebRTC calls that this server has arranged. Their picture does not come through here, so each is ended at the gateway
 * when its view is over; and each is written down until the gateway says that it has ended, so that neither a gateway
 * that is away nor a server that dies leaves one behind (docs/decisions/0530).
 */
export function gatewayCalls(views: Admissions, { answerMs, db, hasGateway, secretKey, warn }: Deps) {
  const running = new Map<string, Running>()
  const ending = new Set<Promise<void>>()

  async function hangUp(tenant: string, { id, place }: { id: string; place: string }): Promise<void> {
    const over = await isEnded(place, answerMs)
    await db.tx(wholeGroup(tenant), (tx) => (over ? removeCall : putOff)(tx, tenant, id))
  }
  function end(view: string): void {
    const call = running.get(view)
    if (!call) return
    running.delete(view)
    call.stop()
    if (!call.kept) return
    const work = hangUp(call.tenant, call.kept)
      .catch(warn)
      .finally(() => ending.delete(work))
    ending.add(work)
  }
  /** What is not written down is not begun either. */
  async function keep(tenant: string, view: string, place: string): Promise<{ id: string; place: string }> {
    const id = uuidv7()
    try {
      await db.tx(wholeGroup(tenant), (tx) =>
        addCall(tx, { tenant, id, view, place: seal(secretKey, place) }),
      )
    } catch (error) {
      await isEnded(place, answerMs)
      throw error
    }
    return { id, place }
  }

  const byTenant = () => Map.groupBy(running, ([, call]) => call.tenant)
  /** Nobody else ends what goes on here; what somebody else has ended is over here too. */
  async function hold(): Promise<void> {
    for (const [tenant, calls] of byTenant()) {
      const mine = calls.flatMap(([view, { kept }]) => (kept ? [{ view, id: kept.id }] : []))
      if (mine.length === 0) continue
      const ids = mine.map(({ id }) => id)
      const held = new Set(await db.tx(wholeGroup(tenant), (tx) => holdCalls(tx, tenant, ids)))
      for (const { id, view } of mine) if (!held.has(id) && running.get(view)?.kept?.id === id) end(view)
    }
  }
  async function endOwed(tenant: string): Promise<void> {
    const owed = await db.tx(wholeGroup(tenant), (tx) => takeCalls(tx, tenant))
    await Promise.all(
      owed.map(async ({ id, old, place, tries }) => {
        // What a gateway has not said to have ended in two days, it has forgotten.
        if ((await isEnded(unseal(secretKey, place), answerMs)) || old)
          await db.tx(wholeGroup(tenant), (tx) => removeCall(tx, tenant, id))
        else if (tries > TOLD_AFTER) warn('视频网关没有断开已经结束的直播通话，还会再试')
      }),
    )
  }
  async function look(): Promise<void> {
    await hold()
    const tenants = await db.tx(SYSTEM, allTenants, { readOnly: true })
    await Promise.all(tenants.map((tenant) => endOwed(tenant).catch(warn)))
  }

  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const tick = () =>
    void (looking ??= look()
      .catch(warn)
      .finally(() => {
        looking = undefined
      }))

  return {
    end,
    async begin({ tenant, view, session, source, sdp, mustEnd, leave }: Caller): Promise<string> {
      try {
        const called = await callGateway(source, sdp)
        if (mustEnd && called.place === undefined)
          throw new Refused('这里的视频网关不能按时断开画面，只能看最近一次抓拍', 409, 409)
        const kept = called.place === undefined ? undefined : await keep(tenant, view, called.place)
        end(view)
        const unwatch = views.watch(session, view, () => end(view))
        running.set(view, {
          tenant,
          kept,
          stop() {
            unwatch()
            leave()
          },
        })
        return called.sdp
      } catch (error) {
        leave()
        throw error
      }
    },
    /** Ends what was left, now and whenever something is due; what was left without a gateway, once. */
    start(): void {
      tick()
      if (hasGateway) timer = setInterval(tick, LOOK_MS)
    },
    /** Nobody watches over what runs any more: it ends with the server. */
    async close(): Promise<void> {
      clearInterval(timer)
      await looking
      const left = [...byTenant()].map(([tenant, calls]) => ({
        tenant,
        ids: calls.flatMap(([, { kept }]) => (kept ? [kept.id] : [])),
      }))
      for (const { ids, tenant } of left)
        await db.tx(wholeGroup(tenant), (tx) => leaveCalls(tx, tenant, ids)).catch(warn)
      for (const view of running.keys()) end(view)
      await Promise.race([Promise.all(ending), new Promise((done) => setTimeout(done, GOODBYE_MS).unref())])
    },
  }
}
