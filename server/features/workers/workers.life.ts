import type { Tx } from '../../database/connect.ts'
import { bool, row, text, type RowOf, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'

const member = row({
  id: uuid,
  w_name: text,
  /** Stands on no other site now. */
  only: bool,
})
type Member = RowOf<typeof member>
async function teamOf(tx: Tx, call: Call, site: LivingSite): Promise<Member[]> {
  const { rows } = await tx.query(
    'workers.moving',
    member,
    `SELECT DISTINCT k.id, k.w_name, NOT EXISTS (SELECT 1 FROM site_members o WHERE o.tenant_id = m.tenant_id
         AND o.worker_id = m.worker_id AND o.site_id <> m.site_id AND o.left_on IS NULL) AS only
     FROM site_members m
     JOIN workers k ON k.tenant_id = m.tenant_id AND k.id = m.worker_id
     WHERE m.tenant_id = $1 AND m.site_id = $2 AND m.left_on IS NULL
     ORDER BY k.w_name`,
    [call.user.tenant, site.id],
  )
  return rows
}
const named = (team: readonly Member[]) => team.map((m) => m.w_name).join('、')

/** Who works here only goes along; who stands on another site of the old branch too stays there and leaves this one. */
export const workersLife: SiteLife = {
  moving: {
    async foresee(tx, call, site, to) {
      const team = await teamOf(tx, call, site)
      const [along, stay] = [team.filter((m) => m.only), team.filter((m) => !m.only)]
      return foreseen([
        along.length > 0 && `${along.length} 名工人随工地转到${to.bc_name}：${named(along)}`,
        stay.length > 0 && `${stay.length} 名工人还在其他工地，今天撤离这个工地：${named(stay)}`,
      ])
    },
    async move(tx, call, site, to) {
      const team = await teamOf(tx, call, site)
      const ids = (only: boolean) => team.filter((m) => m.only === only).map((m) => m.id)
      await tx.run(
        'workers.move',
        'UPDATE workers SET bc_id = $3, version = version + 1 WHERE tenant_id = $1 AND id = ANY ($2)',
        [call.user.tenant, ids(true), to.bc_id],
      )
      await tx.run(
        'workers.leave',
        `UPDATE site_members SET left_on = greatest($4::date, entered_on)
         WHERE tenant_id = $1 AND site_id = $2 AND worker_id = ANY ($3) AND left_on IS NULL`,
        [call.user.tenant, site.id, ids(false), shanghaiDay(call.now())],
      )
    },
  },
}
