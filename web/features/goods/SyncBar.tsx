import { LinkTo } from '../../kit/LinkTo.tsx'
import type { SheetDraft } from './sheetDraft.ts'
import type { SheetDrafts } from './useSheetDrafts.ts'

function standing({ fault, before, sending }: SheetDraft): string {
  if (sending) return '等待发送'
  if (fault) return '没有发出去'
  return before ? '验收单已变化，请核对' : '草稿未发送'
}

/** What of the sheets stands in this browser alone, and what has just left it. */
export function SyncBar({ hand, onOpen }: { hand: SheetDrafts; onOpen: (id: string) => void }) {
  const { drafts, online, sent } = hand
  if (drafts.length === 0 && !sent) return null
  return (
    <div className="sync-bar" role="status">
      {!online && <b className="offline">没有网络，验收可以继续，联网后自动发送</b>}
      {sent && (
        <span className="sent">
          ✓ 已发送 {sent.sheetCode}
          {sent.changes.map((c) => (
            <LinkTo key={c.id} page="ChangeGoods" query={{ id: c.id }}>
              {c.code}
            </LinkTo>
          ))}
          <button className="icon-button" aria-label="知道了" onClick={hand.seen}>
            ×
          </button>
        </span>
      )}
      {drafts.map((d) => (
        <button key={d.id} className="unsent" onClick={() => onOpen(d.id)}>
          <b>{standing(d)}</b> {d.sheet.sheetCode} {d.sheet.ws_name}
        </button>
      ))}
    </div>
  )
}
