import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { progressApi } from '@zhuguan/contract/features/threads/progress.api.ts'
import type { ProgressProposal } from '@zhuguan/contract/features/threads/progress.record.ts'
import { threadChannel, threadSide } from '@zhuguan/contract/features/threads/thread-page.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { found, outside } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { copyPicture, type FileStore, showAtHome } from '../files/files.service.ts'
import { arrivedToday, happenedToday, sentBy, sentToday, shotsToday } from './progress.queries.ts'
import { speak } from './speaking.service.ts'
import { contactsOf, homeOf, threadOf } from './threads.queries.ts'
import { count, held, logLine, postOf, unlessNewer } from './threads.service.ts'

/** So many goods are named; the rest is counted. */
const NAMED = 3

/** Events in the words of an owner. */
function told(
  { kind, n, stage }: Awaited<ReturnType<typeof happenedToday>>[number],
  goods: readonly string[],
): string {
  switch (kind) {
    case 'begun':
      return `${siteStage.label(stage!)}阶段开始施工`
    case 'accepted':
      return `${siteStage.label(stage!)}阶段验收通过`
    case 'patrols':
      return `工程巡检 ${n} 次`
    default:
      return goods.length
        ? `材料到货：${goods.slice(0, NAMED).join('、')}${goods.length > NAMED ? ` 等 ${goods.length} 种` : ''}`
        : `材料到货 ${n} 次`
  }
}

/** What may be told to a home of today, and whether it was. */
export async function proposalOf(tx: Tx, scope: Scope, site: string, now: Date): Promise<ProgressProposal> {
  const { tenant } = scope
  const home = found(await homeOf(tx, scope, site, false))
  const [contacts, thread, happened, goods, pictures, sent] = await Promise.all([
    contactsOf(tx, tenant, site),
    threadOf(tx, tenant, site),
    happenedToday(tx, tenant, site),
    arrivedToday(tx, tenant, site),
    shotsToday(tx, tenant, site),
    sentToday(tx, tenant, site),
  ])
  return {
    site_id: home.id,
    siteName: home.ws_name,
    ownerName: contacts[0]?.name ?? '',
    newest: thread?.newest ?? 0,
    waits: !!thread?.waiting_since,
    day: shanghaiDay(now),
    happened: happened.map((h) => ({ key: `${h.kind}/${h.stage ?? ''}`, text: told(h, goods) })),
    pictures,
    sent,
  }
}

/**
 * What was done today, told to the home. Pictures are copies of those that stand there: what is taken back from the
 * thread takes nothing from the patrol.
 */
export async function sendProgress(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<(typeof progressApi)['send']>,
): Promise<{ id: string; seq: number }> {
  const { id: me, nickname, tenant } = call.user
  const home = await held(tx, call, body.site_id)
  const before = await sentBy(tx, tenant, home.id, body.act)
  if (before) return before
  await unlessNewer(tx, call, home, body.after)
  const offered = new Set((await shotsToday(tx, tenant, home.id)).map((s) => s.key))
  if (body.pictures.some((key) => !offered.has(key))) throw outside()
  const copies: string[] = []
  try {
    for (const key of body.pictures) copies.push(await copyPicture(tx, call, files, { key, site: home.id }))
    await showAtHome(tx, tenant, copies, { user: me }, { bc: home.bc_id, site: home.id })
    const line = {
      kind: 'progress',
      side: threadSide.code.staff,
      channel: threadChannel.code.page,
      who: nickname,
      contact_id: null,
      user_id: me,
      post: postOf(call.user, home),
      words: body.words,
      pictures: copies,
      act: body.act,
    } as const
    const made = await speak(tx, call, home, line, '发送今日进度')
    await logLine(tx, call, '发送今日进度', home, {
      side: line.side,
      channel: line.channel,
      ...count(copies),
    })
    return made
  } catch (error) {
    await Promise.all(copies.map((key) => files.remove(key).catch(() => {})))
    throw error
  }
}
