import type { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import {
  feedbackAbout,
  feedbackChannel,
  feedbackKind,
  type FeedbackRow,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { holdFor } from '@zhuguan/contract/features/recordings/recordings.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { CONCEALED } from '../../kit/kept-from.ts'
import { found, invalid } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { useFiles } from '../files/files.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { nextNumberToday } from '../numbers/numbers.service.ts'
import { holdOnSite } from '../recordings/recordings.service.ts'
import { pickPeople } from '../users/users.reads.ts'
import { clockFrom } from './clocks.ts'
import { nameOf, namedIn, noticeOf, tellAct } from './feedback-telling.ts'
import { addFeedback, anotherOf, namedOf, placeOf } from './feedback.queries.ts'

type Site = NonNullable<Awaited<ReturnType<typeof placeOf>>>
const HOUR_MS = 3_600_000
/** Longer than a complaint and its rounds take. */
const HELD_DAYS = 180

/** What the home's cameras recorded in the hour before it is kept; of what is hidden nothing says why. */
const holdHour = (
  tx: Tx,
  call: Call,
  site: Site,
  { id, no, hidden }: { id: string; no: string; hidden: boolean },
) =>
  holdOnSite(tx, site.id, {
    tenant: call.user.tenant,
    from: new Date(call.now().getTime() - HOUR_MS),
    to: call.now(),
    for: hidden ? holdFor.code.person : holdFor.code.complaint,
    reason: hidden ? CONCEALED : `${no} 投诉`,
    until: startOfDay(addDays(shanghaiDay(call.now()), HELD_DAYS)),
    by: call.user.nickname,
    at: call.now(),
    feedback: id,
  })

/** Whom it is about: whoever keeps the home, or somebody whom the caller may name. */
async function whomAbout(tx: Tx, scope: Scope, site: Site, id: string | undefined): Promise<string | null> {
  if (!id || id === site.steward_id || id === site.keeper_id) return id ?? null
  return found((await pickPeople(tx, scope, { id }))[0]).id
}

/** Somebody writes down what an owner said, or they do it themselves. */
export async function enterFeedback(
  tx: Tx,
  call: Call,
  body: Omit<BodyOf<(typeof feedbackApi)['enter']>, 'channel'> & Pick<FeedbackRow, 'channel'>,
): Promise<{ id: string; no: string }> {
  const { id: me, nickname, scope, tenant } = call.user
  const site = found(await placeOf(tx, scope, body.site_id))
  const isPerson = body.about === feedbackAbout.code.person
  const about_id = await whomAbout(tx, scope, site, body.about_id)
  if (about_id && !isPerson) throw invalid('about_id', '只有关于人员的反馈才写明是谁')
  const of = body.of_id ? found(await anotherOf(tx, scope, body.of_id)) : null
  if (of && of.site_id !== site.id) throw invalid('of_id', '关联的反馈不是这一家的')
  const homeAt = of?.homeAt ?? body.said_at ?? null
  if (homeAt !== null && homeAt * 1_000 > call.now().getTime())
    throw invalid('said_at', '说话的时间不能晚于现在')
  const id = call.newId()
  if (body.pictures.length)
    await useFiles(tx, call, body.pictures, { bc: site.bc_id, site: site.id, proves: id, takenAfter: 0 })
  const hidden_from = about_id === site.steward_id || about_id === site.keeper_id ? about_id : null
  const no = await nextNumberToday(tx, tenant, 'feedback')
  const place = { tenant, bc: site.bc_id }
  const { warn, due } = await clockFrom(tx, place, 'Answer', body.level, call.now())
  await addFeedback(tx, {
    tenant,
    id,
    no,
    bc: site.bc_id,
    site: site.id,
    kind: body.kind,
    level: body.level,
    about: body.about,
    about_id,
    hidden_from,
    channel: body.channel,
    words: body.words,
    pictures: body.pictures,
    of_id: of?.id ?? null,
    homeAt,
    by: nickname,
    warn,
    due,
  })
  const f = {
    level: body.level,
    id,
    no,
    kind: body.kind,
    bc_id: site.bc_id,
    site_id: site.id,
    siteName: site.ws_name,
    hidden_from,
    about_id,
    assignee_id: null,
    steward_id: site.keeper_id,
  }
  await tellAct(tx, call.user, f, { act: 'enter', words: feedbackChannel.label(body.channel) })
  await call.log(tx, {
    action: '登记反馈',
    object: 'feedback',
    objectId: id,
    after: { no, site_id: site.id, kind: body.kind, level: body.level, ...namedOf(of) },
  })
  if (body.kind === feedbackKind.code.complaint)
    await holdHour(tx, call, site, { id, no, hidden: hidden_from !== null })
  await passTurn(tx, 'feedback', 'enter', {
    ...noticeOf(f),
    tenant,
    actor: me,
    named: namedIn(f),
    title: `${nameOf(f)} 等待受理`,
  })
  return { id, no }
}
