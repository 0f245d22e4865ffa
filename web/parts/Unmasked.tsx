import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { type ReactNode, useState } from 'react'

import { lazyPart } from '../kit/lazyPart.tsx'
import { message } from '../kit/notices.ts'
import { useActor } from './session.ts'

const AskDialog = lazyPart(() => import('../kit/AskDialog.tsx'))

/** A number with its middle hidden; it is shown for a reason, and the look is logged. */
export function Unmasked({
  id,
  number,
  what,
  whose,
  needs,
  look,
  children = (text) => text,
}: {
  id: string
  number: string
  what: string
  whose: string
  /** The permission to see it whole. */
  needs: string
  look: (reason: string) => Promise<string>
  /** The look of the whole number. */
  children?: (whole: string) => ReactNode
}) {
  const actor = useActor()
  const [shown, setShown] = useState<{ id: string; number: string } | null>(null)
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const text = shown?.id === id ? shown.number : number
  async function ask(reason: string) {
    setBusy(true)
    try {
      setShown({ id, number: await look(reason) })
      setAsking(false)
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  if (!text) return <>--</>
  const isHidden = text.includes('*')
  return (
    <span className="num" onClick={(e) => e.stopPropagation()}>
      {isHidden ? text : children(text)}
      {isHidden && hasPermission(actor, needs) && (
        <>
          {' '}
          <button
            className="text-button"
            aria-label={`查看 ${whose} 的完整${what}`}
            onClick={() => setAsking(true)}
          >
            查看
          </button>
        </>
      )}
      {asking && (
        <AskDialog
          action={{
            key: 'look',
            label: `查看完整${what}`,
            reason: true,
            confirm: `查看 ${whose} 的完整${what}会记入操作日志。请写明原因`,
          }}
          busy={busy}
          onCancel={() => setAsking(false)}
          onOk={(reason) => void ask(reason)}
        />
      )}
    </span>
  )
}
