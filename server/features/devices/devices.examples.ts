import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'

import { type Example, examplesOf, type Records } from '../../testing/example.ts'

const filters = (r: Records) => ({ bc_id: [r.bc_id], site_id: r.site, ids: [r.device] })

export const devicesExamples = examplesOf(devicesApi, (r) => ({
  list: { query: filters(r) },
  export: { query: filters(r) },
  history: { query: { id: r.device } },
  spares: { query: { site_id: r.site } },
  bind: { body: { id: r.device, version: 0, site_id: r.site } },
  details: { query: { id: r.device } },
  change: { body: { id: r.device, version: 0, action: 'unbind' as const } },
}))
export const deviceStockExamples = examplesOf(deviceStockApi, (r) => {
  const one = { id: r.device, version: 0 }
  const bind = { action: 'bind', sn: r.spare } as const
  const replace = { action: 'replace', sn: r.sn, with: r.spare } as const
  const answers: Example['answers'] = { sn: 400, with: 400 }
  const log = { device_id: r.device, site_id: r.site }
  return {
    list: { query: filters(r) },
    totals: { query: { bc_id: [r.bc_id] } },
    bindlog: { query: log },
    bindlogExport: { query: log },
    stock: { body: { type: 'camera', model: 'X', bc_id: r.bc_id, sns: ['STRANGE-1'] } },
    distribution: { body: { ids: [r.device], bc_id: r.bc_id } },
    scrap: { body: { ids: [r.device], remark: '试试' } },
    bindaction: [
      { body: { ...bind, site_id: r.site }, answers: { sn: 400 } },
      { body: replace, answers },
    ],
    deldevice: { body: { ...one, remark: '试试' } },
    updatedevice: { body: { ...one, model: 'X' } },
    secret: { body: one },
  }
})
