import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { LINK_POWERS, linkKind, linkState, previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import { SHARED_KINDS } from '@zhuguan/contract/features/links/links.record.ts'
import { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'
import { shareColumns } from '@zhuguan/contract/features/shares/shares.columns.ts'
import type { ShareRow } from '@zhuguan/contract/features/shares/shares.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { short } from '../../kit/time.ts'
import { Granted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { copyText } from '../../parts/sharing/shareText.ts'

const SharePanel = lazyPart(() => import('./SharePanel.tsx'))
const NewShareDrawer = lazyPart(() => import('./NewShareDrawer.tsx'))
const { expired, live, over, revoked, used } = linkState.code
const TONE: Readonly<Record<ShareRow['state'], Tone>> = {
  [live]: 'ok',
  [used]: 'wait',
  [over]: 'bad',
  [expired]: 'grey',
  [revoked]: 'grey',
}
const KINDS = linkKind.options.filter((o) => SHARED_KINDS.some((kind) => kind === o.value))

const columns = columnsOf<typeof sharesApi.list>()(shareColumns, {
  customer: (l) =>
    l.customer_id ? (
      <LinkTo page="CustomerInfo" query={{ id: l.customer_id }}>
        {l.customerName}
      </LinkTo>
    ) : (
      l.customerName || '--'
    ),
  status: (l) => <State tone={TONE[l.state]}>{linkState.label(l.state)}</State>,
  opened: (l) =>
    l.lastOpenedAt === null ? (
      <span className="quiet">还没有打开</span>
    ) : (
      <>
        {short(l.lastOpenedAt)} {l.unfollowed && <State tone="wait">未跟进</State>}{' '}
        {l.otherDevice && <State tone="wait">另一台设备</State>}
      </>
    ),
})

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(sharesApi.list)

/** What was sent to customers, and what became of it, as it happens. */
export default function ShareListPage() {
  const list = useList(sharesApi.list)
  const actor = useActor()
  const [opened, setOpened] = useState<{ id: string; code?: boolean } | null>(null)
  const [adding, setAdding] = useState(false)
  useLiveRows(list, ['share'], (e) => e.id)
  async function copy({ hasPassword, id }: ShareRow) {
    const { token } = await call(linksApi.copy, { body: { id } })
    await copyText(location.origin + previewOf(token, hasPassword))
  }
  const actionsOf = (l: ShareRow): RowAction[] => {
    const mine = LINK_POWERS[l.kind].some((power) => hasPermission(actor, power))
    const opens = l.state === live || l.state === used
    const look: RowAction = { key: 'openings', label: '浏览记录', open: () => setOpened({ id: l.id }) }
    if (!mine || !opens) return [look]
    return [
      { key: 'copy', label: '复制链接', run: () => copy(l) },
      { key: 'code', label: '二维码', open: () => setOpened({ id: l.id, code: true }) },
      look,
      {
        key: 'renew',
        label: '换新链接',
        confirm: `换新“${l.title}”的链接？以前发出去的马上打不开，要把新的再发一次`,
        run: () => call(linksApi.renew, { body: { id: l.id } }),
      },
      {
        key: 'revoke',
        label: '收回',
        confirm: `收回给 ${l.customerName || '客户'} 的“${l.title}”？收回以后打不开，正在看的页面也会关上`,
        run: () => call(linksApi.revoke, { body: { id: l.id } }),
      },
    ]
  }
  const shown = list.rows.find((l) => l.id === opened?.id)
  return (
    <>
      <ListPage
        name="分享"
        list={list}
        columns={columns}
        onOpen={(l) => setOpened({ id: l.id })}
        empty="还没有发过链接。点“新建”把案例或报价发给客户。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="标题、客户" />
            <PersonFilter list={list} field="maker_id" label="创建人" />
            <CodeFilter list={list} field="state" label="状态" options={linkState.options} />
            <CodeFilter list={list} field="kind" label="对象" options={KINDS} />
            <DayRangeFilter list={list} from="from" to="to" label="创建时间" />
            <BranchFilter list={list} />
            <CodeFilter
              single
              list={list}
              field="unfollowed"
              label="跟进"
              options={[{ value: 'true', label: '打开未跟进' }]}
            />
            <GivenFilter list={list} field="id" label="链接" value={() => '指定的一条'} />
            <GivenFilter list={list} field="customer_id" label="客户" value={() => '指定的一位'} />
            <GivenFilter list={list} field="screen_id" label="屏幕" value={() => '指定的一块'} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={sharesApi.export} name="分享管理" />
            <Granted needs="share:add">
              <button className="button primary" onClick={() => setAdding(true)}>
                新建
              </button>
            </Granted>
          </>
        }
        actionsOf={actionsOf}
      />
      {shown && (
        <SharePanel
          row={shown}
          code={opened?.code ?? false}
          actions={actionsOf(shown).filter((a) => a.key !== 'openings' && a.key !== 'code')}
          onDone={() => void list.refresh()}
          onClose={() => setOpened(null)}
        />
      )}
      {adding && <NewShareDrawer onClose={() => setAdding(false)} onMade={() => void list.refresh()} />}
    </>
  )
}
