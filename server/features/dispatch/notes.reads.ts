export { lockOrderOf } from './notes.queries.ts'
