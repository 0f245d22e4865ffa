import { type ReactNode, useEffect, useRef, useState } from 'react'

import { lazyPart } from '../lazyPart.tsx'
import { usePage } from '../page.tsx'
import { holdUnsaved, releaseUnsaved } from './unsaved.ts'

const AskDialog = lazyPart(() => import('../AskDialog.tsx'))
const LEAVING = {
  key: 'leave',
  label: '离开',
  safe: true,
  confirm: '填写的内容还没有保存，离开后就没有了。确定离开吗？',
}

/** Leaving with changes asks: the page by the browser, its tab by the row of tabs, `leave` by a dialog. */
export function useLeaving(changed: boolean, go: () => void): { leave: () => void; dialog: ReactNode } {
  const [asking, setAsking] = useState(false)
  const form = useRef({}).current
  const { tab = '' } = usePage()
  useEffect(() => {
    if (!changed) return
    holdUnsaved(form, tab)
    return () => releaseUnsaved(form, tab)
  }, [changed, tab])
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
