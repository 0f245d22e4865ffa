import { useQueryClient } from '@tanstack/react-query'
import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import { quotationActions } from '@zhuguan/contract/features/quotations/quotations.actions.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { quotationColumns } from '@zhuguan/contract/features/quotations/quotations.columns.ts'
import {
  type QuotationRow,
  quotationStatus,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useEffect, useState } from 'react'

import { actionsOf } from '../../kit/actionsOf.ts'
import { rowsBy } from '../../kit/ahead.ts'
import { call, callAddressed } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, KeywordFilter, LookupFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { usePage } from '../../kit/page.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { useAimed } from '../../kit/useAimed.ts'
import { Granted, grantedTo } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { quotationAt } from './quotationAt.ts'
import type { OpenedQuotation } from './QuotationDrawers.tsx'
import { useMakeContract } from './useMakeContract.ts'
import { useShareQuotation } from './useShareQuotation.ts'

const ShareDrawer = lazyPart(() => import('../../parts/sharing/ShareDrawer.tsx'))
const QuotationDrawers = lazyPart(() => import('./QuotationDrawers.tsx'))
const { draft, waiting, approved, rejected, contracted } = quotationStatus.code
const TONES: Readonly<Record<number, Tone>> = {
  [draft]: 'wait',
  [waiting]: 'wait',
  [approved]: 'ok',
  [rejected]: 'bad',
  [contracted]: 'ok',
}
const columns = columnsOf<typeof quotationsApi.list>()(quotationColumns, {
  code: (q) => q.code,
  area: (q) => (
    <>
      {q.area} <small>㎡</small>
    </>
  ),
  status: (q) => (
    <>
      <State tone={TONES[q.status] ?? 'grey'}>{quotationStatus.label(q.status)}</State>{' '}
      {q.expired && <State tone="bad">已过期</State>}
    </>
  ),
  number: (q) => `v${q.number}`,
})
const addressOf = (q: QuotationRow) => hrefOf('QuotationEdit', { id: q.id })
const findPackages = (keyword: string) =>
  callAddressed(packagesApi.list, { keyword, pageSize: 20 }).then(({ list }) =>
    list.map((p) => ({ value: p.id, label: `${p.name} v${p.number}` })),
  )
const packageOf = (id: string) =>
  call(packagesApi.details, { query: { id } }).then((p) => ({ value: p.id, label: `${p.name} v${p.number}` }))

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(quotationsApi.list)

export default function QuotationListPage() {
  const list = useList(quotationsApi.list)
  const actor = useActor()
  const make = useMakeContract()
  const page = usePage()
  const [opened, setOpened] = useState<OpenedQuotation | null>(null)
  const { shareOf, shared, setShared } = useShareQuotation()
  const client = useQueryClient()
  useAimed('QuotationEdit', (id) => void client.prefetchQuery(quotationAt(id, '')))
  // Whoever reads the list opens one of them next.
  useEffect(() => void import('./QuotationEditPage.tsx').catch(() => {}), [])
  const open = (id: string) => page.go(linkTo('QuotationEdit', { id }))
  const seesCosts = hasPermission(actor, 'product:cost')
  return (
    <>
      <ListPage
        name="报价单"
        list={list}
        columns={seesCosts ? columns : columns.filter((c) => c.key !== 'margin')}
        linkTo={addressOf}
        empty="还没有报价单。点“新建”写第一份。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="编号、客户、小区" />
            <CodeFilter list={list} field="status" label="审核状态" options={quotationStatus.options} />
            <BranchFilter single list={list} />
            <PersonFilter list={list} field="quoter_id" label="报价员" />
            <LookupFilter
              list={list}
              field="package_id"
              label="套餐"
              find={findPackages}
              nameOf={packageOf}
            />
            <DayRangeFilter list={list} from="from" to="to" label="修改日期" />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={quotationsApi.export} name="报价单" />
            <Granted needs="quotation:edit">
              <button className="button primary" onClick={() => setOpened({ kind: 'new' })}>
                新建
              </button>
            </Granted>
          </>
        }
        actionsOf={(q) => {
          const one = { id: q.id, version: q.version }
          return [
            ...actionsOf(quotationActions, q, actor, {
              edit: { open: () => open(q.id) },
              submit: {
                confirm: `提交 ${q.code} v${q.number} 审核？提交的内容不再改变，审核前可以撤回。`,
                run: () => call(quotationsApi.submit, { body: one }),
              },
              withdraw: { run: () => call(quotationsApi.withdraw, { body: one }) },
              revise: { run: () => call(quotationsApi.revise, { body: one }) },
              contract: { open: () => make(Promise.resolve(one)) },
              void: {
                confirm: `作废 ${q.code}：不能再改，也不能再用。请写明原因`,
                run: (reason) => call(quotationsApi.void, { body: { ...one, reason } }),
              },
            }),
            ...shareOf(q),
            ...grantedTo(actor, [
              {
                needs: 'quotation:edit',
                key: 'copy',
                label: '复制',
                open: () =>
                  setOpened({
                    kind: 'copy',
                    id: q.id,
                    code: q.code,
                    number: q.number,
                    customer_id: q.customer_id,
                  }),
              },
            ]),
          ]
        }}
      />
      {shared && <ShareDrawer shared={shared} onClose={() => setShared(null)} />}
      {opened && <QuotationDrawers opened={opened} onClose={() => setOpened(null)} onMade={open} />}
    </>
  )
}
