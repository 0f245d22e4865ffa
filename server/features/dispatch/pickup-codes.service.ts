import type { Database } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { AT_CODE, giveBack, takeCodeGuess, WINDOW_SECONDS } from '../session/failures.service.ts'

/** The code that was said is not the note's. */
export class WrongCode extends Refused {
  constructor() {
    const sentence = '取货码不对，请向取货人核对'
    super(sentence, 400, 200, { fields: { pickupCode: sentence } })
  }
}
const TOO_MANY = `取货码错了 ${AT_CODE} 次，请向取货人核对，${WINDOW_SECONDS / 60} 分钟后再试`

/**
 * Does what a pickup code opens. Each code counts before it is judged, in a transaction of its own, so that what is
 * refused counts too; only a wrong one stays counted. The caller has found the note in their reach.
 */
export const codeGuesses =
  (db: Database) =>
  async <T>(note: string, code: string, work: () => Promise<T>): Promise<T> => {
    if (!code) return work()
    const guess = await db.tx(SYSTEM, (tx) => takeCodeGuess(tx, note))
    if (!guess) throw new Refused(TOO_MANY, 429, 429, null, WINDOW_SECONDS)
    const back = () => db.tx(SYSTEM, (tx) => giveBack(tx, guess))
    let answer: T
    try {
      answer = await work()
    } catch (error) {
      if (!(error instanceof WrongCode)) await back()
      throw error
    }
    await back()
    return answer
  }
