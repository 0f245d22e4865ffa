import type { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import {
  type ItemFacts,
  MOST_ALTERNATIVES,
  quantityBase,
  roomKind,
} from '@zhuguan/contract/features/packages/packages.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { CodeField, TextField } from '../../kit/form/fields.tsx'
import { Lines } from '../../kit/form/Lines.tsx'
import type { Draft, Fields } from '../../kit/form/useForm.ts'
import { type Picked, ProductPick } from '../../parts/ProductPick.tsx'

type Body = BodyOf<typeof packagesApi.add | typeof packagesApi.edit>
type Item = Draft<Body['items'][number]>
const FRESH: Item = {
  room: 'whole',
  product_id: null,
  base: 'floor',
  factor: null,
  waste: '0',
  removalPrice: '',
  alternatives: [],
}

/** The lines of a package; what a product is called is remembered here, the call names its number only. */
export function PackageItems({
  of,
  bc,
  known,
}: {
  of: Fields<Body>
  bc: string | null
  known: readonly Picked[]
}) {
  const [picked, setPicked] = useState<readonly Picked[]>([])
  const [changing, setChanging] = useState<number | null>(null)
  const productOf = (id: string | null | undefined) => [...picked, ...known].find((p) => p.id === id)
  const remember = (p: Picked) => setPicked((old) => [...old.filter((o) => o.id !== p.id), p])
  const items = of.values.items ?? []
  const alternativesOf = (item: Item | undefined) => item?.alternatives ?? []
  const put = (at: number, change: Partial<Item>) =>
    of.raw.put(
      'items',
      items.map((item, i) => (i === at ? { ...item, ...change } : item)),
    )
  return (
    <>
      <h3 className="package-title">套餐内容（{items.length} 项）</h3>
      <Lines
        of={of}
        name="items"
        fresh={() => FRESH}
        columns="104px minmax(220px, 1fr) 116px 84px 68px 92px"
        title={(row, at) => productOf(row.product_id)?.name ?? `第 ${at + 1} 项`}
        actions={(row, at) => [
          {
            key: 'alternatives',
            label: `可换 ${alternativesOf(row).length}`,
            open: () => setChanging(at),
          },
        ]}
      >
        {(row, at) => {
          const product = productOf(row.values.product_id)
          return (
            <>
              <CodeField of={row} name="room" codes={roomKind} />
              <div className="field" data-field={row.raw.path('product_id')}>
                <label>商品</label>
                {product ? (
                  <span className="package-product" title={`${product.name} ${product.detail}`}>
                    {product.name} <small>{product.detail}</small>
                  </span>
                ) : (
                  <ProductPick
                    bc={bc}
                    label={`第 ${at + 1} 项商品`}
                    onPick={(p) => {
                      remember(p)
                      put(at, { product_id: p.id })
                    }}
                  />
                )}
                {row.raw.fault('product_id') && <em role="alert">{row.raw.fault('product_id')}</em>}
              </div>
              <CodeField of={row} name="base" codes={quantityBase} />
              <TextField of={row} name="factor" label={`用量${product ? `（${product.unit}）` : ''}`} />
              <TextField of={row} name="waste" />
              <TextField of={row} name="removalPrice" />
            </>
          )
        }}
      </Lines>
      {changing !== null && (
        <Alternatives
          title={`${productOf(items[changing]?.product_id)?.name ?? '这一项'} 可以换成`}
          bc={bc}
          chosen={alternativesOf(items[changing])}
          productOf={productOf}
          onPut={(alternatives) => put(changing, { alternatives })}
          onPick={remember}
          onClose={() => setChanging(null)}
        />
      )}
    </>
  )
}

type Chosen = ItemFacts['alternatives']
/** The alternatives of an item, and the price of a unit more. */
function Alternatives({
  title,
  bc,
  chosen,
  productOf,
  onPut,
  onPick,
  onClose,
}: {
  title: string
  bc: string | null
  chosen: Chosen
  productOf: (id: string) => Picked | undefined
  onPut: (alternatives: Chosen) => void
  onPick: (product: Picked) => void
  onClose: () => void
}) {
  return (
    <Drawer open title={title} size="min(640px, 100vw)" onClose={onClose}>
      {chosen.length < MOST_ALTERNATIVES && (
        <ProductPick
          bc={bc}
          label="添加可换商品"
          placeholder="添加可换商品"
          onPick={(p) => {
            onPick(p)
            if (!chosen.some((c) => c.product_id === p.id))
              onPut([...chosen, { product_id: p.id, difference: '0' }])
          }}
        />
      )}
      {chosen.length === 0 && <p className="quiet">还没有可换的商品：客户只能按套餐要，或做部分调整。</p>}
      <ul className="package-alternatives">
        {chosen.map((c) => {
          const product = productOf(c.product_id)
          return (
            <li key={c.product_id}>
              <span>
                {product?.name} <small>{product?.detail}</small>
              </span>
              <label>
                每{product?.unit ?? '单位'}加价
                <input
                  className="input"
                  inputMode="decimal"
                  value={c.difference}
                  onChange={(e) =>
                    onPut(
                      chosen.map((o) =>
                        o.product_id === c.product_id ? { ...o, difference: e.target.value } : o,
                      ),
                    )
                  }
                />
              </label>
              <button
                className="text-button"
                onClick={() => onPut(chosen.filter((o) => o.product_id !== c.product_id))}
              >
                去掉
              </button>
            </li>
          )
        })}
      </ul>
    </Drawer>
  )
}
