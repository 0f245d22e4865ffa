import { SUBSCRIPTION } from '@zhuguan/contract/features/statistics/daily-sheet.record.ts'
import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../kit/api.ts'
import { message } from '../../kit/notices.ts'

/** A notice at eight every morning that yesterday's report is there. */
export function SubscribeButton() {
  const client = useQueryClient()
  const queryKey = [viewsApi.get.path, SUBSCRIPTION]
  const { data } = useQuery({ queryKey, staleTime: Infinity, queryFn: ({ signal }) => call(viewsApi.get, { query: { name: SUBSCRIPTION } }, signal) })
  if (data === undefined) return null
  const on = data?.on === true
  async function turn() {
    try {
      await call(viewsApi.save, { body: { name: SUBSCRIPTION, value: { on: !on } } })
      client.setQueryData(queryKey, { on: !on })
      message.success(on ? '已取消订阅' : '已订阅，每天 8:00 通知您看昨日日报')
    } catch (error) {
      message.error((error as Error).message)
    }
  }
  return <button className="button" aria-pressed={on} title="每天 8:00 通知您昨日日报已出" onClick={() => void turn()}>{on ? '已订阅' : '订阅'}</button>
}
