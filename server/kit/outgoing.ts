/** How long another server may take to begin its answer, and be silent in it. */
const FIRST_MS = 5_000
const IDLE_MS = 10_000
/** And until a whole answer is here, where that is wanted. */
const WHOLE_MS = 10_000

/** Another server's word that is no answer: too late, too long, elsewhere, nothing. */
export class Unanswered extends Error {}
const silent = () => new Unanswered('silent')

export interface Answered {
  response: Response
  /** Each piece as it comes; cut when none comes for too long, and given up when it is left. */
  body: AsyncGenerator<Buffer>
  /** All of it, which may not be longer than this. */
  whole(most: number): Promise<Buffer>
  end: () => void
}

/** Asks another server for something. No redirect is followed: where it leads to is the caller's to judge. */
export async function ask(
  send: (how: RequestInit) => Promise<Response>,
  firstMs = FIRST_MS,
): Promise<Answered> {
  const stop = new AbortController()
  const end = () => stop.abort()
  // Not by the signal alone: what a library has wrapped into a request of its own may be collected and hears none.
  const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const over = () => {
        end()
        reject(silent())
      }
      const timer = setTimeout(over, ms)
      work.then(resolve, () => reject(silent())).finally(() => clearTimeout(timer))
    })
  const response = await within(firstMs, send({ signal: stop.signal, redirect: 'manual' }))
  async function* pieces(): AsyncGenerator<Buffer> {
    const reader = response.body?.getReader()
    try {
      while (reader) {
        const { done, value } = await within(IDLE_MS, reader.read())
        if (done) return
        yield Buffer.from(value)
      }
    } finally {
      end()
    }
  }
  const body = pieces()
  return {
    response,
    body,
    end,
    async whole(most) {
      const late = setTimeout(end, WHOLE_MS)
      try {
        const all: Buffer[] = []
        let size = 0
        for await (const piece of body) {
          size += piece.length
          if (size > most) throw new Unanswered('too long')
          all.push(piece)
        }
        return Buffer.concat(all)
      } finally {
        clearTimeout(late)
      }
    },
  }
}
