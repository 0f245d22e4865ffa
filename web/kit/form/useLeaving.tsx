import { type ReactNode, useEffect, useState } from 'react'

import { lazyPart } from '../lazyPart.tsx'
const AskDialog = lazyPart(() => import('../AskDialog.tsx'))
const LEAVING = {
  key: 'leave',
  label: '离开',
  confirm: '填写的内容还没有保存，离开后就没有了。确定离开吗？',
}

/** Leaving with changes asks: the page by the browser, `leave` by a dialog. */
export function useLeaving(changed: boolean, go: () => void): { leave: () => void; dialog: ReactNode } {
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    if (!changed) return
    const ask = (e: BeforeUnloadEvent) => e.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [changed])
  const leaveNow = () => {
    setAsking(false)
    go()
  }
  return {
    leave: () => (changed ? setAsking(true) : go()),
    dialog: asking && (
      <AskDialog action={LEAVING} busy={false} onCancel={() => setAsking(false)} onOk={leaveNow} />
    ),
  }
}
