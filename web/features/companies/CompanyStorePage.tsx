import { storesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { companyStatus, type StoreRow } from '@zhuguan/contract/features/companies/companies.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { type ColumnOf, ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { State } from '../../kit/State.tsx'
import { Granted, useGranted } from '../../parts/granted.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { useLogLink } from '../../parts/useLogLink.ts'

const StoreDrawer = lazyPart(() => import('./StoreDrawer.tsx'))
const columns: ColumnOf<typeof storesApi.list>[] = [
  { key: 'name', title: '门店', fixed: true, sort: 'name', render: (s) => s.name },
  { key: 'bc', title: '分公司', render: (s) => s.bc_name },
  { key: 'address', title: '地址', render: (s) => s.address || '--' },
  { key: 'principal', title: '店长', render: (s) => s.principal || '--' },
  { key: 'phone', title: '电话', render: (s) => s.phone || '--' },
  { key: 'users', title: '人数', right: true, sort: 'users', render: (s) => s.users },
  {
    key: 'status',
    title: '状态',
    render: (s) => <State tone={s.status === 1 ? 'ok' : 'grey'}>{companyStatus.label(s.status)}</State>,
  },
]

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(storesApi.list)

export default function CompanyStorePage() {
  const list = useList(storesApi.list)
  const actor = useActor()
  const granted = useGranted()
  const logLink = useLogLink()
  const [open, setOpen] = useState<{ store: StoreRow | null } | null>(null)
  const refresh = () => void list.refresh()
  const may = (label: string) => hasPermission(actor, label)
  return (
    <>
      <ListPage
        name="门店"
        list={list}
        columns={columns}
        {...(may('store:edit') ? { onOpen: (store: StoreRow) => setOpen({ store }) } : {})}
        empty="还没有门店。新增后就能把顾问、报价员和接单商家归到门店。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="门店、地址、店长" />
            <BranchFilter list={list} />
            <CodeFilter single list={list} field="status" label="状态" options={companyStatus.options} />
          </>
        }
        actions={
          <Granted needs="store:add">
            <button className="button primary" onClick={() => setOpen({ store: null })}>
              新增
            </button>
          </Granted>
        }
        actionsOf={(s) =>
          granted([
            { needs: 'store:edit', key: 'edit', label: '编辑', open: () => setOpen({ store: s }) },
            {
              needs: 'store:delete',
              key: 'delete',
              label: '删除',
              danger: true,
              confirm: `确定删除 ${s.name} 吗？还有人或工地时不能删除。`,
              run: () => call(storesApi.del, { body: { id: s.id, version: s.version } }),
            },
            ...logLink('store', s.id),
          ])
        }
      />
      {open && <StoreDrawer {...open} onClose={() => setOpen(null)} onDone={refresh} />}
    </>
  )
}
