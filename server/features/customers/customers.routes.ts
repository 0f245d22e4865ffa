import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'

import { serve } from '../../kit/serve.ts'
import { pickCustomers, storesOf } from './customers.queries.ts'
import { addCustomer, editCustomer, readCustomerPhone } from './customers.service.ts'

export const customersFeature = serve(customersApi, {
  pick: ({ query }, call) => call.read((tx) => pickCustomers(tx, call.user.scope, query)),
  stores: (_asked, call) => call.read((tx) => storesOf(tx, call.user.scope)),
  add: ({ body }, call) => call.write((tx) => addCustomer(tx, call, body)),
  edit: ({ body }, call) => call.write((tx) => editCustomer(tx, call, body)),
  phone: ({ body }, call) => call.write((tx) => readCustomerPhone(tx, call, body)),
})
