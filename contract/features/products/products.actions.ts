import { defineActions } from '../../kit/actions.ts'
import { type ProductRow, productStatus } from './products.record.ts'

const { off, on } = productStatus.code
/** What was sold keeps what it was sold as: it only cannot be chosen any more. */
export const productActions = defineActions<Pick<ProductRow, 'status'>>()('status', productStatus, {
  edit: {
    label: '编辑',
    from: [on, off],
    to: { [on]: on, [off]: off },
    permission: 'product:edit',
    asks: true,
  },
  price: {
    label: '调价',
    from: [on, off],
    to: { [on]: on, [off]: off },
    permission: 'product:price',
    asks: true,
  },
  withdraw: { label: '下架', from: [on], to: off, permission: 'product:shelf', reason: true },
  offer: { label: '上架', from: [off], to: on, permission: 'product:shelf' },
})
