import type { Tx } from '../../database/connect.ts'
import { row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import { tellDevices } from './devices.service.ts'
import { openRetrievals, retrieverOf } from './retrievals.service.ts'

const standing = async (tx: Tx, call: Call, site: LivingSite): Promise<string[]> =>
  (
    await tx.query(
      'devices.standing',
      row({ sn: text }),
      'SELECT sn FROM devices WHERE tenant_id = $1 AND site_id = $2 AND deleted_at IS NULL ORDER BY sn',
      [call.user.tenant, site.id],
    )
  ).rows.map((r) => r.sn)

export const devicesLife: SiteLife = {
  goesAlong: ['devices', 'retrievals'],
  moving: {
    async foresee(tx, call, site, to) {
      const sns = await standing(tx, call, site)
      return foreseen([sns.length > 0 && `${sns.length} 台设备随工地转到${to.bc_name}：${sns.join('、')}`])
    },
    async move(tx, call, site, to) {
      const keys = [call.user.tenant, site.id, to.bc_id]
      await tx.run(
        'devices.along',
        'UPDATE devices SET bc_id = $3, version = version + 1 WHERE tenant_id = $1 AND site_id = $2',
        keys,
      )
      await tx.run(
        'retrievals.along',
        'UPDATE retrievals SET bc_id = $3 WHERE tenant_id = $1 AND site_id = $2',
        keys,
      )
      // Every server forgets all it knows of devices: what they report next belongs to the new branch.
      await tellDevices(tx, '')
    },
  },
  ending: {
    async foresee(tx, call, site) {
      const sns = await standing(tx, call, site)
      const { due, nickname } = await retrieverOf(tx, call, site)
      return foreseen([
        sns.length > 0 &&
          `${sns.length} 台设备待回收，${nickname || '设备管理员'}应在 ${due} 前收回：${sns.join('、')}`,
      ])
    },
    end: openRetrievals,
  },
}
