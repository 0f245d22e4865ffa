/** Sites that `who` is steward or manager of, in a statement whose tenant is $1. */
export const ledBy = (who: string): string =>
  `(SELECT m.id FROM sites m WHERE m.tenant_id = $1 AND (m.steward_id = ${who} OR m.manager_id = ${who}))`

/** The people who ask what waits for them: their own work, and for who supervises also what others let wait. */
export interface Mine {
  me: string
  supervises: boolean
}
/** That something is for `of` to do: it is theirs, or they supervise and it is `left`; of nobody in particular, all. */
export const isFor = (of: Mine | null, theirs: (me: string) => string, left: string): string =>
  of ? `(${theirs(of.me)}${of.supervises ? ` OR ${left}` : ''})` : 'true'
