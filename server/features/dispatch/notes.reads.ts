export { lockOrderOf, partiesOfNote } from './notes.queries.ts'
