/** As many rows as the tallest card has room for. */
export const MOST = 12
export const FIRST = `LIMIT ${MOST}`
