import { spanCause } from '@zhuguan/contract/features/devices/devices.record.ts'
import { videoApi } from '@zhuguan/contract/features/video/video.api.ts'
import { endOf } from '@zhuguan/contract/features/video/video.record.ts'

import { serve } from '../../kit/serve.ts'
import { Where } from '../../kit/statement.ts'
import { sendWorkbook, timeColumn } from '../exports/exports.service.ts'
import { siteOnline } from './online.queries.ts'

export const videoFeature = serve(videoApi, {
  online: ({ query }, call) => siteOnline(call, query),
  async outagesExport({ query }, call) {
    const { outages } = await siteOnline(call, query)
    const rows = outages.map((o, place) => ({
      ...o,
      place,
      cause: spanCause.label(o.cause),
      end: endOf(o.endedBy),
    }))
    const where = new Where()
    where.values.push(JSON.stringify(rows))
    await sendWorkbook(call, '摄像头离线记录', {
      from: `json_to_recordset($1::json) AS o(place int, sn text, cause text, "from" float8, "to" float8,
          minutes int, "end" text)`,
      where,
      order: 'o.place',
      columns: [
        ['摄像头', 'o.sn'],
        ['原因', 'o.cause'],
        timeColumn('开始', 'to_timestamp(o."from")'),
        timeColumn('结束', 'to_timestamp(o."to")'),
        ['时长(分钟)', 'o.minutes', 'number'],
        ['怎样结束', 'o."end"'],
      ],
    })
  },
})
