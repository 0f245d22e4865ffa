import { Button, Drawer } from 'antd'
import { type ReactNode, useState } from 'react'
import { ApiError } from './api.ts'
import { message } from './notices.ts'

/** One column, one primary button at the bottom right; errors stand under their field. `children` gets the errors by field. */
export function AskDrawer({ title, ready, send, done, onClose, onDone, children }: { title: string; ready: boolean; send: () => Promise<unknown>; done: string; onClose: () => void; onDone: () => void; children: (errors: Record<string, string>) => ReactNode }) {
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  async function ok() {
    setBusy(true)
    setErrors({})
    try {
      await send()
      message.success(done)
      onDone()
      onClose()
    } catch (error) {
      if (error instanceof ApiError && Object.keys(error.fields).length) setErrors(error.fields)
      else message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Drawer open title={title} size={420} onClose={onClose} footer={<div className="drawer-foot"><Button onClick={onClose}>取 消</Button><Button type="primary" disabled={!ready} loading={busy} onClick={() => void ok()}>确 定</Button></div>}>
      {children(errors)}
    </Drawer>
  )
}
export const Field = ({ label, error, children }: { label: string; error?: string | undefined; children: ReactNode }) => (
  <label className="field"><span>{label}</span>{children}{error && <em role="alert">{error}</em>}</label>
)
