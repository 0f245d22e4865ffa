import { finding, type SheetDetail } from '@zhuguan/contract/features/goods/goods.record.ts'

import { clock } from '../../kit/time.ts'
import { photosOf } from './sheetDraft.ts'
import type { SheetDrafts } from './useSheetDrafts.ts'

/** The progress of the judging, its place, and the way to hand it in. */
export function JudgeFoot({
  sheet,
  hand,
  may,
  onSubmit,
}: {
  sheet: SheetDetail
  hand: SheetDrafts
  may: boolean
  onSubmit: () => void
}) {
  const draft = hand.of(sheet.id)
  const findings = Object.values((draft ?? hand.start(sheet)).findings).flat()
  const bad = findings.filter((f) => f.result !== finding.code.accepted).length
  const unsent = draft ? photosOf(draft).filter((p) => p.key === null).length : 0
  return (
    <div className="judge-foot">
      <span className="judge-sync" role="status">
        {!hand.online && <b className="offline">没有网络</b>}
        {draft ? (
          <>
            <b className="unsent">{draft.sending ? '等待发送' : '未发送'}</b>
            <small className="quiet">
              {unsent > 0 && `${unsent} 张照片未上传，`}草稿存在这台设备上（{clock(draft.savedAt)}）
            </small>
          </>
        ) : (
          <small className="quiet">
            {findings.length} 条结论，{bad} 条不合格
          </small>
        )}
      </span>
      {draft && !draft.sending && (
        <button className="button" onClick={() => void hand.drop(sheet.id)}>
          放弃草稿
        </button>
      )}
      {draft?.sending && draft.sending.body === null && (
        <button className="button" onClick={() => void hand.takeBack(sheet.id)}>
          继续修改
        </button>
      )}
      {may && !draft?.sending && (
        <button className="button primary big" disabled={findings.length === 0} onClick={onSubmit}>
          {bad > 0 ? `提交（${bad} 条不合格）` : '提交，全部合格'}
        </button>
      )}
    </div>
  )
}
