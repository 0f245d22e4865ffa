import type { Database, Tx } from '../database/connect.ts'
import { EVERYWHERE } from '../database/seed/demo.ts'
import { int4, json, row, there, timestamptz } from '../kit/row.ts'

/** What makes a demo whole after its people and devices are there. */
export type DemoStep = 'faces' | 'deals'

/** The demo's people are there: from now on it has steps. */
export const beginDemo = (tx: Tx, now: Date) =>
  tx.run('demo.people', `INSERT INTO demo_steps (step, from_at, done_at) VALUES ('people', $1, :now)`, [now])

/**
 * Does a step of the demo until it is done once: a start that was cut off left it for the next, which lives in the same
 * moment. A database that no demo was begun in has no steps.
 */
export async function demoStep(
  db: Database,
  step: DemoStep,
  now: Date,
  work: (from: Date) => Promise<void>,
): Promise<void> {
  const { rows } = await db.tx(EVERYWHERE, async (tx) => {
    tx.send(
      'demo.begin',
      `INSERT INTO demo_steps (step, from_at)
       SELECT $1, $2 FROM demo_steps WHERE step = 'people'
       ON CONFLICT DO NOTHING`,
      [step, now],
    )
    return tx.query(
      'demo.step',
      row({ from: timestamptz }),
      'SELECT from_at AS "from" FROM demo_steps WHERE step = $1 AND done_at IS NULL',
      [step],
    )
  })
  if (!rows[0]) return
  await work(rows[0].from)
  await db.tx(EVERYWHERE, async (tx) => {
    tx.send('demo.done', 'UPDATE demo_steps SET done_at = :now WHERE step = $1', [step])
    tx.send('demo.forget', 'DELETE FROM demo_answers', [])
  })
}

/** The answers of the last time that this was begun, one after the other; and those of now. */
export interface Journal {
  /** The answer of before, or that of `work`, which is kept. `key` names the place for whoever repeats a request. */
  once<T>(work: (key: string) => Promise<T>): Promise<T>
}
export async function openJournal(db: Database): Promise<Journal> {
  const { rows } = await db.tx(EVERYWHERE, (tx) =>
    tx.query(
      'demo.answers',
      row({ n: int4, answer: json<{ of: unknown }>() }),
      'SELECT n, answer FROM demo_answers',
      [],
    ),
  )
  const kept = new Map(rows.map(({ n, answer }) => [n, answer]))
  let n = 0
  return {
    async once<T>(work: (key: string) => Promise<T>): Promise<T> {
      const at = n
      n += 1
      const before = kept.get(at)
      if (before) return before.of as T
      const of = await work(`demo-answer-${at}`)
      await db.tx(EVERYWHERE, (tx) =>
        tx.query('demo.keep', there, 'INSERT INTO demo_answers (n, answer) VALUES ($1, $2) RETURNING 1', [
          at,
          JSON.stringify({ of }),
        ]),
      )
      return of
    },
  }
}
