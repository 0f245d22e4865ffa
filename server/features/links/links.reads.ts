export { LAST_SEEN, SPENT } from './links.queries.ts'
