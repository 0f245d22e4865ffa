import { Button, Drawer } from 'antd'
import { lazy, type ReactNode, type SyntheticEvent, Suspense, useEffect, useRef, useState } from 'react'

import { ApiError } from './api.ts'
import { message } from './notices.ts'

const AskDialog = lazy(() => import('./AskDialog.tsx'))
/** Choices that are no input of the browser's: their events still come through the portal they are drawn in. */
const CHOICE = '.ant-select-item-option, .ant-select-clear, .ant-picker-cell, .ant-switch, .ant-tree-checkbox'

/** One column, one primary button at the bottom right; errors stand under their field; leaving with changes asks. `children` gets the errors by field. */
export function AskDrawer({
  title,
  ready,
  send,
  done,
  overtaken,
  onClose,
  onDone,
  size = 420,
  children,
}: {
  title: string
  ready: boolean
  send: () => Promise<unknown>
  done: string
  /**
   * Somebody else was faster: reads what they made of the fields that differ now. It stands under each field, what was
   * typed stays, and whoever confirms once more has seen both.
   */
  overtaken?: () => Promise<Record<string, string>>
  onClose: () => void
  onDone: () => void
  size?: number | string
  children: (errors: Record<string, string>) => ReactNode
}) {
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [touched, setTouched] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  // What was refused may stand below the fold: its field comes into view and has the keyboard.
  useEffect(() => {
    const bad = fields.current?.querySelector('.field:has(em)')
    bad?.scrollIntoView({ block: 'center' })
    bad?.querySelector<HTMLElement>('input, textarea, [tabindex]')?.focus()
  }, [errors])
  const touch = () => setTouched(true)
  const leave = () => (touched && !busy ? setLeaving(true) : onClose())
  useEffect(() => {
    if (!touched) return
    const ask = (e: BeforeUnloadEvent) => e.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [touched])
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
      else if (overtaken && error instanceof ApiError && error.overtaken) {
        const theirs = Object.entries(await overtaken())
        setErrors(
          Object.fromEntries(theirs.map(([field, text]) => [field, `别人刚改成：${text || '（空）'}`])),
        )
        // A refusal for another reason leaves nothing that differs.
        if (theirs.length === 0) message.error(error.message)
        else message.info(`${error.message}。已标出别人改的内容，您填的都还在；再点确定就以您填的为准`)
      } else message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Drawer
      open
      title={title}
      size={size}
      onClose={leave}
      footer={
        <div className="drawer-foot">
          <Button onClick={leave}>取 消</Button>
          <Button type="primary" disabled={!ready} loading={busy} onClick={() => void ok()}>
            确 定
          </Button>
        </div>
      }
    >
      <div
        ref={fields}
        onInput={touch}
        onChange={touch}
        onClick={(e: SyntheticEvent) => (e.target as HTMLElement).closest(CHOICE) && touch()}
      >
        {children(errors)}
      </div>
      {leaving && (
        <Suspense fallback={null}>
          <AskDialog
            action={{
              key: 'leave',
              label: '离开',
              confirm: '填写的内容还没有保存，离开后就没有了。确定离开吗？',
            }}
            busy={false}
            onCancel={() => setLeaving(false)}
            onOk={onClose}
          />
        </Suspense>
      )}
    </Drawer>
  )
}
export const Field = ({
  label,
  error,
  children,
}: {
  label: string
  error?: string | undefined
  children: ReactNode
}) => (
  <label className="field">
    <span>{label}</span>
    {children}
    {error && <em role="alert">{error}</em>}
  </label>
)
