export { lockCustomer as customerOf, OVERDUE, pickCustomers } from './customers.queries.ts'
