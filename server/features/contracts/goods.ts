import type { productKind } from '@zhuguan/contract/features/products/products.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'

/** Only goods are ordered, shipped and accepted (docs/product.md, Goods). */
export const isGoods = (kind: Code<typeof productKind>): boolean => kind === 'main' || kind === 'auxiliary'
