/**
 * Whether every row of the bench and every goal only runs to its end, as small as it can be: `npm test` does so, that
 * none rots; no figure of it is judged or worth anything.
 */
export const SMOKE = process.env.SMOKE === '1'
export const sized = <T>(whole: T, smallest: T): T => (SMOKE ? smallest : whole)
