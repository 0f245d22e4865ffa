import { createHash } from 'node:crypto'

/** Of what is submitted: another one is another document. */
export const hashOf = (what: unknown): string =>
  createHash('sha256').update(JSON.stringify(what)).digest('hex')
