import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import type { ArrangementRow } from '@zhuguan/contract/features/screens/arrangements.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { type ReactNode, useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { CodeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { type ColumnOf, ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { State } from '../../kit/State.tsx'
import { short } from '../../kit/time.ts'
import { Granted, useGranted } from '../../parts/granted.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { useLogLink } from '../../parts/useLogLink.ts'
import { useStores } from './useBoardStores.ts'

const ArrangementDrawer = lazyPart(() => import('./ArrangementDrawer.tsx'))
const SendDrawer = lazyPart(() => import('./SendDrawer.tsx'))
type Opened = { kind: 'edit'; row: ArrangementRow | null } | { kind: 'send'; row: ArrangementRow }

const columns: ColumnOf<typeof arrangementsApi.list>[] = [
  { key: 'name', title: '名称', fixed: true, sort: 'name', render: (a) => a.name },
  { key: 'store', title: '门店', render: (a) => a.storeName },
  { key: 'bc', title: '分公司', render: (a) => a.bc_name },
  { key: 'scenes', title: '场景数', right: true, render: (a) => a.sceneCount },
  { key: 'seconds', title: '轮播秒数', right: true, render: (a) => a.seconds },
  {
    key: 'online',
    title: '屏幕在线',
    render: (a) =>
      a.screens === 0 ? (
        '--'
      ) : (
        <LinkTo page="BoardSetting" query={{ view: 'screens', arrangement_id: a.id }}>
          <State tone={a.online === a.screens ? 'ok' : 'wait'}>{`${a.online} / ${a.screens}`}</State>
        </LinkTo>
      ),
  },
  {
    key: 'for',
    title: '给谁看',
    wide: true,
    render: (a) => (a.staffOnly ? '只能放内部屏幕' : '对外、内部都可以'),
  },
  {
    key: 'changed',
    title: '更新时间',
    sort: 'changedAt',
    render: (a) => `${short(a.changedAt)} ${a.changedBy}`,
  },
]

/** What walls show: made, ordered, looked at and sent. */
export function Arrangements({ views }: { views: ReactNode }) {
  const list = useList(arrangementsApi.list)
  const stores = useStores()
  const granted = useGranted()
  const logLink = useLogLink()
  const may = hasPermission(useActor(), 'board:arrange')
  const [opened, setOpened] = useState<Opened | null>(null)
  const refresh = () => void list.refresh()
  return (
    <>
      <ListPage
        name="编排"
        list={list}
        columns={columns}
        {...(may ? { onOpen: (row: ArrangementRow) => setOpened({ kind: 'edit', row }) } : {})}
        empty={may ? '还没有编排。新建一个，放上场景，再下发到门店的屏幕。' : '还没有编排。'}
        filters={
          <>
            {views}
            <KeywordFilter list={list} placeholder="名称" />
            <BranchFilter list={list} />
            {stores.length > 1 && (
              <CodeFilter
                single
                list={list}
                field="store_id"
                label="门店"
                options={stores.map((s) => ({ value: s.id, label: s.name }))}
              />
            )}
            <GivenFilter list={list} field="id" label="编排" value={() => '指定的一个'} />
          </>
        }
        actions={
          <Granted needs="board:arrange">
            <button className="button primary" onClick={() => setOpened({ kind: 'edit', row: null })}>
              新建
            </button>
          </Granted>
        }
        actionsOf={(a) => {
          const body = { id: a.id, version: a.version }
          return granted([
            {
              needs: 'board:arrange',
              key: 'edit',
              label: '编排',
              open: () => setOpened({ kind: 'edit', row: a }),
            },
            {
              key: 'preview',
              label: '预览',
              open: () => void window.open(hrefOf('ExhibitionBoard', { id: a.id }), '_blank', 'noreferrer'),
            },
            {
              needs: 'board:arrange',
              key: 'send',
              label: '下发到屏幕',
              open: () => setOpened({ kind: 'send', row: a }),
            },
            {
              needs: 'board:arrange',
              key: 'undo',
              label: '恢复前一版',
              why: a.hasBefore ? undefined : '还没有前一版',
              confirm: `${a.name} 换回前一版，正在播它的 ${a.screens} 块屏幕马上跟着换`,
              run: () => call(arrangementsApi.undo, { body }),
            },
            {
              needs: 'board:arrange',
              key: 'delete',
              label: '删除',
              danger: true,
              confirm: `确定删除 ${a.name} 吗？正在播它的 ${a.screens} 块屏幕会改为显示门店名。`,
              run: () => call(arrangementsApi.del, { body }),
            },
            ...logLink('arrangement', a.id),
          ])
        }}
      />
      {opened?.kind === 'edit' && (
        <ArrangementDrawer row={opened.row} onClose={() => setOpened(null)} onDone={refresh} />
      )}
      {opened?.kind === 'send' && (
        <SendDrawer row={opened.row} onClose={() => setOpened(null)} onDone={refresh} />
      )}
    </>
  )
}
