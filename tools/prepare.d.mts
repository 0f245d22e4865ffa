/** What is installed and built before anything runs (prepare.mjs). */
export const ROOT: string
/** What Node has compiled once. */
export const COMPILED: string
