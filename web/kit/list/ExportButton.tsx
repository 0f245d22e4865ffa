import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { useRef, useState } from 'react'
import { callForBytes } from '../api.ts'
import { message } from '../notices.ts'
import { dayOf, nowSeconds } from '../time.ts'

/** The filtered rows as a workbook; a second click while it comes gives up. */
export function ExportButton({ endpoint, filters, name }: { endpoint: Endpoint; filters: Record<string, string>; name: string }) {
  const [busy, setBusy] = useState(false)
  const stop = useRef<AbortController>(null)
  async function run() {
    if (busy) return stop.current?.abort()
    stop.current = new AbortController()
    setBusy(true)
    try {
      const blob = await callForBytes(endpoint, { query: filters }, stop.current.signal)
      const a = document.createElement('a')
      a.href = URL.createObjectURL(blob)
      a.download = `${name} ${dayOf(nowSeconds())}.xlsx`
      a.click()
      setTimeout(() => URL.revokeObjectURL(a.href), 10_000)
    } catch (error) {
      if (!stop.current.signal.aborted) message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return <button className="button" onClick={() => void run()}>{busy ? '取消导出' : '导出'}</button>
}
