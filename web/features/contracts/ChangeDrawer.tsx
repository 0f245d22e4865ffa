import { useQuery } from '@tanstack/react-query'
import { changeAttribute } from '@zhuguan/contract/features/contracts/changes.record.ts'
import { changesApi, contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import type {
  ContractDetail,
  ContractItem,
  ContractRow,
} from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { productKind } from '@zhuguan/contract/features/products/products.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { priceText } from '@zhuguan/contract/kit/digits.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { CodeField, OneField, ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { Lines } from '../../kit/form/Lines.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { type Picked, ProductPick } from '../../parts/ProductPick.tsx'

import './contracts.css'

const WIDE = 'min(1180px, 100vw)'
const { added, removed } = attribute.code
type Body = BodyOf<typeof changesApi.add | typeof changesApi.edit>
const FRESH: Body['lines'][number] = {
  attribute: added,
  item_id: null,
  product_id: null,
  name: '',
  detail: '',
  unit: '',
  kind: 'main',
  stage: null,
  quantity: '',
  waste: '0',
  price: '',
  remark: '',
}

/** A change document: written here, judged in the examine centre. */
export default function ChangeDrawer({
  contract,
  change,
  ...p
}: DrawerProps & { contract: ContractRow; change?: string | undefined }) {
  const { data } = useQuery({
    queryKey: [contractsApi.details.path, contract.id],
    queryFn: ({ signal }) => call(contractsApi.details, { query: { id: contract.id } }, signal),
  })
  return change ? (
    <Edit {...p} contract={contract} id={change} detail={data} />
  ) : (
    <Add {...p} contract={contract} detail={data} />
  )
}
interface Of extends DrawerProps {
  contract: ContractRow
  detail: ContractDetail | undefined
}
const SAVED = '变更单已存为草稿，提交审核通过后生效'
function Add({ contract, detail, ...p }: Of) {
  const form = useForm(changesApi.add, { contract_id: contract.id, reason: '', lines: [FRESH] })
  return (
    <FormDrawer {...p} form={form} size={WIDE} ok="存为草稿" title={`变更 ${contract.code}`} done={SAVED}>
      <ReasonField of={form} name="reason" example="客户增加定制柜" />
      <ChangeLines of={form} contract={contract} detail={detail} />
    </FormDrawer>
  )
}
function Edit({ contract, detail, id, ...p }: Of & { id: string }) {
  const latest = async () => {
    const now = await call(contractsApi.details, { query: { id: contract.id } })
    const { version, reason, lines } = now.changeList.find((c) => c.id === id)!
    return {
      id,
      version,
      reason,
      lines: lines.map(({ attribute: of, item_id, product_id, name, detail: words, unit, kind, ...l }) => ({
        attribute: of as 2 | 3 | 4,
        item_id,
        product_id: of === removed ? null : product_id,
        name,
        detail: words,
        unit,
        kind,
        stage: l.stage,
        quantity: l.quantity,
        waste: l.waste,
        price: l.price,
        remark: l.remark,
      })),
    }
  }
  const form = useForm(changesApi.edit, null, { latest })
  return (
    <FormDrawer {...p} form={form} size={WIDE} ok="存为草稿" title={`编辑变更 ${contract.code}`} done={SAVED}>
      <ReasonField of={form} name="reason" example="客户增加定制柜" />
      <ChangeLines of={form} contract={contract} detail={detail} />
    </FormDrawer>
  )
}

const itemText = (i: ContractItem) =>
  `${[i.room, i.name].filter(Boolean).join(' ')}（${attribute.label(i.attribute)}，剩 ${i.left} ${i.unit}）`
/** Each line adds something, puts another thing in an item's place, or takes something of an item off. */
function ChangeLines({ of, contract, detail }: { of: Fields<Body> } & Pick<Of, 'contract' | 'detail'>) {
  const [picked, setPicked] = useState<readonly Picked[]>([])
  const known = (detail?.changeList ?? [])
    .flatMap((c) => c.lines)
    .map((l) => ({ id: l.product_id ?? '', name: l.name, detail: l.detail, unit: l.unit }))
  const items = (detail?.items ?? []).filter((i) => i.attribute !== removed && i.left !== '0')
  return (
    <Lines
      of={of}
      name="lines"
      fresh={() => FRESH}
      columns="110px minmax(180px, 1fr) minmax(200px, 1.2fr) 90px 70px 100px"
      title={(_row, at) => `第 ${at + 1} 行`}
    >
      {(row) => {
        const { attribute: kind, item_id, product_id } = row.values
        const isAdded = kind === added
        const item = items.find((i) => i.id === item_id)
        const product = [...picked, ...known].find((o) => o.id === product_id)
        return (
          <>
            <CodeField of={row} name="attribute" codes={changeAttribute} />
            {!isAdded && (
              <div className={kind === removed ? 'change-wide' : undefined}>
                <OneField
                  of={row}
                  name="item_id"
                  placeholder="选择合同里的一项"
                  nothing="没有可以变更的项"
                  options={items.map((i) => ({ value: i.id, label: itemText(i) }))}
                />
              </div>
            )}
            {kind !== removed && (
              <div className={isAdded ? 'change-wide' : undefined}>
                <Goods
                  row={row}
                  bc={contract.bc_id}
                  product={product}
                  onPick={(one) => setPicked((old) => [...old, one])}
                />
              </div>
            )}
            <TextField of={row} name="quantity" label={`数量${unitOf(item, product)}`} />
            {isAdded ? <TextField of={row} name="waste" /> : <span />}
            {kind === removed ? (
              <Removal item={item} />
            ) : (
              <TextField of={row} name="price" label="单价（元）" />
            )}
          </>
        )
      }}
    </Lines>
  )
}
const unitOf = (item: ContractItem | undefined, product: Picked | undefined): string => {
  const unit = item?.unit ?? product?.unit
  return unit ? `（${unit}）` : ''
}
/** What is paid back for a unit is fixed by the contract. */
const Removal = ({ item }: { item: ContractItem | undefined }) => (
  <div className="field">
    <label>减项单价</label>
    <span className="change-picked">{item ? priceText(item.removalPrice ?? item.price) : '--'}</span>
  </div>
)
/** A product of the catalogue, or words of one's own. */
function Goods({
  row,
  bc,
  product,
  onPick,
}: {
  row: Fields<Body['lines'][number]>
  bc: string
  product: Picked | undefined
  onPick: (product: Picked) => void
}) {
  const { name, product_id } = row.values
  const [free, setFree] = useState(!product_id && !!name)
  if (free)
    return (
      <div className="change-free">
        <TextField of={row} name="name" label="非标项名称" example="定制鞋柜" />
        <TextField of={row} name="unit" />
        <CodeField of={row} name="kind" codes={productKind} />
        <button type="button" className="text-button" onClick={() => setFree(false)}>
          改选商品
        </button>
      </div>
    )
  return (
    <div className="field" data-field={row.raw.path('product_id')}>
      <label>商品</label>
      {product_id ? (
        <span className="change-picked">
          {product?.name ?? name} <small>{product?.detail}</small>{' '}
          <button type="button" className="text-button" onClick={() => row.set({ product_id: null })}>
            换一个
          </button>
        </span>
      ) : (
        <ProductPick
          bc={bc}
          label="商品"
          onPick={(one) => {
            onPick(one)
            row.set({ product_id: one.id, name: '', unit: '' })
          }}
        />
      )}
      {row.raw.fault('product_id') && <em role="alert">{row.raw.fault('product_id')}</em>}
      {!product_id && (
        <button type="button" className="text-button" onClick={() => setFree(true)}>
          不在商品库里（非标项）
        </button>
      )}
    </div>
  )
}
