import { useQuery } from '@tanstack/react-query'
import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'

import { call } from '../../kit/api.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useParam } from '../../kit/page.tsx'
import { dayOf, full, lasting, nowSeconds } from '../../kit/time.ts'

/** A camera's recorded day. */
export default function VideoRecordPage() {
  const device = useParam('device_id')
  const day = dayOf(Number(useParam('at')) || nowSeconds())
  const { data, error, refetch } = useQuery({
    queryKey: [recordingsApi.day.path, device, day],
    enabled: !!device,
    queryFn: ({ signal }) => call(recordingsApi.day, { body: { device_id: device!, day } }, signal),
  })
  return (
    <div className="page">
      <h1>录像回放</h1>
      {!device && <p>请从设备、报警或工地页面打开一台摄像头的录像。</p>}
      {error && <Failed error={error} again={refetch} />}
      {data && (
        <p>
          {data.deviceSn} {day} 共录像 {lasting(data.seconds)}
        </p>
      )}
      <ul>
        {data?.spans.map((s) => (
          <li key={s.from}>
            {full(s.from)} – {full(s.to)}
          </li>
        ))}
      </ul>
    </div>
  )
}
