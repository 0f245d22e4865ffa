import { sceneKind } from '@zhuguan/contract/features/screens/arrangements.record.ts'
import { screenActions } from '@zhuguan/contract/features/screens/screens.actions.ts'
import { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'
import { screenKind, type ScreenRow, screenState } from '@zhuguan/contract/features/screens/screens.record.ts'
import { type ReactNode, useEffect, useState } from 'react'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { CodeFilter, GivenFilter } from '../../kit/list/filters.tsx'
import { type ColumnOf, ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { State, type Tone } from '../../kit/State.tsx'
import { ago, full } from '../../kit/time.ts'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { useLogLink } from '../../parts/useLogLink.ts'
import { useStores } from './useBoardStores.ts'

const ReplaceDrawer = lazyPart(() => import('./ReplaceDrawer.tsx'))
const SendHereDrawer = lazyPart(() => import('./SendHereDrawer.tsx'))
const REFRESH_MS = 5_000
const TONES: Record<ScreenRow['state'], Tone> = { paired: 'ok', silent: 'bad', revoked: 'grey' }

/** In words what it says that it paints. */
function paintedBy(s: ScreenRow): string {
  if (s.saidAt === null) return '还没有报告'
  if (s.scene === 'house') return '门店名'
  if (s.scene === 'dim') return '已调暗'
  const place = Number.parseInt(s.item, 10)
  return `${sceneKind.label(s.scene)}${Number.isNaN(place) ? '' : `（第 ${place + 1} 个）`}`
}
const MINUTE = 60
const columns: ColumnOf<typeof screensApi.list>[] = [
  { key: 'name', title: '名称', fixed: true, sort: 'name', render: (s) => s.name },
  { key: 'store', title: '门店', render: (s) => s.storeName },
  { key: 'bc', title: '分公司', render: (s) => s.bc_name },
  { key: 'kind', title: '类型', render: (s) => screenKind.label(s.kind) },
  {
    key: 'state',
    title: '状态',
    render: (s) => (
      <span title={s.why || (s.movedAt ? `最后一次有新画面 ${full(s.movedAt)}` : '')}>
        <State tone={TONES[s.state]}>{screenState.label(s.state)}</State>
      </span>
    ),
  },
  { key: 'arrangement', title: '编排', render: (s) => s.arrangementName ?? '门店名' },
  {
    key: 'paints',
    title: '正在播',
    render: (s) => (
      <span title={`第 ${s.frames} 帧，画面 ${s.age} 秒前取得`}>
        {paintedBy(s)}
        {s.age > MINUTE && `，画面停了 ${Math.floor(s.age / MINUTE)} 分钟`}
      </span>
    ),
  },
  {
    key: 'scanned',
    title: '扫码打开',
    render: (s) =>
      s.scanned > 0 ? (
        <LinkTo page="ShareList" query={{ screen_id: s.id }}>
          {s.scanned} 次
        </LinkTo>
      ) : (
        '--'
      ),
  },
  { key: 'size', title: '尺寸', render: (s) => `${s.width}×${s.height}` },
  { key: 'said', title: '最后报告', sort: 'saidAt', render: (s) => ago(s.saidAt) },
  { key: 'bundle', title: '程序版本', wide: true, render: (s) => s.bundle || '--' },
  { key: 'paired', title: '配对', wide: true, render: (s) => `${full(s.pairedAt)} ${s.pairedBy}` },
]

/** The walls: what each really paints, by its own word. */
export function Screens({ mark, pair, views }: { views: ReactNode; pair: ReactNode; mark: number }) {
  const list = useList(screensApi.list)
  const stores = useStores()
  const actor = useActor()
  const logLink = useLogLink()
  const [opened, setOpened] = useState<{ kind: 'replace' | 'send'; row: ScreenRow } | null>(null)
  const refresh = () => void list.refresh()
  useEffect(() => {
    if (mark) refresh()
    const timer = setInterval(() => document.hidden || refresh(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [mark])
  return (
    <>
      <ListPage
        name="屏幕"
        list={list}
        columns={columns}
        empty="还没有配对的屏幕。在大屏的浏览器里打开 /#/Preview?screen，再用手机扫上面的码。"
        filters={
          <>
            {views}
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
            <CodeFilter list={list} field="kind" label="类型" options={screenKind.options} />
            <CodeFilter list={list} field="state" label="状态" options={screenState.options} />
            <GivenFilter list={list} field="arrangement_id" label="编排" value={() => '指定的一个'} />
          </>
        }
        actions={pair}
        actionsOf={(s) => [
          ...actionsOf(screenActions, s, actor, {
            send: { open: () => setOpened({ kind: 'send', row: s }) },
            replace: { open: () => setOpened({ kind: 'replace', row: s }) },
            revoke: {
              confirm: `收回 ${s.name}：几秒内屏幕只显示已经收回，之后只能重新配对`,
              run: (reason) => call(screensApi.revoke, { body: { id: s.id, version: s.version, reason } }),
            },
          }),
          ...logLink('screen', s.id),
        ]}
      />
      {opened?.kind === 'replace' && (
        <ReplaceDrawer row={opened.row} onClose={() => setOpened(null)} onDone={refresh} />
      )}
      {opened?.kind === 'send' && (
        <SendHereDrawer row={opened.row} onClose={() => setOpened(null)} onDone={refresh} />
      )}
    </>
  )
}
