export { keepDay } from './counts.queries.ts'
