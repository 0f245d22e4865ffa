import { productActions } from '@zhuguan/contract/features/products/products.actions.ts'
import { productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import { productColumns } from '@zhuguan/contract/features/products/products.columns.ts'
import {
  productKind,
  type ProductRow,
  productStatus,
} from '@zhuguan/contract/features/products/products.record.ts'
import { priceText } from '@zhuguan/contract/kit/digits.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useMemo, useState } from 'react'

import { actionsOf } from '../../kit/actionsOf.ts'
import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { columnsOf, NOTHING } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, KeywordFilter, LookupFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { Picture } from '../../kit/Picture.tsx'
import type { RowAction } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { categoryPaths, findReceivers, receiverNamed, useCategories } from '../../parts/goods.tsx'
import { Granted } from '../../parts/granted.tsx'
import { ListExport, ListImport } from '../../parts/listButtons.tsx'
import { useBranches } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import type { OpenedProduct } from './ProductDrawers.tsx'

import './products.css'

const load = () =>
  import('@zhuguan/contract/features/products/products.import.ts').then((m) => m.productsImport)

const ProductDrawers = lazyPart(() => import('./ProductDrawers.tsx'))
const CategoriesDrawer = lazyPart(() => import('./CategoriesDrawer.tsx'))

const Price = ({ of }: { of: ProductRow }) => (
  <>
    {of.price === null ? (
      <span className="quiet" title={of.pricedIn ? `${of.pricedIn} 个分公司各有自己的价格` : undefined}>
        {of.pricedIn ? '分公司定价' : '未定价'}
      </span>
    ) : (
      priceText(of.price)
    )}
    {of.nextFrom && (
      <small className="price-next" title={`${of.nextFrom} 起有新的价格`}>
        {of.nextFrom.slice(5)} 起调价
      </small>
    )}
  </>
)
const tableOf = (costs: boolean) =>
  columnsOf<typeof productsApi.list>()(productColumns(costs), {
    picture: (p) =>
      p.picture ? (
        <Picture picture={p.picture} caption={p.name} width={40} height={30} />
      ) : (
        <span>{NOTHING}</span>
      ),
    price: (p) => <Price of={p} />,
    status: (p) => (
      <State tone={p.status === productStatus.code.on ? 'ok' : 'grey'}>{productStatus.label(p.status)}</State>
    ),
    bc: (p) => p.bc_name || '全集团',
  })

/** What is the whole group's is priced by each branch for itself, and changed by the group. */
const ofGroup = (p: ProductRow, several: boolean, actions: RowAction[]): RowAction[] =>
  p.bc_id !== null || several
    ? actions
    : actions.map((a) => (a.key === 'price' ? a : { ...a, why: '集团的商品由集团维护' }))

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(productsApi.list)

export default function ProductListPage() {
  const list = useList(productsApi.list)
  const actor = useActor()
  const branches = useBranches()
  const categories = useCategories()
  const [opened, setOpened] = useState<OpenedProduct | null>(null)
  const [sorting, setSorting] = useState(false)
  const may = (label: string) => hasPermission(actor, label)
  const costs = may('product:cost')
  const columns = useMemo(() => tableOf(costs), [costs])
  const refresh = () => void list.refresh()
  const branch = list.address.filters.bc_id
  return (
    <>
      <ListPage
        name="商品"
        list={list}
        columns={columns}
        onOpen={(product) => setOpened({ kind: 'prices', product, bc: branch })}
        empty={may('product:add') ? '还没有商品。点“新增”登记第一个，或用 Excel 导入。' : '还没有商品。'}
        filters={
          <>
            <KeywordFilter list={list} placeholder="编码、名称、品牌、型号、规格" />
            {branches.length > 1 && (
              <CodeFilter
                single
                list={list}
                field="bc_id"
                label="按分公司看价格"
                options={branches.map((b) => ({ value: b.bc_id, label: b.bc_name }))}
              />
            )}
            <CodeFilter
              single
              list={list}
              field="category_id"
              label="品类"
              options={categoryPaths(categories).map(([value, label]) => ({ value, label }))}
            />
            <CodeFilter list={list} field="kind" label="类别" options={productKind.options} />
            <LookupFilter
              list={list}
              field="brand"
              label="品牌"
              find={(text) =>
                call(productsApi.brands, {}).then((all) =>
                  all
                    .filter((b) => b.includes(text))
                    .slice(0, 30)
                    .map((b) => ({ value: b, label: b })),
                )
              }
              nameOf={(brand) => Promise.resolve({ value: brand, label: brand })}
            />
            <LookupFilter
              list={list}
              field="receiver_id"
              label="商家"
              find={findReceivers}
              nameOf={receiverNamed}
            />
            <CodeFilter list={list} field="status" label="状态" options={productStatus.options} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={productsApi.export} name="商品" />
            <ListImport list={list} needs="product:import" load={load} />
            <button className="button" onClick={() => setSorting(true)}>
              品类
            </button>
            <Granted needs="product:add">
              <button
                className="button primary"
                onClick={() => setOpened({ kind: 'edit', product: null, bc: branch })}
              >
                新增
              </button>
            </Granted>
          </>
        }
        actionsOf={(p) => [
          ...ofGroup(
            p,
            branches.length > 1,
            actionsOf(productActions, p, actor, {
              edit: { open: () => setOpened({ kind: 'edit', product: p, bc: branch }) },
              price: { open: () => setOpened({ kind: 'price', product: p, bc: branch }) },
              withdraw: {
                confirm: `下架 ${p.name}：新的报价单选不到它，已经报过的不变。请写明原因`,
                run: (reason) =>
                  call(productsApi.state, {
                    body: { id: p.id, version: p.version, action: 'withdraw', reason },
                  }),
              },
              offer: {
                run: () =>
                  call(productsApi.state, { body: { id: p.id, version: p.version, action: 'offer' } }),
              },
            }),
          ),
          {
            key: 'prices',
            label: '价格记录',
            open: () => setOpened({ kind: 'prices', product: p, bc: branch }),
          },
        ]}
      />
      {opened && <ProductDrawers {...opened} onClose={() => setOpened(null)} onDone={refresh} />}
      {sorting && <CategoriesDrawer onClose={() => setSorting(false)} onDone={refresh} />}
    </>
  )
}
