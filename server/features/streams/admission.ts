import type { Database } from '../../database/connect.ts'
import { reachOf } from '../../kit/reach.ts'
import { personOf } from '../session/access.reads.ts'
import { livingViews } from './streams.queries.ts'

export interface Admitted {
  tenant: string
  user: string
  sn: string
}
/** Whoever looks without a session, and what they may look at at this moment. */
export interface Looker {
  /** Whether what stands in the place of a session is theirs. */
  knows(session: Buffer): boolean
  admit(session: Buffer, view: string): Promise<Admitted | undefined>
}
/**
 * An answer may be so old, and streams that are on their way are looked at so often: whoever loses the session, the
 * right or the camera loses the stream soon after.
 */
export const GOOD_MS = 2_000
const MAX_KEPT = 5_000

/** The picture that a view of a session opens at this moment, asked of the database itself. */
export function admissions(
  db: Database,
  now: () => Date,
  { goodMs = GOOD_MS, looker }: { goodMs?: number | undefined; looker?: Looker | undefined } = {},
) {
  const kept = new Map<string, { answer: Promise<Admitted | undefined>; until: number }>()
  async function look(session: Buffer, view: string): Promise<Admitted | undefined> {
    if (looker?.knows(session)) return looker.admit(session, view)
    const person = await personOf(db, session, now())
    const scope = person && reachOf(person, 'device:live')
    if (!person || !scope) return undefined
    const [living] = await db.tx(scope, (tx) => livingViews(tx, scope, person.id, [view]), { readOnly: true })
    return living && { tenant: scope.tenant, user: person.id, sn: living.sn }
  }
  function admitted(session: Buffer, view: string, ageMs = goodMs): Promise<Admitted | undefined> {
    const key = `${view} ${session.toString('base64')}`
    const had = kept.get(key)
    if (had && had.until - goodMs + ageMs > performance.now()) return had.answer
    const answer = look(session, view)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(key, { answer, until: performance.now() + goodMs })
    answer.catch(() => kept.delete(key))
    return answer
  }
  return {
    admitted,
    forget: (view: string) => {
      for (const key of kept.keys()) if (key.startsWith(view)) kept.delete(key)
    },
    /** Calls `lost` as soon as the view is over; answers how to stop watching. */
    watch(session: Buffer, view: string, lost: () => void): () => void {
      const timer = setInterval(() => {
        void admitted(session, view, 0)
          .catch(() => undefined)
          .then((still) => still ?? lost())
      }, goodMs)
      timer.unref()
      return () => clearInterval(timer)
    },
  }
}
export type Admissions = ReturnType<typeof admissions>
