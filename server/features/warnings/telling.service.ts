import {
  warningBall,
  warningLevel,
  type WarningRow,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { notify } from '../notifications/notifications.service.ts'
import { whoCan } from '../notifications/turns.service.ts'
import { linkOf, sentenceOf } from './warning-words.ts'

/** The person who supervises in a branch, and who orders its goods. */
async function peopleOf(tx: Tx, tenant: string, bc_id: string, label: string): Promise<string[]> {
  const asked = { among: null, except: [], label, place: { bc_id }, receiver: false }
  return (await whoCan(tx, { tenant, ...asked })).near
}

/** One message a person and branch, however many there are: an imported plan of last year is one. */
export async function tellNews(tx: Tx, tenant: string, news: readonly WarningRow[]): Promise<void> {
  for (const bc of new Set(news.map((w) => w.bc_id))) {
    const here = news.filter((w) => w.bc_id === bc)
    const supervisors = await peopleOf(tx, tenant, bc, 'warning:supervise')
    const isGoods = (w: WarningRow) => w.ball === warningBall.code.goods
    const orderers = here.some(isGoods) ? await peopleOf(tx, tenant, bc, 'order:place') : []
    const theirs = new Map<string, WarningRow[]>()
    for (const w of here) {
      const named = [
        w.manager_id,
        w.steward_id,
        w.responsible_id,
        ...supervisors,
        ...(isGoods(w) ? orderers : []),
      ]
      for (const id of new Set(named)) if (id) theirs.set(id, [...(theirs.get(id) ?? []), w])
    }
    for (const [user, all] of theirs) await tellOne(tx, tenant, user, all)
  }
}

async function tellOne(tx: Tx, tenant: string, user: string, all: readonly WarningRow[]): Promise<void> {
  const [first] = all as readonly [WarningRow]
  if (all.length === 1) {
    const cause = { kind: 'warning' as const, id: first.id }
    await notify(tx, {
      tenant,
      user,
      title: sentenceOf(first),
      link: linkOf(first),
      site: first.site_id,
      cause,
      urgent: first.level === warningLevel.code.urgent,
    })
    return
  }
  const levels = [...warningLevel.options]
    .reverse()
    .map((o) => ({ label: o.label, n: all.filter((w) => w.level === o.value).length }))
    .filter(({ n }) => n > 0)
  await notify(tx, {
    tenant,
    user,
    title: `${first.bc_name}有 ${all.length} 条新的或升级的预警：${levels.map((l) => `${l.label} ${l.n}`).join('、')}`,
    link: linkTo('WarningList', { state: ['open', 'handling'], bc_id: first.bc_id }),
    cause: { kind: 'warning', id: first.bc_id },
  })
}
