import { useQuery } from '@tanstack/react-query'
import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import {
  type PackageDetail,
  packageStatus,
  quantityBase,
  roomKind,
} from '@zhuguan/contract/features/packages/packages.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { priceText } from '@zhuguan/contract/kit/digits.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { DayField } from '../../kit/form/DayField.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { BranchField } from '../../parts/pickFields.tsx'
import { useBranches } from '../../parts/places.tsx'
import type { Picked } from '../../parts/ProductPick.tsx'
import { PackageItems } from './PackageItems.tsx'

import '../../kit/plainTable.css'
import './packages.css'

export interface OpenedPackage {
  kind: 'add' | 'edit' | 'copy' | 'look'
  id: string
  name: string
  bc?: string | null
}
/** Loaded with the first drawer that is opened. */
export default function PackageDrawers({ kind, id, name, bc, ...p }: DrawerProps & OpenedPackage) {
  if (kind === 'add') return <AddPackage {...p} />
  if (kind === 'edit') return <EditPackage {...p} id={id} name={name} />
  if (kind === 'copy') return <CopyPackage {...p} id={id} name={name} bc={bc ?? null} />
  return <LookPackage {...p} id={id} name={name} />
}

const WIDE = 'min(1180px, 100vw)'
const today = () => dayOf(nowSeconds())
function AddPackage(p: DrawerProps) {
  const branches = useBranches()
  const form = useForm(packagesApi.add, {
    name: '',
    bc_id: branches.length === 1 ? branches[0]!.bc_id : null,
    perSquareMetre: null,
    leastArea: '0',
    from: today(),
    to: null,
    remark: '',
    items: [],
  })
  return (
    <FormDrawer
      {...p}
      form={form}
      size={WIDE}
      title="新增套餐"
      done={() => ({ text: `${form.values.name} 已存为草稿，发布后才能报价` })}
    >
      {branches.length > 1 && <BranchField of={form} name="bc_id" clear placeholder="全集团" />}
      <Head of={form} />
      <PackageItems of={form} bc={form.values.bc_id ?? null} known={[]} />
    </FormDrawer>
  )
}

const pickedOf = (detail: PackageDetail): Picked[] =>
  detail.items.flatMap((i) => [
    { id: i.product_id, name: i.name, detail: i.detail, unit: i.unit },
    ...i.alternatives.map((a) => ({ id: a.product_id, name: a.name, detail: a.detail, unit: i.unit })),
  ])
function EditPackage({ id, name, ...p }: DrawerProps & { id: string; name: string }) {
  const [known, setKnown] = useState<readonly Picked[]>([])
  const [bc, setBc] = useState<string | null>(null)
  const latest = async () => {
    const now = await call(packagesApi.details, { query: { id } })
    setKnown(pickedOf(now))
    setBc(now.bc_id)
    return {
      id,
      version: now.version,
      name: now.name,
      perSquareMetre: now.perSquareMetre,
      leastArea: now.leastArea,
      from: now.from,
      to: now.to,
      remark: now.remark,
      items: now.items.map(({ room, product_id, base, factor, waste, removalPrice, alternatives }) => ({
        room,
        product_id,
        base,
        factor,
        waste,
        removalPrice: removalPrice ?? '',
        alternatives: alternatives.map((a) => ({ product_id: a.product_id, difference: a.difference })),
      })),
    }
  }
  const form = useForm(packagesApi.edit, null, { latest })
  return (
    <FormDrawer
      {...p}
      form={form}
      size={WIDE}
      title={`编辑 ${name}`}
      done={() => ({ text: `${form.values.name} 已保存` })}
    >
      <Head of={form} />
      <PackageItems of={form} bc={bc} known={known} />
    </FormDrawer>
  )
}
function Head({ of }: { of: Fields<BodyOf<typeof packagesApi.add | typeof packagesApi.edit>> }) {
  return (
    <>
      <div className="package-head">
        <TextField of={of} name="name" example="安心整装" />
        <TextField of={of} name="perSquareMetre" label="每平米价（元）" example="899" />
        <TextField of={of} name="leastArea" label="起装面积（㎡）" hint="不到的按它算" />
        <DayField of={of} name="from" />
        <DayField of={of} name="to" from={of.values.from} hint="不填为长期" />
      </div>
      <TextField of={of} name="remark" rows={2} />
    </>
  )
}

function CopyPackage({ id, name, bc, ...p }: DrawerProps & { id: string; name: string; bc: string | null }) {
  const branches = useBranches()
  const form = useForm(packagesApi.copy, {
    id,
    name: `${name} 副本`,
    bc_id: branches.length === 1 ? branches[0]!.bc_id : bc,
  })
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`复制 ${name}`}
      done={() => ({ text: `${form.values.name} 已存为草稿` })}
    >
      <TextField of={form} name="name" />
      {branches.length > 1 && <BranchField of={form} name="bc_id" clear placeholder="全集团" />}
    </FormDrawer>
  )
}

/** What a version holds, to be read. */
function LookPackage({ id, name, onClose }: DrawerProps & { id: string; name: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [packagesApi.details.path, id],
    queryFn: ({ signal }) => call(packagesApi.details, { query: { id } }, signal),
  })
  return (
    <Drawer open title={`${name}${data ? ` v${data.number}` : ''}`} size={WIDE} onClose={onClose}>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data && (
        <>
          <Facts>
            <Fact name="状态">{packageStatus.label(data.status)}</Fact>
            <Fact name="分公司">{data.bc_name}</Fact>
            <Fact name="每平米价">{priceText(data.perSquareMetre)} 元</Fact>
            <Fact name="起装面积">{data.leastArea} ㎡</Fact>
            <Fact name="有效期">
              {data.from} 至 {data.to ?? '长期'}
            </Fact>
            <Fact name="说明">{data.remark}</Fact>
          </Facts>
          <ItemTable items={data.items} />
        </>
      )}
    </Drawer>
  )
}
const ItemTable = ({ items }: { items: PackageDetail['items'] }) => (
  <table className="plain-table package-items">
    <thead>
      <tr>
        <th>房间</th>
        <th>品类</th>
        <th>商品</th>
        <th>用量</th>
        <th className="right">损耗</th>
        <th className="right">减项单价</th>
        <th>可换商品（每单位加价）</th>
      </tr>
    </thead>
    <tbody>
      {items.map((i) => (
        <tr key={i.id}>
          <td>{roomKind.label(i.room)}</td>
          <td>{i.category}</td>
          <td>
            {i.name} <small>{i.detail}</small>
            {!i.sold && <small className="bad">已下架或没有定价</small>}
          </td>
          <td>
            {quantityBase.label(i.base)} {i.factor} {i.unit}
          </td>
          <td className="right">{i.waste}%</td>
          <td className="right">{i.removalPrice === null ? '按商品' : priceText(i.removalPrice)}</td>
          <td>
            {i.alternatives.map((a) => `${a.name} ${a.detail} +${priceText(a.difference)}`).join('；') ||
              '--'}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
