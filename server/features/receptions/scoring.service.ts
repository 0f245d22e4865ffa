import { isUnvouched } from '@zhuguan/contract/features/owners/home-devices.record.ts'
import {
  type ReceptionAction,
  receptionActions,
} from '@zhuguan/contract/features/receptions/receptions.actions.ts'
import { LOW_SCORE } from '@zhuguan/contract/kit/score.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, refuse, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { siteInReach } from '../sites/sites.reads.ts'
import { lockReception, scoreRates } from './receptions.queries.ts'
import { about, noteVisit, visitOf } from './receptions.service.ts'

/** A visit that this person may score or call back about, held; the home's people name no version of it. */
async function held(tx: Tx, call: Call, action: ReceptionAction, of: { id: string; version?: number }) {
  const reception = found(await lockReception(tx, call.user.scope, of.id))
  if (of.version !== undefined) unlessSeen(reception, of.version, '次到访')
  const now = Math.floor(call.now().getTime() / 1000)
  refuse(receptionActions.refusal(action, reception, actorAt(call.user, reception), now))
  return reception
}
/**
 * How content the home is with a visit; whoever has no account is the owner, and their own score counts, unless it is
 * known by the hand of one of the company alone: `typedBy`.
 */
export async function scoreReception(
  tx: Tx,
  call: Call,
  body: { id: string; version?: number; score: number; words: string; typedBy?: string },
): Promise<void> {
  const { id: me, nickname, tenant } = call.user
  const r = await held(tx, call, 'score', body)
  const typedBy = me ? nickname : (body.typedBy ?? '')
  await tx.run(
    'receptions.score',
    `UPDATE receptions r
     SET score = $3, score_words = $4, scored_by = $5, called_back = false, changed_by = $6, changed_at = :now,
       version = r.version + 1
     WHERE r.tenant_id = $1 AND r.id = $2`,
    [tenant, r.id, body.score, body.words, typedBy, nickname],
  )
  const action = typedBy && !isUnvouched(typedBy) ? '代填满意度' : '满意度'
  await noteVisit(tx, call, r, {
    action,
    shown: `${action} ${body.score} 分`,
    after: { score: body.score },
  })
  if (body.score > LOW_SCORE) return
  await passTurn(tx, 'reception', 'lowScore', {
    ...about(r),
    tenant,
    actor: me,
    named: { host: r.host_id },
    title: `${visitOf(r)}满意度 ${body.score} 分，请回访`,
  })
}

/** Somebody above has called the home that was not content. */
export async function callBack(
  tx: Tx,
  call: Call,
  body: { id: string; version: number; words: string },
): Promise<void> {
  const { id: me, nickname, tenant } = call.user
  const r = await held(tx, call, 'callback', body)
  await tx.run(
    'receptions.callback',
    `UPDATE receptions r
     SET called_back = true, changed_by = $3, changed_at = :now, version = r.version + 1
     WHERE r.tenant_id = $1 AND r.id = $2`,
    [tenant, r.id, nickname],
  )
  await noteVisit(tx, call, r, { action: '回访', after: { text: body.words } })
  await passTurn(tx, 'reception', 'callback', {
    ...about(r),
    tenant,
    actor: me,
    named: { host: r.host_id },
    title: '',
  })
}

/** The homes' scores of their visits, as of now. */
export async function ratesOf(tx: Tx, call: Call, site_id: string) {
  const { scope } = call.user
  found(await siteInReach(tx, scope, site_id))
  const at = Math.floor(call.now().getTime() / 1000)
  return { at, ...(await scoreRates(tx, scope, site_id)) }
}
