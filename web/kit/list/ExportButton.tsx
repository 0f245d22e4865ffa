import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { useEffect, useRef, useState } from 'react'

import { callForBytes } from '../api.ts'
import { message } from '../notices.ts'
import { saveAs } from '../save.ts'
import { dayOf, nowSeconds } from '../time.ts'

export const bytesText = (n: number): string =>
  n < 1024 * 1024 ? `${Math.max(1, Math.round(n / 1024))} KB` : `${(n / 1024 / 1024).toFixed(1)} MB`

/** The filtered rows as a workbook: what has come is shown while it comes, 取消 stops the server too. */
export function ExportButton({
  endpoint,
  filters,
  name,
  total,
}: {
  endpoint: Endpoint
  filters: Readonly<Record<string, unknown>>
  name: string
  /** Rows to expect. */ total?: number
}) {
  const [bytes, setBytes] = useState<number | null>(null)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  async function run() {
    const { signal } = (stop.current = new AbortController())
    setBytes(0)
    try {
      const blob = await callForBytes(endpoint, { query: filters }, signal, setBytes)
      saveAs(blob, `${name} ${dayOf(nowSeconds())}.xlsx`)
      message.success(`已导出${total === undefined ? '' : ` ${total} 条，`}${bytesText(blob.size)}`)
    } catch (error) {
      if (signal.aborted) message.info('已取消导出')
      else message.error((error as Error).message)
    } finally {
      setBytes(null)
    }
  }
  if (bytes === null)
    return (
      <button
        className="button"
        disabled={total === 0}
        title={total === 0 ? '没有可导出的记录' : undefined}
        onClick={() => void run()}
      >
        导出
      </button>
    )
  return (
    <span className="exporting" role="status">
      <span>
        {total === undefined ? '' : `${total} 条，`}
        {bytes ? `已收 ${bytesText(bytes)}` : '正在准备…'}
      </span>
      <button className="text-button" onClick={() => stop.current?.abort()}>
        取消
      </button>
    </span>
  )
}
