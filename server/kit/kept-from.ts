/** Why something is held, where a reader may not know of the feedback for which it is. */
export const CONCEALED = '按要求留存'

/**
 * In a statement of something else, whose row names a feedback by `ref`: it is kept from `me`, who asks
 * (docs/decisions/0485).
 */
export const keptFrom = (ref: string, me: string): string =>
  `EXISTS (SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.id = ${ref} AND f.hidden_from = ${me}::uuid)`

/** The feedback that the correction `alias` was opened for. */
const itsFeedback = (alias: string): string =>
  `${alias}.source = 'feedback' AND f.tenant_id = $1 AND f.id = ${alias}.source_id`
/** A correction of a feedback is as hidden as that (docs/decisions/0580): kept from `me`. */
export const correctionKept = (alias: string, me: string): string =>
  `EXISTS (SELECT FROM feedback f WHERE ${itsFeedback(alias)} AND f.hidden_from = ${me}::uuid)`
/** Kept from anybody, where everybody reads the same. */
export const correctionHidden = (alias: string): string =>
  `EXISTS (SELECT FROM feedback f WHERE ${itsFeedback(alias)} AND f.hidden_from IS NOT NULL)`
/** Whom a correction is about, and from whom it is kept; nobody where no feedback brought it. */
export const correctionsPerson = (alias: string, column: 'about_id' | 'hidden_from'): string =>
  `(SELECT f.${column} FROM feedback f WHERE ${itsFeedback(alias)})`
