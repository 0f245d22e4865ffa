import { packageActions } from '@zhuguan/contract/features/packages/packages.actions.ts'
import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import { packageColumns } from '@zhuguan/contract/features/packages/packages.columns.ts'
import { type PackageRow, packageStatus } from '@zhuguan/contract/features/packages/packages.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { actionsOf } from '../../kit/actionsOf.ts'
import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { message } from '../../kit/notices.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { Granted, grantedTo } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { useBranches } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import type { OpenedPackage } from './PackageDrawers.tsx'

const PackageDrawers = lazyPart(() => import('./PackageDrawers.tsx'))
const { draft, published } = packageStatus.code

function StateOf({ of }: { of: PackageRow }) {
  if (of.expired) return <State tone="wait">已过期</State>
  const tones = { [draft]: 'wait', [published]: 'ok' } as const
  return (
    <State tone={tones[of.status as keyof typeof tones] ?? 'grey'}>{packageStatus.label(of.status)}</State>
  )
}
const columns = columnsOf<typeof packagesApi.list>()(packageColumns, {
  name: (p) => p.name,
  least: (p) => (
    <>
      {p.leastArea} <small>㎡</small>
    </>
  ),
  number: (p) => `v${p.number}`,
  used: (p) =>
    p.quotations > 0 && (
      <LinkTo page="QuotationList" query={{ package_id: p.id }}>
        {p.quotations}
      </LinkTo>
    ),
  to: (p) => p.to ?? '长期',
  status: (p) => <StateOf of={p} />,
})

/** What is the whole group's is not changed from one branch. */
const ofGroup = (p: PackageRow, several: boolean, actions: RowAction[]): RowAction[] =>
  p.bc_id !== null || several
    ? actions
    : actions.map((a) => ({ ...a, why: '集团的套餐由集团维护；可以复制成分公司的再改' }))

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(packagesApi.list)

export default function PackageListPage() {
  const list = useList(packagesApi.list)
  const actor = useActor()
  const branches = useBranches()
  const [opened, setOpened] = useState<OpenedPackage | null>(null)
  const may = (label: string) => hasPermission(actor, label)
  const refresh = () => void list.refresh()
  /** The draft is made and opened at once. */
  const renew = async (p: PackageRow) => {
    try {
      const { id } = await call(packagesApi.renew, { body: { id: p.id, version: p.version } })
      setOpened({ kind: 'edit', id, name: p.name })
      refresh()
    } catch (error) {
      message.error((error as Error).message)
    }
  }
  return (
    <>
      <ListPage
        name="套餐"
        list={list}
        columns={columns}
        onOpen={(p) => setOpened({ kind: 'look', id: p.id, name: p.name })}
        empty={may('package:edit') ? '还没有套餐。点“新增”写第一个。' : '还没有套餐。'}
        filters={
          <>
            <KeywordFilter list={list} placeholder="套餐名称" />
            {branches.length > 1 && (
              <CodeFilter
                single
                list={list}
                field="bc_id"
                label="分公司"
                options={branches.map((b) => ({ value: b.bc_id, label: b.bc_name }))}
              />
            )}
            <CodeFilter list={list} field="status" label="状态" options={packageStatus.options} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={packagesApi.export} name="套餐" />
            <Granted needs="package:edit">
              <button className="button primary" onClick={() => setOpened({ kind: 'add', id: '', name: '' })}>
                新增
              </button>
            </Granted>
          </>
        }
        actionsOf={(p) => [
          ...ofGroup(
            p,
            branches.length > 1,
            actionsOf(packageActions, p, actor, {
              edit: { open: () => setOpened({ kind: 'edit', id: p.id, name: p.name }) },
              renew: { open: () => void renew(p) },
              publish: {
                confirm: `发布 ${p.name} v${p.number}？发布以后不能再改，之前的版本停用；用旧版本的报价单不变。`,
                run: () => call(packagesApi.publish, { body: { id: p.id, version: p.version } }),
              },
              stop: {
                confirm: `停用 ${p.name}：新的报价单选不到它，已经报过的不变。请写明原因`,
                run: (reason) => call(packagesApi.stop, { body: { id: p.id, version: p.version, reason } }),
              },
            }),
          ),
          ...grantedTo(actor, [
            {
              needs: 'package:edit',
              key: 'copy',
              label: '复制',
              open: () => setOpened({ kind: 'copy', id: p.id, name: p.name, bc: p.bc_id }),
            },
          ]),
        ]}
      />
      {opened && <PackageDrawers {...opened} onClose={() => setOpened(null)} onDone={refresh} />}
    </>
  )
}
