import { useQuery } from '@tanstack/react-query'
import { productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import { isGoods, productKind, type ProductRow } from '@zhuguan/contract/features/products/products.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { priceText } from '@zhuguan/contract/kit/digits.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import {
  CodeField,
  NumberField,
  OneField,
  PickField,
  ReasonField,
  TextField,
} from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { State } from '../../kit/State.tsx'
import { dayOf, full, nowSeconds } from '../../kit/time.ts'
import { categoryPaths, findReceivers, receiverNamed, useCategories } from '../../parts/goods.tsx'
import { BranchField } from '../../parts/pickFields.tsx'
import { PictureField } from '../../parts/PictureFields.tsx'
import { useBranches } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'

import '../../kit/plainTable.css'

export interface OpenedProduct {
  kind: 'edit' | 'price' | 'prices'
  product: ProductRow | null
  /** The branch whose prices the list shows. */
  bc: string | undefined
}
type Props = DrawerProps & { product: ProductRow; bc: string | undefined }

/** Loaded with the first drawer that is opened. */
export default function ProductDrawers({ kind, product, bc, ...p }: DrawerProps & OpenedProduct) {
  if (!product) return <AddDrawer {...p} bc={bc} />
  if (kind === 'edit') return <EditDrawer {...p} product={product} bc={bc} />
  if (kind === 'price') return <PriceDrawer {...p} product={product} bc={bc} />
  return <PricesDrawer {...p} product={product} bc={bc} />
}

const BLANK = {
  name: '',
  kind: null,
  category_id: null,
  brand: '',
  model: '',
  spec: '',
  unit: '',
  receiver_id: null,
  stage: null,
  leadDays: null,
  pack: null,
  least: null,
  removalPrice: null,
  picture: null,
}
function AddDrawer({ bc, ...p }: DrawerProps & { bc: string | undefined }) {
  const branches = useBranches()
  const form = useForm(productsApi.add, {
    ...BLANK,
    code: '',
    bc_id: branches.length === 1 ? branches[0]!.bc_id : (bc ?? null),
  })
  return (
    <FormDrawer
      {...p}
      form={form}
      title="新增商品"
      done={({ code }) => ({ text: `${code} ${form.values.name} 已新增，请接着定价` })}
    >
      <div className="pair">
        <TextField of={form} name="code" hint="不填会自动生成" example="CZ80001" />
        {branches.length > 1 && <BranchField of={form} name="bc_id" clear placeholder="全集团" />}
      </div>
      <Facts of={form} />
    </FormDrawer>
  )
}
function EditDrawer({ product, bc, ...p }: Props) {
  const latest = async () => {
    const { id, version, own, ...now } = await call(productsApi.details, {
      query: { id: product.id, bc_id: bc },
    })
    const { name, kind, category_id, brand, model, spec, unit, pack, least, removalPrice, picture } = now
    return {
      id,
      version,
      name,
      kind,
      category_id,
      brand,
      model,
      spec,
      unit,
      pack,
      least,
      removalPrice,
      picture,
      ...own,
    }
  }
  const form = useForm(productsApi.edit, null, { latest })
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`编辑 ${product.code} ${product.name}`}
      done={() => ({ text: `${form.values.name} 已保存` })}
    >
      <Facts of={form} />
    </FormDrawer>
  )
}
function Facts({ of }: { of: Fields<BodyOf<typeof productsApi.add | typeof productsApi.edit>> }) {
  const categories = categoryPaths(useCategories())
  const goods = !of.values.kind || isGoods(of.values.kind)
  return (
    <>
      <TextField of={of} name="name" example="抛釉砖" />
      <div className="pair">
        <CodeField of={of} name="kind" codes={productKind} />
        <OneField
          of={of}
          name="category_id"
          options={categories.map(([value, label]) => ({ value, label }))}
          nothing="还没有品类，请先在“品类”里新增"
        />
      </div>
      <div className="pair">
        <TextField of={of} name="brand" example="东鹏" />
        <TextField of={of} name="model" />
      </div>
      <div className="pair">
        <TextField of={of} name="spec" example="800×800mm" />
        <TextField of={of} name="unit" example="片" />
      </div>
      <div className="pair">
        <PickField
          of={of}
          name="receiver_id"
          find={findReceivers}
          nameOf={receiverNamed}
          hint="接订单的分公司或门店；不选按品类"
        />
        <CodeField of={of} name="stage" codes={siteStage} clear placeholder="按品类" />
      </div>
      <div className="pair">
        <NumberField of={of} name="leadDays" unit="天" hint="从下单到送到；不填按品类" />
        <TextField of={of} name="removalPrice" hint="客户不要套餐里的它时，每单位退多少" />
      </div>
      {goods && (
        <div className="pair">
          <TextField of={of} name="pack" hint="只能整包下单时，每包多少单位" />
          <TextField of={of} name="least" />
        </div>
      )}
      <PictureField of={of} name="picture" label="图片" caption={of.values.name ?? '商品'} />
    </>
  )
}

function PriceDrawer({ product, bc, ...p }: Props) {
  const actor = useActor()
  const branches = useBranches()
  const costs = hasPermission(actor, 'product:cost')
  const today = dayOf(nowSeconds())
  const only = branches.length === 1 ? branches[0]!.bc_name : null
  const form = useForm(productsApi.price, {
    id: product.id,
    version: product.version,
    bc_id: product.bc_id ?? (branches.length === 1 ? branches[0]!.bc_id : (bc ?? null)),
    from: today,
    price: product.price,
    ...(costs ? { cost: product.cost } : { cost: undefined }),
    reason: '',
  })
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`调价 ${product.code} ${product.name} ${product.brand} ${product.model}`}
      done={() => ({ text: `${product.name} 的新价格已保存` })}
    >
      {branches.length > 1 && (
        <BranchField
          of={form}
          name="bc_id"
          clear
          disabled={product.bc_id !== null}
          placeholder="没有单独定价的所有分公司"
        />
      )}
      {(only || product.nextFrom) && (
        <p className="quiet">
          {only && `只改${only}的价格。`}
          {product.nextFrom && `${product.nextFrom} 起已经定了新的价格，见“价格记录”。`}
        </p>
      )}
      <TextField of={form} name="price" label={`售价（元/${product.unit}）`} />
      {costs && <TextField of={form} name="cost" label={`成本价（元/${product.unit}）`} />}
      <DayField of={form} name="from" from={today} hint="已经报出去的价不会改变" />
      <ReasonField of={form} name="reason" example="厂家调价" />
    </FormDrawer>
  )
}

function PricesDrawer({ product, bc, onClose }: Props) {
  const costs = hasPermission(useActor(), 'product:cost')
  const { data, error, refetch } = useQuery({
    queryKey: [productsApi.prices.path, product.id, bc, product.version],
    queryFn: ({ signal }) => call(productsApi.prices, { query: { id: product.id, bc_id: bc } }, signal),
  })
  const today = dayOf(nowSeconds())
  return (
    <Drawer
      open
      title={`${product.code} ${product.name} 的价格（元/${product.unit}）`}
      size="min(760px, 100vw)"
      onClose={onClose}
    >
      {error && <Failed error={error} again={() => void refetch()} />}
      {data?.length === 0 && <p className="quiet">还没有定价，报价单里选不到它。</p>}
      {!!data?.length && (
        <table className="plain-table">
          <thead>
            <tr>
              <th>从哪天起</th>
              <th>分公司</th>
              <th className="right">售价</th>
              {costs && <th className="right">成本价</th>}
              <th>原因</th>
              <th>谁定的</th>
            </tr>
          </thead>
          <tbody>
            {data.map((row) => (
              <tr key={row.id}>
                <td>
                  {row.from} {row.now && <State tone="ok">现行</State>}
                  {row.from > today && <State tone="wait">未到</State>}
                </td>
                <td>{row.bc_name || '未单独定价的'}</td>
                <td className="right">{priceText(row.price)}</td>
                {costs && <td className="right">{row.cost === null ? '未填' : priceText(row.cost)}</td>}
                <td>{row.reason}</td>
                <td title={full(row.at)}>{row.by}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Drawer>
  )
}
