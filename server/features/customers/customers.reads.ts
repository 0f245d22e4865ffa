export { lockCustomer as customerOf } from './customers.queries.ts'
