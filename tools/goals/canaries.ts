import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'

import type { Caller } from './client.ts'
import type { Stage } from './stage.ts'

/** Words and numbers that stand nowhere else, all of one site of the first branch, of its second store. */
export const CANARY = {
  workerMobile: '13977401853',
  workerLandline: '0571-88476213',
  ownerPhone: '13964819275',
  staffPhone: '13958317462',
  ownerName: '鸢尾业主',
  workerName: '鸢尾工人',
  address: '鸢尾弄七十九号',
} as const
export type Kind = keyof typeof CANARY
/** Seven digits in a row tell a number. */
export const tells = (text: string, kind: Kind) =>
  /\d/.test(CANARY[kind])
    ? text.replace(/(?<=\d)-(?=\d)/g, '').includes(CANARY[kind].replace(/\D/g, '').slice(-7))
    : text.includes(CANARY[kind])
export const kinds = Object.keys(CANARY) as Kind[]

export interface Ids {
  site: string
  worker: string
  second: string
  owner: string
  pm: string
  bc: string
  store: string
  device: string
}
/** Canaries go in as people put them in: through calls where there is one, so that the log tells of them too. */
export async function plant(stage: Stage, admin: Caller): Promise<Ids> {
  const sql = (text: string, values: unknown[]) => stage.owner.query<Ids>(text, values)
  const {
    rows: [ids],
  } = await sql(
    `SELECT w.id AS site, w.owner_id AS owner, w.bc_id AS bc, m.id AS pm,
       (SELECT id FROM devices d WHERE d.tenant_id = w.tenant_id AND d.site_id = w.id LIMIT 1) AS device,
       (SELECT t.id FROM stores t WHERE t.tenant_id = w.tenant_id AND t.bc_id = w.bc_id
          AND NOT EXISTS (SELECT 1 FROM user_stores u WHERE u.tenant_id = t.tenant_id AND u.store_id = t.id) LIMIT 1) AS store
     FROM sites w JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id
     WHERE m.user_name = $1 AND w.owner_id IS NOT NULL AND w.status = 1 ORDER BY w.code LIMIT 1`,
    ['pm'],
  )
  const of = ids!
  await sql(`UPDATE owners SET name = $2, phone = $3 WHERE id = $1`, [
    of.owner,
    CANARY.ownerName,
    CANARY.ownerPhone,
  ])
  await sql(
    `UPDATE sites SET store_id = $2, steward_id = (SELECT id FROM users WHERE user_name = 'steward') WHERE id = $1`,
    [of.site, of.store],
  )
  const work = async (endpoint: Pick<Endpoint, 'method' | 'path'>, body: object) => {
    const heard = await admin.ask(endpoint, { body })
    if (heard.code !== 200) throw new Error(`${endpoint.path}: ${heard.msg}`)
    return heard.data as { id: string }
  }
  const site = (await admin.ask(api.sites.details, { query: { id: of.site } })).data as { version: number }
  await work(api.sites.edit, {
    id: of.site,
    version: site.version,
    ws_name: '有隐私的工地',
    bc_id: of.bc,
    store_id: of.store,
    address: CANARY.address,
  })
  const facts = { bc_id: of.bc, w_type: 3, team: '' }
  of.worker = (
    await work(api.workers.add, { ...facts, w_name: CANARY.workerName, w_contact: CANARY.workerMobile })
  ).id
  of.second = (
    await work(api.workers.add, { ...facts, w_name: CANARY.workerName, w_contact: CANARY.workerMobile })
  ).id
  await work(api.workers.edit, {
    ...facts,
    id: of.second,
    version: 0,
    w_name: CANARY.workerName,
    w_contact: CANARY.workerLandline,
  })
  const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  for (const id of [of.worker, of.second]) await work(api.workers.send, { id, site_id: of.site, day })
  await sql('UPDATE users SET phone = $2 WHERE id = $1', [of.pm, CANARY.staffPhone])
  // The log is taken away by who may export it; here, by those who read everything but no numbers.
  await sql(
    `INSERT INTO role_powers (tenant_id, role_id, label) SELECT tenant_id, id, $1 FROM roles WHERE code = 'hq_ops' ON CONFLICT DO NOTHING`,
    ['log:export'],
  )
  return of
}

/** A number is shown one at a time, for a reason, to who may; each look is a row, and a refusal is one too. */
export async function unmaskings(stage: Stage, people: Map<string, Caller>, ids: Ids) {
  const problems: string[] = []
  let asked = 0
  const rows = async (outcome: string) =>
    (
      await stage.owner.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM user_logs WHERE outcome = $1
           AND ($1 = 'refused' OR action = '查看完整电话' AND object_id = $2
             -- What somebody typed stands beside the line, under its digest.
             AND beside -> (after #>> '{reason,digest}') ->> 1 = '核对工资')`,
        [outcome, ids.worker],
      )
    ).rows[0]!.n
  const MAY_ASK = ['admin', 'hq_ops', 'branch_gm', 'pm', 'steward']
  for (const [name, who] of people) {
    const may = MAY_ASK.includes(name)
    for (const [body, should] of [
      [{ id: ids.worker, reason: '核对工资' }, may],
      [{ id: ids.worker }, false],
      [{ id: ids.worker, reason: '  ' }, false],
      [{ id: [ids.worker, ids.second], reason: '核对工资' }, false],
      [{ ids: [ids.worker, ids.second], reason: '核对工资' }, false],
    ] as const) {
      const [before, refusals] = [await rows('done'), await rows('refused')]
      const heard = await who.ask(api.workers.phone, { body })
      const [after, refused] = [await rows('done'), await rows('refused')]
      asked += 1
      const shown = kinds.some((k) => tells(heard.text, k))
      const denied = [401, 403].includes(heard.code)
      if (shown !== should || after - before !== (should ? 1 : 0) || (denied && refused !== refusals + 1))
        problems.push(
          `${name} ${JSON.stringify(body).slice(0, 60)}: ${heard.code} ${shown ? 'shown' : 'hidden'}, rows +${after - before}, refusals +${refused - refusals}`,
        )
    }
  }
  return { asked, problems }
}
