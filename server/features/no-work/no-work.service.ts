import { tellRefusal } from '@zhuguan/contract/features/no-work/no-work.actions.ts'
import type { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { type NoWorkRow, stopReason } from '@zhuguan/contract/features/no-work/no-work.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import { int4, row, text, uuid, uuids } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { notify, settle } from '../notifications/notifications.service.ts'
import { settingSql } from '../settings/settings.reads.ts'
import { tellSite } from '../sites/sites.service.ts'
import { lockStopped } from './no-work.queries.ts'

async function lockSeen(tx: Tx, call: Call, id: string, version: number): Promise<NoWorkRow> {
  const site = found(await lockStopped(tx, call.user.scope, id))
  unlessSeen(site, version, '个工地')
  if (site.noWork.length === 0) throw new Refused('这个工地已经复工，不在停工预警里了')
  return site
}
export async function writeReason(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof noWorkApi)['reason']>,
): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  await tx.run(
    'nowork.reason',
    `UPDATE sites
     SET stop_reason = $3, stop_remark = $4, stop_by = $5, stop_at = $6, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, site.id, body.reason, body.remark, call.user.nickname, call.now()],
  )
  await call.log(tx, {
    action: '登记停工原因',
    object: 'site',
    objectId: site.id,
    before: { reason: site.reason, remark: site.remark },
    after: { reason: body.reason, remark: body.remark },
  })
  await settle(tx, call.user.tenant, { kind: 'standstill', id: site.id })
  tellSite(tx, call, site, `停工原因：${stopReason.label(body.reason)}${body.remark && `，${body.remark}`}`)
}

export async function tellManager(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof noWorkApi)['tell']>,
): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  refuse(tellRefusal(site, Math.floor(call.now().getTime() / 1000)))
  await tx.run(
    'nowork.told',
    'UPDATE sites SET stop_told_at = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, site.id, call.now()],
  )
  await notify(tx, {
    tenant: call.user.tenant,
    user: site.manager_id!,
    title: `${site.ws_name} 已 ${site.noWorkRun} 天无人施工，请说明原因`,
    link: `/Site/NoWork?keyword=${site.code}`,
    site: site.id,
    cause: { kind: 'standstill', id: site.id },
  })
  await call.log(tx, {
    action: '通知项目经理',
    object: 'site',
    objectId: site.id,
    after: { manager_id: site.manager_id, run: site.noWorkRun },
  })
  tellSite(tx, call, site, `停工 ${site.noWorkRun} 天，已通知 ${site.managerName}`)
}

/** After the night's count: manager and steward of a site that has stood still for the branch's days (`noWorkTellDays`, 0 = never) are told, once a run. */
export async function tellStandstills(tx: Tx, tenant: string, now: Date): Promise<number> {
  const days = `${settingSql('noWorkTellDays', 'w.tenant_id', 'w.bc_id')}::text::int`
  const { rows } = await tx.query(
    'nowork.stood',
    row({ id: uuid, ws_name: text, code: text, run: int4, people: uuids }),
    `UPDATE sites w SET stop_noticed_at = $2 WHERE w.tenant_id = $1 AND w.status = 1 AND w.deleted_at IS NULL AND w.stop_noticed_at IS NULL AND ${days} > 0 AND w.no_work_run >= ${days}
     RETURNING w.id, w.ws_name, w.code, w.no_work_run AS run, array_remove(ARRAY[w.manager_id, w.steward_id], NULL) AS people`,
    [tenant, now],
  )
  for (const site of rows)
    await notify(tx, {
      tenant,
      user: site.people,
      title: `${site.ws_name} 已 ${site.run} 天无人施工，请说明原因`,
      link: `/Site/NoWork?keyword=${site.code}`,
      site: site.id,
      cause: { kind: 'standstill', id: site.id },
    })
  return rows.length
}
