import { questionActions } from '@zhuguan/contract/features/questions/questions.actions.ts'
import type { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'
import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf, QueryOf } from '@zhuguan/contract/kit/api.ts'
import { latestDay } from '@zhuguan/contract/kit/latest-day.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { useFiles } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { noticeOf } from './question-telling.ts'
import { homeFor, lockQuestion, type LockedQuestion, restsOn, stagesAhead } from './questions.queries.ts'

type Body = BodyOf<typeof questionsApi.ask>
const { finished, terminated } = siteStatus.code
/** Fewer leave nothing to choose. */
const FEWEST = 2

/** What of a question's day and stage is worth knowing and forbids nothing. */
export async function foreseeQuestion(tx: Tx, call: Call, q: QueryOf<typeof questionsApi.foresee>) {
  const { scope, tenant } = call.user
  const site = found(await homeFor(tx, scope, q.site_id, false))
  const ahead = await stagesAhead(tx, tenant, site.id)
  const notes: string[] = []
  if (q.neededBy && (await restsOn(tx, tenant, site.bc_id, q.neededBy))) notes.push(`${q.neededBy} 是休息日`)
  const waits = ahead.find((s) => s.stage === q.stage)
  if (waits?.begun) notes.push(`“${siteStage.label(waits.stage)}”已经在做`)
  else if (waits?.starts && q.neededBy && waits.starts <= q.neededBy)
    notes.push(`“${siteStage.label(waits.stage)}”计划 ${waits.starts} 开始，早于业主答复`)
  return { notes, stages: ahead.map((s) => s.stage) }
}

function checkContent({ costs, estimate, options }: Body): void {
  if (options.length > 0 && options.length < FEWEST)
    throw invalid('options', '选项至少 2 个；没有选项的，由业主用文字答复')
  if (new Set(options).size < options.length) throw invalid('options', '有两个一样的选项')
  if (costs && estimate.length < FEWEST)
    throw invalid('estimate', '会改变费用的，请写明大约多少，例如 约 800 元')
  if (!costs && estimate) throw invalid('estimate', '不改变费用的不用写估计费用')
}
/** What was asked before, as whoever asks it anew has seen it. */
async function askedBefore(tx: Tx, call: Call, body: Body): Promise<LockedQuestion | undefined> {
  if (!body.again) return undefined
  const old = found(await lockQuestion(tx, call.user.scope, body.again.id))
  if (old.site_id !== body.site_id) found(undefined)
  unlessSeen(old, body.again.version, '个问题')
  refuse(questionActions.refusal('again', old, actorAt(call.user, old), call.now().getTime() / 1000))
  await tx.run(
    'questions.asked',
    `UPDATE questions SET changed_by = $3, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, old.id, call.user.nickname],
  )
  return old
}

/** Staff ask the owner to decide something by a day. */
export async function askOwner(tx: Tx, call: Call, body: Body): Promise<{ id: string }> {
  const { id: me, nickname, scope, tenant } = call.user
  const site = found(await homeFor(tx, scope, body.site_id, true))
  const old = await askedBefore(tx, call, body)
  refuse(site.hasOwner ? undefined : `工地“${site.ws_name}”还没有业主`)
  refuse(site.status === terminated ? '合同已终止，不再询问业主' : undefined)
  refuse(site.status === finished ? '工地已完工，不再询问业主' : undefined)
  checkContent(body)
  const { costs, estimate, neededBy, options, pictures, stage, words } = body
  const today = shanghaiDay(call.now())
  if (neededBy < today) throw invalid('neededBy', '最晚答复不能早于今天')
  if (neededBy > latestDay(today)) throw invalid('neededBy', `最晚答复不能晚于 ${latestDay(today)}`)
  if (stage && !(await stagesAhead(tx, tenant, site.id)).some((s) => s.stage === stage))
    throw invalid('stage', `“${siteStage.label(stage)}”已经完成，或不在这个工地的计划里`)
  const id = call.newId()
  // What was shown before is shown again.
  const fresh = pictures.filter((key) => !old?.pictures.includes(key))
  if (fresh.length)
    await useFiles(tx, call, fresh, { takenAfter: 0, bc: site.bc_id, site: site.id, proves: id })
  await tx.run(
    'questions.ask',
    `INSERT INTO questions (tenant_id, id, bc_id, site_id, words, options, needed_by, stage, pictures, costs, estimate,
       asker_id, asked_at, again_of, changed_by, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7::date, $8, $9, $10, $11, $12, :now, $13, $14, :now)`,
    [
      tenant,
      id,
      site.bc_id,
      site.id,
      words,
      options,
      neededBy,
      stage,
      pictures,
      costs,
      estimate,
      me,
      old?.id ?? null,
      nickname,
    ],
  )
  await call.log(tx, {
    action: old ? '重新询问业主' : '询问业主',
    object: 'question',
    objectId: id,
    after: { words, site_id: site.id, options, neededBy, stage, estimate },
  })
  const asked = `${old ? '重新问' : '问'}业主“${words}”，${neededBy} 前答复`
  tell(tx, call, {
    topic: 'question',
    bc: site.bc_id,
    site: site.id,
    id,
    line: { kind: 'owner', title: asked, picture: pictures[0] ?? null },
  })
  const q = { id, bc_id: site.bc_id, site_id: site.id, asker_id: me, steward_id: site.steward_id }
  await passTurn(tx, 'question', 'ask', {
    ...noticeOf(q),
    tenant,
    actor: me,
    title: `${site.ws_name}：${nickname}${asked}`,
  })
  return { id }
}
