import { siteActions } from '@zhuguan/contract/features/sites/sites.actions.ts'
import type { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { type SiteRow, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf, DataOf, QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, outside, Refused } from '../../kit/refuse.ts'
import { bool, row, text, type RowOf, uuid } from '../../kit/row.ts'
import { hasBranch } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import {
  type Aftercare,
  type Branch,
  type Foreseen,
  foreseen,
  type LivingSite,
  type SiteEnd,
  type SiteKeeping,
  type SiteLife,
} from '../../kit/site-life.ts'
import { tell } from '../live/live.service.ts'
import { announceAccess } from '../session/access.service.ts'
import { handToAftercare, proposedAftercare } from './aftercare.service.ts'
import { keepLeads } from './leads.service.ts'
import { lockSite } from './sites.queries.ts'
import { lockSeen, tellSite } from './sites.service.ts'

const { building, notStarted } = siteStatus.code

const ownRow = row({
  store: text.null,
  owner: uuid.null,
  /** The owner has another site in the branch of before. */
  shared: bool,
  steward: text.null,
  manager: text.null,
})
type Own = RowOf<typeof ownRow>
/** What of the site itself does not fit the new branch: people who do not work there, the store of the old one. */
async function ownOf(tx: Tx, call: Call, site: LivingSite, to: Branch): Promise<Own> {
  const stays = (
    column: string,
  ) => `(SELECT u.nickname FROM users u WHERE u.tenant_id = w.tenant_id AND u.id = w.${column}
    AND u.bc_id IS DISTINCT FROM $3 AND NOT EXISTS (SELECT 1 FROM user_branches b
      WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id AND b.bc_id = $3))`
  const { rows } = await tx.query(
    'sites.own',
    ownRow,
    `SELECT t.name AS store, w.owner_id AS owner, ${stays('steward_id')} AS steward, ${stays('manager_id')} AS manager,
       EXISTS (SELECT 1 FROM sites o WHERE o.tenant_id = w.tenant_id AND o.owner_id = w.owner_id AND o.id <> w.id) AS shared
     FROM sites w
     LEFT JOIN stores t ON t.tenant_id = w.tenant_id AND t.id = w.store_id
     WHERE w.tenant_id = $1 AND w.id = $2`,
    [call.user.tenant, site.id, to.bc_id],
  )
  return rows[0]!
}

/** The site's own part of a change of branch. */
const sitesLife: SiteLife = {
  moving: {
    async foresee(tx, call, site, to) {
      const own = await ownOf(tx, call, site, to)
      const people = [
        own.manager && `项目经理 ${own.manager}`,
        own.steward && `项目管家 ${own.steward}`,
      ].filter(Boolean)
      return foreseen([
        people.length > 0 && `${people.join('和')}不在${to.bc_name}，转过去后要重新指定`,
        own.store !== null && `门店“${own.store}”属于原分公司，转过去后要重新选择`,
      ])
    },
    async move(tx, call, site, to) {
      const { tenant } = call.user
      const own = await ownOf(tx, call, site, to)
      let owner = own.owner
      if (owner && own.shared) {
        owner = call.newId()
        await tx.run(
          'sites.twinowner',
          `INSERT INTO owners (tenant_id, id, bc_id, name, phone)
           SELECT tenant_id, $3, $4, name, phone
           FROM owners
           WHERE tenant_id = $1 AND id = $2`,
          [tenant, own.owner, owner, to.bc_id],
        )
      } else
        await tx.run('sites.owneralong', 'UPDATE owners SET bc_id = $3 WHERE tenant_id = $1 AND id = $2', [
          tenant,
          owner,
          to.bc_id,
        ])
      await tx.run(
        'sites.along',
        `UPDATE sites
         SET bc_id = $3, store_id = NULL, owner_id = $4, steward_id =
           CASE WHEN $5 THEN NULL ELSE steward_id END, manager_id =
           CASE WHEN $6 THEN NULL ELSE manager_id END, version = version + 1
         WHERE tenant_id = $1 AND id = $2`,
        [tenant, site.id, to.bc_id, owner, own.steward !== null, own.manager !== null],
      )
      keepLeads(tx, tenant, [site.id])
    },
  },
}

type Foretold = DataOf<(typeof sitesApi)['foresee']>
const together = (parts: readonly Foreseen[]): Foreseen => ({
  effects: parts.flatMap((p) => p.effects),
  blocks: parts.flatMap((p) => p.blocks),
  reasons: parts.flatMap((p) => p.reasons),
  later: parts.flatMap((p) => p.later),
})

/** Somebody keeps the site from now on, its steward or who answers for it after the handover: all hear of it. */
export const siteKeeping = (all: readonly SiteLife[]): SiteKeeping => ({
  async keeping(tx, call, site, person) {
    for (const life of all) await life.keeping?.(tx, call, site, person)
  },
})

/** Changes that concern more than the site itself: everybody who keeps something of it takes part. */
export function siteLife(others: readonly SiteLife[]) {
  const all = [sitesLife, ...others]
  const { keeping } = siteKeeping(all)

  async function foreseeMove(tx: Tx, call: Call, site: LivingSite, to: Branch): Promise<Foreseen> {
    const parts: Foreseen[] = []
    for (const { moving } of all) if (moving) parts.push(await moving.foresee(tx, call, site, to))
    return together(parts)
  }
  async function foreseeEnd(tx: Tx, call: Call, site: LivingSite, how: SiteEnd): Promise<Foreseen> {
    const parts: Foreseen[] = []
    for (const { ending } of all) if (ending) parts.push(await ending.foresee(tx, call, site, how))
    return together(parts)
  }
  /** An end as somebody asks for it: what its own rule refuses goes first, beside what the others say. */
  async function foreseeAsked(tx: Tx, call: Call, site: SiteRow, how: SiteEnd): Promise<Foreseen> {
    const actor = actorAt(call.user, { bc_id: site.bc_id, site_id: site.id })
    const own = siteActions.refusals(how, site, actor)
    if (!siteActions.offered(how, site, actor)) return foreseen([], [...own])
    const told = await foreseeEnd(tx, call, site, how)
    return { ...told, blocks: [...own, ...told.blocks] }
  }
  /** A branch that takes part in the group's work, inside the caller's reach as the old one is. */
  async function branchTo(tx: Tx, call: Call, site: SiteRow, bc: string | undefined): Promise<Branch> {
    const { scope, tenant } = call.user
    if (!bc) throw invalid('bc_id', '请选择分公司')
    if (!hasBranch(scope, site.bc_id) || !hasBranch(scope, bc)) throw outside()
    const to = found(
      (
        await tx.query(
          'sites.branchto',
          row<Branch>({ bc_id: uuid, bc_name: text }),
          'SELECT bc_id, bc_name FROM companies WHERE tenant_id = $1 AND bc_id = $2 AND status = 1',
          [tenant, bc],
        )
      ).rows[0],
    )
    if (site.bc_id === bc) throw invalid('bc_id', `工地已经在${to.bc_name}`)
    if (site.status !== building && site.status !== notStarted)
      throw new Refused(`工地${siteStatus.label(site.status)}，不能转分公司`)
    return to
  }
  const refuseBlocked = ({ blocks }: Foreseen): void => {
    if (blocks.length) throw new Refused(blocks.join('；'))
  }

  return {
    keeping,

    async foresee(tx: Tx, call: Call, q: QueryOf<(typeof sitesApi)['foresee']>): Promise<Foretold> {
      const site = found(await lockSite(tx, call.user.scope, q.id))
      const { later, ...told } =
        q.change === 'move'
          ? await foreseeMove(tx, call, site, await branchTo(tx, call, site, q.bc_id))
          : await foreseeAsked(tx, call, site, q.change)
      const aftercare = q.change === 'finish' ? await proposedAftercare(tx, call, site) : null
      return { ...told, later: later.map((l) => l.words), aftercare }
    },

    /** All that must go before this end, at once. */
    async refuseEnd(tx: Tx, call: Call, site: SiteRow, how: SiteEnd): Promise<void> {
      refuseBlocked(await foreseeAsked(tx, call, site, how))
    },

    async move(tx: Tx, call: Call, body: BodyOf<(typeof sitesApi)['move']>): Promise<void> {
      const site = await lockSeen(tx, call, body.id, body.version)
      const to = await branchTo(tx, call, site, body.bc_id)
      const told = await foreseeMove(tx, call, site, to)
      refuseBlocked(told)
      for (const { moving } of all) await moving?.move(tx, call, site, to)
      // Whose sites these are decides what people see.
      announceAccess(tx)
      await call.log(tx, {
        action: '转分公司',
        object: 'site',
        objectId: site.id,
        before: { bc_id: site.bc_id },
        after: { bc_id: to.bc_id, reason: body.reason, effects: told.effects },
      })
      tell(tx, call, { topic: 'site', bc: site.bc_id, site: site.id, id: site.id })
      tellSite(
        tx,
        call,
        { id: site.id, bc_id: to.bc_id },
        `从${site.bc_name}转到${to.bc_name}：${body.reason}`,
      )
    },

    async end(
      tx: Tx,
      call: Call,
      site: LivingSite,
      how: SiteEnd,
      reason: string,
      aftercare: Aftercare | null = null,
    ): Promise<void> {
      const told = await foreseeEnd(tx, call, site, how)
      refuseBlocked(told)
      if (told.reasons.length && reason.length < 2)
        throw invalid('reason', `${told.reasons.join('；')}，请写明原因（至少 2 个字）`)
      if (told.later.length && !aftercare)
        throw invalid('aftercare_id', `${told.later.map((l) => l.words).join('、')}要移交，请选择售后负责人`)
      for (const { ending } of all) await ending?.end(tx, call, site, how, aftercare)
      if (!aftercare) return
      await handToAftercare(tx, call, site, aftercare, told.later)
      await keeping(tx, call, site.id, aftercare.id)
    },
  }
}
export type Life = ReturnType<typeof siteLife>
