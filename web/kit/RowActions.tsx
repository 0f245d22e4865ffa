import { useState } from 'react'

import { ApiError } from './api.ts'
import { Opener } from './Floating.tsx'
import { lazyPart } from './lazyPart.tsx'
import { MenuList } from './MenuList.tsx'
import { message } from './notices.ts'
import { whoWas } from './overtaken.ts'

export interface RowAction {
  key: string
  label: string
  /** The sentence why not now; the button stays and says it. */
  why?: string | undefined
  /** Asks for a reason first. */
  reason?: boolean
  /** Something may be said with it, or nothing. */
  note?: boolean
  confirm?: string
  /** It cannot be taken back. */
  danger?: boolean
  /** What would be lost is worth more: the way back has the keyboard. */
  safe?: boolean
  /** Opens something that asks for more than a reason. */
  open?: () => void
  run?: (reason: string) => Promise<unknown>
}
const SHOWN = 3
/** Somebody was faster: who it was; what they made of it is fetched anyway. */
export const refusalIn = (error: Error): string =>
  error instanceof ApiError && error.overtaken
    ? `${whoWas(error.overtaken)}，已换成最新的内容`
    : error.message
const AskDialog = lazyPart(() => import('./AskDialog.tsx'))
const TiesDialog = lazyPart(() => import('./TiesDialog.tsx'))

/**
 * A button per action in the order they come, grey with the sentence when not now; at most three, then 更多. As a bar the
 * first that can be done is the primary one, and where none can the first sentence is written out.
 */
export function RowActions({
  actions,
  onDone,
  shown = SHOWN,
  bar = false,
}: {
  actions: RowAction[]
  onDone: () => void
  shown?: number
  bar?: boolean
}) {
  const [asking, setAsking] = useState<RowAction | null>(null)
  const [busy, setBusy] = useState(false)
  const [tied, setTied] = useState<ApiError | null>(null)
  async function run(action: RowAction, reason: string) {
    setBusy(true)
    try {
      await action.run!(reason)
      message.success(`已${action.label}`)
      setAsking(null)
    } catch (error) {
      if (error instanceof ApiError && error.links.length) {
        setAsking(null)
        setTied(error)
      } else if (!(error instanceof ApiError) || error.code !== 401) message.error(refusalIn(error as Error))
    } finally {
      setBusy(false)
      onDone()
    }
  }
  function start(action: RowAction) {
    if (action.why) message.info(action.why)
    else if (action.open) action.open()
    else if (action.reason || action.note || action.confirm) setAsking(action)
    else if (!busy) void run(action, '')
  }
  const next = bar ? actions.find((a) => !a.why) : undefined
  // What is wanted next is never behind 更多; the others keep their order.
  const ordered = next ? [next, ...actions.filter((a) => a !== next)] : actions
  const look = (a?: RowAction) => (bar ? `button${a && a === next ? ' primary' : ''}` : undefined)
  return (
    <span className={bar ? 'actions bar' : 'actions'} onClick={(e) => e.stopPropagation()}>
      {ordered.slice(0, shown).map((a) => (
        <button
          key={a.key}
          className={look(a)}
          title={a.why}
          aria-disabled={!!a.why}
          disabled={busy && bar}
          onClick={() => start(a)}
        >
          {a.label}
        </button>
      ))}
      {ordered.length > shown && (
        <Opener
          align="end"
          button={
            <button className={look()} aria-haspopup="menu">
              更多
            </button>
          }
        >
          {(close) => (
            <MenuList
              entries={ordered.slice(shown)}
              onPick={(key) => {
                close()
                start(actions.find((a) => a.key === key)!)
              }}
            />
          )}
        </Opener>
      )}
      {bar && !next && actions[0]?.why && <small>{actions[0].why}</small>}
      {asking && (
        <AskDialog
          action={asking}
          busy={busy}
          onCancel={() => setAsking(null)}
          onOk={(reason) => void run(asking, reason)}
        />
      )}
      {tied && <TiesDialog error={tied} onClose={() => setTied(null)} />}
    </span>
  )
}
