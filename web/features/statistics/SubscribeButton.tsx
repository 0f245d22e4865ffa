import { SUBSCRIPTION } from '@zhuguan/contract/features/statistics/daily-sheet.record.ts'

import { useKeep, useKept } from '../../kit/kept.ts'
import { message } from '../../kit/notices.ts'

/** A notice at eight every morning that yesterday's report is there. */
export function SubscribeButton() {
  const keep = useKeep()
  const data = useKept(SUBSCRIPTION)
  if (data === undefined) return null
  const on = data?.on === true
  async function turn() {
    try {
      await keep(SUBSCRIPTION, { on: !on })
      message.success(on ? '已取消订阅' : '已订阅，每天 8:00 通知您看昨日日报')
    } catch (error) {
      message.error((error as Error).message)
    }
  }
  return (
    <button
      className="button"
      aria-pressed={on}
      title="每天 8:00 通知您昨日日报已出"
      onClick={() => void turn()}
    >
      {on ? '已订阅' : '订阅'}
    </button>
  )
}
