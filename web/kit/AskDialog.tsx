import { Input, Modal } from 'antd'
import { useState } from 'react'

import type { RowAction } from './RowActions.tsx'

const LEAST = 2

/** The spec's generic dialog: names the thing, asks the reason where one is due. */
export default function AskDialog({
  action,
  busy,
  onCancel,
  onOk,
}: {
  action: RowAction
  busy: boolean
  onCancel: () => void
  onOk: (reason: string) => void
}) {
  const [reason, setReason] = useState('')
  const asksWords = action.reason || action.note
  const isShort = action.reason === true && reason.trim().length < LEAST
  const done = () => onOk(reason.trim())
  return (
    <Modal
      open
      title="系统提示"
      width="min(50%, 520px)"
      okText="确定"
      cancelText="取消"
      confirmLoading={busy}
      okButtonProps={{
        danger: action.danger ?? false,
        disabled: isShort,
        // Enter that is still held confirms nothing dangerous.
        autoFocus: !action.safe && !action.danger && !asksWords,
      }}
      cancelButtonProps={{ autoFocus: action.safe ?? false }}
      onCancel={onCancel}
      onOk={done}
    >
      <p>{action.confirm ?? `${action.label}：请写明原因`}</p>
      {asksWords && (
        <Input.TextArea
          autoFocus
          className="ask-words"
          rows={3}
          maxLength={200}
          showCount
          value={reason}
          aria-label={action.reason ? '原因' : '意见'}
          placeholder={action.reason ? '至少 2 个字' : '可以不填'}
          onChange={(e) => setReason(e.target.value)}
          onKeyDown={(e) => {
            if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && !isShort && !busy) done()
          }}
        />
      )}
    </Modal>
  )
}
