export { LAST_SEEN, OF_NO_WALL, SPENT } from './links.queries.ts'
