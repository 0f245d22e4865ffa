import type { FastifyBaseLogger } from 'fastify'

import { folded } from '../kit/folded.ts'

/**
 * What goes wrong beside the calls is a line of the log: a sentence as its message, an error with its stack; what
 * repeats itself once a minute, with how often.
 */
export const warnings = (log: () => Pick<FastifyBaseLogger, 'warn'>): ((what: unknown) => void) =>
  folded((what, times) =>
    what instanceof Error
      ? log().warn({ err: what, times }, what.message)
      : log().warn({ times }, String(what)),
  )
