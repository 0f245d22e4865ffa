import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { keyword, optional, uuid } from '../../kit/paging.ts'
import { customerFacts, customerPhone, customerRow } from './customers.record.ts'

/** At most so many are offered; more is typed. */
export const PICK_CUSTOMERS = 20

export const customersApi = defineApi({
  pick: {
    method: 'POST',
    path: '/mkscore/api/customer/pick',
    title: '选择客户',
    access: ['page:QuotationList'],
    query: z.object({ keyword, id: optional(uuid).meta({ title: '客户' }) }),
    data: z.array(customerRow),
  },
  /** The stores whose customers the caller may write down. */
  stores: {
    method: 'POST',
    path: '/mkscore/api/customer/stores',
    title: '选择门店',
    access: ['quotation:edit'],
    data: z.array(z.object({ id: z.string(), bc_id: z.string(), name: z.string() })),
  },
  add: {
    method: 'POST',
    path: '/mkscore/api/customer/add',
    title: '新增客户',
    access: ['quotation:edit'],
    body: customerFacts,
    data: z.object({ id: z.string() }),
  },
  edit: {
    method: 'POST',
    path: '/mkscore/api/customer/edit',
    title: '编辑客户',
    access: ['quotation:edit'],
    body: customerFacts
      .omit({ bc_id: true })
      /** Empty: the number stays what it is; whoever edits may not have read it. */
      .extend({ phone: customerPhone.or(z.literal('')).default(''), ...seen('客户') }),
    data: nothing,
  },
  phone: {
    method: 'POST',
    path: '/mkscore/api/customer/phone',
    title: '查看客户电话',
    access: ['customer:phone'],
    body: z.object({ id: uuid.meta({ title: '客户' }), reason }),
    data: z.object({ phone: z.string() }),
  },
})
