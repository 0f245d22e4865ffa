import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import { deviceStockImport } from '@zhuguan/contract/features/devices/device-stock.import.ts'
import { deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import { Refused } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import { asErrors, type CellError, type Checked, type Importer } from '../imports/imports.service.ts'
import { branchesOf, codeOf, issuesOf, NO_BRANCH } from '../imports/reading.service.ts'
import { stockDevices } from './device-stock.service.ts'

type Stock = BodyOf<(typeof deviceStockApi)['stock']>
/** Each device gets a secret, a span and a line in its history. */
const STEP = 200
const STOCKED = '序列号已经在库'

export const deviceStockImporter = (secretKey: Buffer): Importer<Stock> => ({
  def: deviceStockImport,
  step: STEP,
  keys: (c) => (c.sn ? [{ column: 'sn', key: c.sn }] : []),
  async check(tx, call, rows) {
    const { scope } = call.user
    const branches = await branchesOf(tx, scope)
    const known = new Set(
      (
        await tx.query(
          'stock.known',
          row({ sn: text }),
          'SELECT sn FROM devices WHERE tenant_id = $1 AND sn = ANY ($2) AND deleted_at IS NULL',
          [scope.tenant, rows.map((r) => r.sn)],
        )
      ).rows.map((r) => r.sn),
    )
    return rows.map((r): Checked<Stock> => {
      const errors: CellError[] = []
      const bc = branches.get(r.bc_id!)
      if (r.bc_id && !bc) errors.push({ column: 'bc_id', text: NO_BRANCH })
      if (!r.bc_id && scope.bcs && scope.bcs.length !== 1)
        errors.push({ column: 'bc_id', text: '请填写分公司' })
      const type = codeOf(deviceType, r.type!)
      if (typeof type === 'object') errors.push({ column: 'type', text: type.error })
      const read = deviceStockApi.stock.body.safeParse({
        type,
        model: r.model,
        bc_id: bc,
        sns: [r.sn],
        remark: r.remark,
      })
      if (!read.success)
        errors.push(
          ...issuesOf(read.error)
            .map((e) => (e.column === 'sns' ? { ...e, column: 'sn' } : e))
            .filter((e) => !errors.some((x) => x.column === e.column)),
        )
      if (known.has(r.sn!)) errors.push({ column: 'sn', text: STOCKED })
      return errors.length || !read.success ? { errors } : { value: read.data }
    })
  },
  async store(tx, call, values) {
    const stored = []
    for (const one of values) {
      const result = await stockDevices(tx, call, one, secretKey).catch((e: Error) => {
        if (!(e instanceof Refused)) throw e
        return e
      })
      if (result instanceof Refused) {
        stored.push(
          asErrors(result, 'sn').map((e) => ({
            column: 'sn',
            text: e.column === 'sns' ? STOCKED : e.text,
          }))[0]!,
        )
        continue
      }
      const [device] = result.added as [(typeof result.added)[number]]
      stored.push({ id: device.id, handed: { name: device.sn, secret: device.secret } })
    }
    return stored
  },
})
