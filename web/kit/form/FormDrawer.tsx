import { Button, Drawer } from 'antd'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

import { message, type Notice } from '../notices.ts'
import type { Form } from './useForm.ts'
import { useLeaving } from './useLeaving.tsx'

import './form.css'

const NARROW = 'min(420px, 100vw)'
const USUAL = 'min(640px, 100vw)'
const CONTROL = 'input:not([type=hidden]):not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/** What opens and closes a drawer from outside. */
export interface DrawerProps {
  onClose: () => void
  onDone: () => void
}
interface Said {
  text: string
  action?: Notice['action']
}

/**
 * A form of one call: one column, one primary button at the bottom right, errors under their fields, the first one with
 * the keyboard in it. Ctrl/⌘+Enter sends, Esc leaves, leaving with changes asks.
 */
export function FormDrawer<B, D>({
  form,
  title,
  done,
  may = true,
  danger = false,
  ok = '确定',
  back = '取消',
  size,
  narrow,
  onClose,
  onDone,
  children,
}: {
  form: Form<B, D>
  title: string
  /** What is said when it is done; nothing where the page says it itself. */
  done: string | ((data: D) => Said | undefined)
  /** False while something outside the fields forbids to send. */
  may?: boolean
  /** It cannot be taken back. */
  danger?: boolean
  ok?: string
  /** The other word where 取 消 could be taken for the command itself. */
  back?: string
  size?: string
  /** For one or two fields. */
  narrow?: boolean
  onClose: () => void
  /** The drawer stays, busy, until what this promises is there. */
  onDone: (data: D) => void | Promise<void>
  children: ReactNode
}) {
  const { leave, dialog } = useLeaving(form.touched && !form.busy, onClose)
  const fields = useRef<HTMLDivElement>(null)
  // What was refused may stand below the fold: its field comes into view and has the keyboard.
  useEffect(() => {
    const faults = Object.entries(form.faults)
    if (faults.length === 0) return
    const drawn = [...(fields.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
    const bad = drawn.find((el) => el.dataset.field! in form.faults)
    bad?.scrollIntoView({ block: 'center' })
    bad?.querySelector<HTMLElement>(CONTROL)?.focus()
    const elsewhere = faults.filter(([path]) => !drawn.some((el) => el.dataset.field === path))
    if (elsewhere.length) message.error(elsewhere.map(([, text]) => text).join('；'))
  }, [form.faults])
  // The drawer takes the keyboard while it opens; then, and when what it waits for is there, the first field has it.
  const begin = () => {
    const box = fields.current
    if (box && !box.contains(document.activeElement))
      box.querySelector<HTMLElement>(CONTROL)?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (!form.waiting) begin()
  }, [form.waiting])
  const send = () =>
    void form.submit(async (data) => {
      const said = typeof done === 'string' ? { text: done } : done(data)
      if (said) message.success(said.text, said.action)
      const later = onDone(data)
      if (later) await later
      onClose()
    })
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== 'Enter' || !(e.ctrlKey || e.metaKey) || !may) return
    e.preventDefault()
    send()
  }
  return (
    <Drawer
      open
      title={title}
      size={size ?? (narrow ? NARROW : USUAL)}
      onClose={leave}
      afterOpenChange={(isOpen) => isOpen && begin()}
      footer={
        <div className="drawer-foot">
          <span className="quiet grow">Ctrl + Enter 也可以提交</span>
          <Button onClick={leave}>{back}</Button>
          <Button
            type="primary"
            danger={danger}
            disabled={!may || form.waiting}
            loading={form.busy}
            onClick={send}
          >
            {ok}
          </Button>
        </div>
      }
    >
      <div ref={fields} className="form" aria-busy={form.waiting} onKeyDown={onKeyDown}>
        {form.failure ? (
          <div className="empty" role="alert">
            <p>没有读到现在的内容：{form.failure.message}</p>
            <Button onClick={form.again}>重试</Button>
          </div>
        ) : (
          children
        )}
      </div>
      {dialog}
    </Drawer>
  )
}
