import { companiesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { type CompanyRow, companyStatus } from '@zhuguan/contract/features/companies/companies.record.ts'
import { receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { CodeFilter, KeywordFilter, TextFilter } from '../../kit/list/filters.tsx'
import { type ColumnOf, ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { State } from '../../kit/State.tsx'
import { Granted, useGranted } from '../../parts/granted.tsx'
import { useBranchesAnew } from '../../parts/places.tsx'
import { useActor, useMayReach } from '../../parts/session.ts'
import { useLogLink } from '../../parts/useLogLink.ts'

const CompanyDrawer = lazyPart(() => import('./CompanyDrawer.tsx'))
const count = (n: number, page: PageName, bc_id: string) =>
  n ? (
    <LinkTo page={page} query={{ bc_id }}>
      {n}
    </LinkTo>
  ) : (
    0
  )
/** Orders of a company that receives them, or has. */
function Received({ of: c, n, state }: { of: CompanyRow; n: number; state: number }) {
  const may = useMayReach('OrderList')
  if (!n) return c.receivesOrders ? 0 : '--'
  if (!may) return n
  return (
    <LinkTo page="OrderList" query={{ receiver_id: c.id, receiveState: String(state) }}>
      {n}
    </LinkTo>
  )
}
const columns: ColumnOf<typeof companiesApi.list>[] = [
  { key: 'name', title: '名称', fixed: true, sort: 'bc_name', render: (c) => c.bc_name },
  { key: 'code', title: '编号', sort: 'code', render: (c) => c.code },
  { key: 'city', title: '城市', sort: 'city', render: (c) => c.city || '--' },
  { key: 'principal', title: '负责人', render: (c) => c.principal || '--' },
  { key: 'phone', title: '电话', render: (c) => c.phone || '--' },
  {
    key: 'stores',
    title: '门店数',
    right: true,
    sort: 'stores',
    render: (c) => count(c.stores, 'CompanyStore', c.id),
  },
  {
    key: 'sites',
    title: '工地数',
    right: true,
    sort: 'sites',
    render: (c) => count(c.sites, 'SiteList', c.id),
  },
  {
    key: 'users',
    title: '用户数',
    right: true,
    render: (c) => count(c.users, 'UserList', c.id),
  },
  {
    key: 'orders',
    title: '接单',
    render: (c) => (c.receivesOrders ? <State tone="ok">接单</State> : <State tone="grey">不接单</State>),
  },
  {
    key: 'ordersWaiting',
    title: '待接单',
    right: true,
    render: (c) => <Received of={c} n={c.ordersWaiting} state={receiveState.code.waiting} />,
  },
  {
    key: 'ordersTaken',
    title: '已接单',
    right: true,
    render: (c) => <Received of={c} n={c.ordersTaken} state={receiveState.code.accepted} />,
  },
  {
    key: 'status',
    title: '状态',
    render: (c) => <State tone={c.status === 1 ? 'ok' : 'grey'}>{companyStatus.label(c.status)}</State>,
  },
  { key: 'address', title: '地址', render: (c) => c.address || '--' },
]

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(companiesApi.list)

export default function CompanyListPage() {
  const list = useList(companiesApi.list)
  const actor = useActor()
  const granted = useGranted()
  const logLink = useLogLink()
  const [open, setOpen] = useState<{ company: CompanyRow | null } | null>(null)
  const branchesAnew = useBranchesAnew()
  const refresh = () => {
    void list.refresh()
    branchesAnew()
  }
  const may = (label: string) => hasPermission(actor, label)
  const turn = (c: CompanyRow) =>
    call(companiesApi.edit, {
      body: { ...c, lng: c.lng ?? undefined, lat: c.lat ?? undefined, status: c.status === 1 ? 2 : 1 },
    })
  return (
    <>
      <ListPage
        name="分公司"
        list={list}
        columns={columns}
        {...(may('company:edit') ? { onOpen: (company: CompanyRow) => setOpen({ company }) } : {})}
        empty="还没有分公司。先新增一个分公司，再给它开门店、建用户。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="名称、编号、负责人" />
            <TextFilter list={list} field="city" label="城市" />
            <CodeFilter single list={list} field="status" label="状态" options={companyStatus.options} />
          </>
        }
        actions={
          <Granted needs="company:add">
            <button className="button primary" onClick={() => setOpen({ company: null })}>
              新增
            </button>
          </Granted>
        }
        onDone={refresh}
        actionsOf={(c) =>
          granted([
            { needs: 'company:edit', key: 'edit', label: '编辑', open: () => setOpen({ company: c }) },
            {
              needs: 'company:edit',
              key: 'state',
              label: c.status === 1 ? '停用' : '启用',
              confirm:
                c.status === 1
                  ? `停用后，${c.bc_name} 不再出现在选择里，已有的数据不变。确定停用吗？`
                  : `确定启用 ${c.bc_name} 吗？`,
              run: () => turn(c),
            },
            {
              needs: 'company:delete',
              key: 'delete',
              label: '删除',
              danger: true,
              confirm: `确定删除 ${c.bc_name} 吗？还有门店、用户、工地、设备或订单时不能删除。`,
              run: () => call(companiesApi.del, { body: { id: c.id, version: c.version } }),
            },
            ...logLink('company', c.id),
          ])
        }
      />
      {open && <CompanyDrawer {...open} onClose={() => setOpen(null)} onDone={refresh} />}
    </>
  )
}
