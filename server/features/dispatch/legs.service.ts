import { logisticsProgress } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { logisticsActions } from '@zhuguan/contract/features/dispatch/logistics.actions.ts'
import type { logisticsApi } from '@zhuguan/contract/features/dispatch/logistics.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { type AtParties, onParties } from '../../kit/parties.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'
import { lockLeg, partiesOfLeg, setUnderWay, signLeg } from './legs.queries.ts'
import { addNode } from './logistics.service.ts'

const { delivered, underWay } = logisticsProgress.code
type Body<K extends keyof typeof logisticsApi> = BodyOf<(typeof logisticsApi)[K]>

async function onLeg<T>(call: Call, id: string, work: (tx: Tx, at: AtParties) => Promise<T>): Promise<T> {
  return onParties(call, found(await call.read((tx) => partiesOfLeg(tx, call.user.scope, id))), work)
}
async function lockSeenLeg(
  tx: Tx,
  { call, sides }: AtParties,
  body: { id: string; version: number },
  action: 'node' | 'sign',
) {
  const leg = { ...found(await lockLeg(tx, call.user.tenant, body.id)), ...sides }
  unlessSeen(leg, body.version, '张物流单')
  refuse(logisticsActions.refusal(action, leg, actorAt(call.user, { ...leg, site_id: leg.place_id })))
  return leg
}
const tellLeg = (
  tx: Tx,
  call: Call,
  leg: { bc_id: string; id: string; place_id: string; receiver_id: string },
) =>
  tell(tx, call, {
    topic: 'dispatch',
    bc: leg.bc_id,
    site: leg.place_id,
    receiver: leg.receiver_id,
    id: leg.id,
  })

export const addNodeBy = (call: Call, body: Body<'node'>): Promise<null> =>
  onLeg(call, body.id, async (tx, at) => {
    const leg = await lockSeenLeg(tx, at, body, 'node')
    const when = body.at === null ? call.now() : new Date(body.at * 1_000)
    if (when > call.now()) throw invalid('at', '时间不能晚于现在')
    if (body.at !== null && body.at < leg.madeAt) throw invalid('at', '时间不能早于发货')
    await setUnderWay(tx, call.user.tenant, leg.id)
    await addNode(tx, at.call, leg.id, { title: body.title, place: body.place, at: when })
    await at.call.log(tx, {
      action: '更新节点',
      object: 'dispatch',
      objectId: leg.id,
      before: { progress: leg.progress },
      after: {
        progress: Math.max(leg.progress, underWay),
        code: leg.code,
        node: body.title,
        place: body.place,
      },
    })
    tellLeg(tx, at.call, leg)
    return null
  })

export const signLegBy = (call: Call, body: Body<'sign'>): Promise<null> =>
  onLeg(call, body.id, async (tx, at) => {
    const leg = await lockSeenLeg(tx, at, body, 'sign')
    const { nickname, tenant } = call.user
    await signLeg(tx, tenant, leg.id, nickname)
    await addNode(tx, at.call, leg.id, { title: `${leg.receiverName} 已签收` })
    await at.call.log(tx, {
      action: '签收',
      object: 'dispatch',
      objectId: leg.id,
      before: { progress: leg.progress },
      after: { progress: delivered, code: leg.code, order: leg.orderCode },
    })
    tellLeg(tx, at.call, leg)
    return null
  })
