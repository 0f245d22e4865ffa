import { useQuery } from '@tanstack/react-query'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { linkKind } from '@zhuguan/contract/features/links/links.record.ts'
import type { ShareRow } from '@zhuguan/contract/features/shares/shares.record.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { Openings } from '../../parts/sharing/Openings.tsx'
import { ShareLink } from '../../parts/sharing/ShareLink.tsx'

/** The link once more, to scan from this screen; the log says who had it. */
function Code({ row: l }: { row: ShareRow }) {
  const { data, error, refetch } = useQuery({
    queryKey: [linksApi.copy.path, l.id],
    staleTime: Infinity,
    gcTime: 0,
    queryFn: () => call(linksApi.copy, { body: { id: l.id } }),
  })
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <p aria-busy="true" />
  const { hasPassword, kind } = l
  return <ShareLink given={{ ...data, kind, person: l.customerName, password: '', hasPassword }} />
}

/** One link: to whom, until when, and every opening as it happens. */
export default function SharePanel({
  row: l,
  code,
  actions,
  onDone,
  onClose,
}: {
  row: ShareRow
  /** It is opened to be scanned. */
  code: boolean
  actions: RowAction[]
  onDone: () => void
  onClose: () => void
}) {
  return (
    <Drawer
      open
      title={l.title}
      size="min(720px, 100vw)"
      onClose={onClose}
      extra={<LogLink object="link" id={l.id} />}
      footer={actions.length > 0 && <RowActions bar actions={actions} onDone={onDone} />}
    >
      {code && <Code row={l} />}
      <Facts>
        <Fact name="对象">{linkKind.label(l.kind)}</Fact>
        <Fact name="客户">{l.customerName || '--'}</Fact>
        <Fact name="创建人">{l.makerName}</Fact>
        <Fact name="创建时间">{full(l.madeAt)}</Fact>
        <Fact name="有效期至">{full(l.expiresAt)}</Fact>
        <Fact name="次数上限">{l.most ?? '不限'}</Fact>
        <Fact name="密码">{l.hasPassword ? '有' : '没有'}</Fact>
      </Facts>
      <h3 className="share-heading">浏览记录</h3>
      {l.told > l.openings && (
        <p className="quiet">
          另有 {l.told - l.openings} 次只取了内容、没有显示出来（多半是聊天软件预先读取），不算打开
          {l.most !== null && '，但占用次数上限'}。
        </p>
      )}
      <Openings id={l.id} />
    </Drawer>
  )
}
