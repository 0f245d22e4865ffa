import { customersImport } from '@zhuguan/contract/features/customers/customers.import.ts'
import { deviceStockImport } from '@zhuguan/contract/features/devices/device-stock.import.ts'
import { productsImport } from '@zhuguan/contract/features/products/products.import.ts'
import { sitesImport } from '@zhuguan/contract/features/sites/sites.import.ts'
import { accountsImport } from '@zhuguan/contract/features/users/accounts.import.ts'
import { workersImport } from '@zhuguan/contract/features/workers/workers.import.ts'
import type { ImportDef } from '@zhuguan/contract/kit/imports.ts'

import { examplesOf, type Records } from '../../testing/example.ts'

const ofImport = ({ api, columns }: ImportDef, idOf: (records: Records) => string) =>
  examplesOf(api, (r) => {
    const one = { id: idOf(r) }
    return {
      rows: { query: one },
      failed: { query: one },
      check: { body: one },
      run: { body: one },
      drop: { body: one },
      fix: { body: { ...one, row: 1, cells: columns.map(() => '') } },
    }
  })

export const importsExamples = [
  ofImport(accountsImport, (r) => r.accountsImport),
  ofImport(deviceStockImport, (r) => r.deviceStockImport),
  ofImport(sitesImport, (r) => r.sitesImport),
  ofImport(workersImport, (r) => r.workersImport),
  ofImport(productsImport, (r) => r.productsImport),
  ofImport(customersImport, (r) => r.customersImport),
]
