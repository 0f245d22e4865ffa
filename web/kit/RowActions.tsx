import { Dropdown, Input, Modal, Tooltip } from 'antd'
import { useState } from 'react'
import { ApiError } from './api.ts'
import { message } from './notices.ts'

export interface RowAction {
  key: string
  label: string
  /** The sentence why not now; the button stays and says it. */
  why?: string | undefined
  /** Asks for a reason first. */
  reason?: boolean
  confirm?: string
  /** Opens something that asks for more than a reason. */
  open?: () => void
  run?: (reason: string) => Promise<unknown>
}
const SHOWN = 3

/** A button per action, grey with the sentence when not now; at most three, then 更多. */
export function RowActions({ actions, onDone, shown = SHOWN }: { actions: RowAction[]; onDone: () => void; shown?: number }) {
  const [asking, setAsking] = useState<RowAction | null>(null)
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  async function run(action: RowAction, text: string) {
    setBusy(true)
    try {
      await action.run!(text)
      message.success(`已${action.label}`)
      setAsking(null)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 401) message.error((error as Error).message)
    } finally {
      setBusy(false)
      onDone()
    }
  }
  function start(action: RowAction) {
    if (action.why) return
    if (action.open) action.open()
    else if (action.reason || action.confirm) {
      setReason('')
      setAsking(action)
    } else if (!busy) void run(action, '')
  }
  // What can be done now comes first.
  const ordered = [...actions].sort((a, b) => Number(!!a.why) - Number(!!b.why))
  return (
    <span className="actions" onClick={(e) => e.stopPropagation()}>
      {ordered.slice(0, shown).map((a) => <Tooltip key={a.key} title={a.why}><button aria-disabled={!!a.why} onClick={() => start(a)}>{a.label}</button></Tooltip>)}
      {ordered.length > shown && (
        <Dropdown trigger={['click']} menu={{ items: ordered.slice(shown).map((a) => ({ key: a.key, label: a.why ? <Tooltip title={a.why} placement="left"><span>{a.label}</span></Tooltip> : a.label, disabled: !!a.why })), onClick: ({ key }) => start(actions.find((a) => a.key === key)!) }}><button>更多</button></Dropdown>
      )}
      {asking && (
        <Modal open title="系统提示" width="min(50%, 520px)" okText="确 定" cancelText="取 消" confirmLoading={busy} okButtonProps={{ disabled: asking.reason === true && reason.trim().length < 2 }} onCancel={() => setAsking(null)} onOk={() => void run(asking, reason.trim())}>
          <p>{asking.confirm ?? `${asking.label}：请写明原因`}</p>
          {asking.reason && <Input.TextArea autoFocus rows={3} maxLength={200} showCount value={reason} aria-label="原因" placeholder="至少 2 个字" onChange={(e) => setReason(e.target.value)} />}
        </Modal>
      )}
    </span>
  )
}
