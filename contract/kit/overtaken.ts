/**
 * The one who was faster, and the time in seconds; comes with the refusal. Where the record does not say, nobody is
 * named.
 */
export interface Overtaken {
  name: string | null
  at: number | null
}
