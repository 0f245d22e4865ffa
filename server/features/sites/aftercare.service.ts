import type { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import type { Aftercare, Foreseen, LivingSite } from '../../kit/site-life.ts'
import { notify } from '../notifications/notifications.service.ts'
import { whoCan } from '../notifications/turns.service.ts'
import { settingOf } from '../settings/settings.reads.ts'
import { type Standing, standingOf } from '../users/standing.reads.ts'

/** What is handed over is read and done there. */
const NEEDS: readonly { label: string; page: PageName }[] = [
  { label: 'promise:keep', page: 'PromiseList' },
  { label: 'feedback:handle', page: 'FeedbackList' },
]

/** The reason why this person cannot answer for the home from now on. */
async function unfit(tx: Tx, call: Call, site: LivingSite, p: Standing): Promise<string | undefined> {
  if (p.why) return `${p.nickname}${p.why}，请换一位售后负责人`
  for (const need of NEEDS) {
    const asked = { ...need, among: [p.id], except: [], receiver: false }
    const place = { bc_id: site.bc_id, site_id: site.id }
    const { near, wide } = await whoCan(tx, { tenant: call.user.tenant, place, ...asked })
    if (near.length + wide.length === 0)
      return `${p.nickname}看不到这个工地的承诺和反馈，或没有处理的权限，请换一位售后负责人`
  }
  return undefined
}

/** Who is named for what goes on after the handover, if the caller may name them and they can; only where it ends. */
export async function aftercareOf(
  tx: Tx,
  call: Call,
  site: LivingSite,
  { action, aftercare_id }: Pick<BodyOf<(typeof sitesApi)['state']>, 'action' | 'aftercare_id'>,
): Promise<Aftercare | null> {
  if (!aftercare_id) return null
  const [asked] = await standingOf(tx, call.user.scope, { people: [aftercare_id], bc: site.bc_id })
  const person = found(asked)
  if (action !== 'finish') throw invalid('aftercare_id', '完工时才移交售后')
  const why = await unfit(tx, call, site, person)
  if (why) throw invalid('aftercare_id', why)
  return { id: person.id, nickname: person.nickname }
}

/** The person whom the branch proposes, with what speaks against it; nobody where it names nobody. */
export async function proposedAftercare(tx: Tx, call: Call, site: LivingSite) {
  const id = await settingOf<string>(tx, call.user.tenant, site.bc_id, 'aftercarePerson')
  const [person] = id ? await standingOf(tx, call.user.scope, { people: [id], bc: site.bc_id }) : []
  if (!person) return null
  return { id: person.id, nickname: person.nickname, why: (await unfit(tx, call, site, person)) ?? null }
}

/** The site remembers who answers for it from now on; they hear once of all that is handed to them. */
export async function handToAftercare(
  tx: Tx,
  call: Call,
  site: LivingSite,
  to: Aftercare,
  later: Foreseen['later'],
): Promise<void> {
  const { id: me, tenant } = call.user
  await tx.run('sites.aftercare', 'UPDATE sites SET aftercare_id = $3 WHERE tenant_id = $1 AND id = $2', [
    tenant,
    site.id,
    to.id,
  ])
  if (later.length === 0) return
  await notify(tx, {
    tenant,
    actor: me,
    user: to.id,
    title: `${site.ws_name} 已完工，售后由您负责：${later.map((l) => l.words).join('、')}`,
    link: later[0]!.link,
    site: site.id,
    cause: { kind: 'aftercare', id: site.id },
  })
}
