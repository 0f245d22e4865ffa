import { randomBytes } from 'node:crypto'

import { channelActions, messageActions } from '@zhuguan/contract/features/channels/channels.actions.ts'
import type { channelsApi } from '@zhuguan/contract/features/channels/channels.api.ts'
import {
  channelEvent,
  channelMaker,
  type ChannelMaker,
  channelState,
  MAKER_HOSTS,
  messageState,
} from '@zhuguan/contract/features/channels/channels.record.ts'
import { causeKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { unfit } from '../../kit/guarded-post.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, overtaken, refuse, Refused } from '../../kit/refuse.ts'
import { whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import {
  branchOf,
  channelsOf,
  dueNow,
  lockChannel,
  lockMessage,
  messagesOf,
  rolesOf,
  stopIt,
} from './channels.queries.ts'
import { sealWay, type Way, wayOf } from './way.ts'

/** As many as a group may have. */
const MOST_CHANNELS = 50

/** Messages of a whole group go through them. */
export function whoManages(call: Call): string {
  if (!whole(call.user.scope)) throw new Refused('消息通道是全集团的，请集团管理员办理')
  return call.user.tenant
}

export const listChannels = (call: Call) => {
  const tenant = whoManages(call)
  return call.read(async (tx) => ({
    channels: await channelsOf(tx, tenant),
    roles: await rolesOf(tx, tenant),
  }))
}

interface Deps {
  secretKey: Buffer
  hosts: readonly string[]
}
type Add = BodyOf<(typeof channelsApi)['add']>
type Edit = BodyOf<(typeof channelsApi)['edit']>

/** Refuses where a channel may not lead, and a secret where its maker knows none. */
function fit(maker: ChannelMaker, { address, secret }: Way, hosts: readonly string[]): void {
  const why = unfit(address, { hosts, own: MAKER_HOSTS[maker] })
  if (why) throw invalid('address', why)
  if (maker === channelMaker.code.wecom && secret)
    throw invalid('secret', '企业微信的机器人没有加签密钥，地址里的 key 就是它的密钥，这里请留空')
}
/** Refuses a branch and a role that are none, and a name that another has. */
async function fitAmong(tx: Tx, tenant: string, o: Pick<Add, 'bc_id' | 'name' | 'role'> & { id: string }) {
  if (o.bc_id) found(await branchOf(tx, tenant, o.bc_id))
  const all = await channelsOf(tx, tenant)
  if (o.role && !(await rolesOf(tx, tenant)).some((r) => r.code === o.role))
    throw invalid('role', '没有这个角色')
  if (all.some((k) => k.name === o.name && k.id !== o.id)) throw invalid('name', `已经有叫 ${o.name} 的通道`)
  return all
}
const newSecret = (maker: ChannelMaker) =>
  maker === channelMaker.code.webhook ? randomBytes(32).toString('base64url') : null
/** The log's words: where it leads, and never how. */
const toldOf = (k: Pick<Add, 'name' | 'bc_id' | 'role' | 'kinds'> & { host: string }) => ({
  name: k.name,
  host: k.host,
  bc_id: k.bc_id,
  role: k.role,
  kinds: k.kinds.map((kind) => causeKind.label(kind)).join('、'),
})

export async function addChannel(call: Call, { hosts, secretKey }: Deps, body: Add) {
  const tenant = whoManages(call)
  const { address, bc_id, maker, name, role } = body
  const made = newSecret(maker)
  const way: Way = { address, secret: made ?? body.secret }
  fit(maker, way, hosts)
  const id = call.newId()
  const { host } = new URL(address)
  const kinds = [...new Set(body.kinds)]
  await call.write(async (tx) => {
    const all = await fitAmong(tx, tenant, { id, bc_id, name, role })
    if (all.length >= MOST_CHANNELS) throw new Refused(`最多 ${MOST_CHANNELS} 个消息通道`)
    await tx.run(
      'channels.add',
      `INSERT INTO channels (tenant_id, id, name, maker, host, secret, bc_id, role, kinds, made_by, made_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10, :now)`,
      [tenant, id, name, maker, host, sealWay(secretKey, way), bc_id, role, kinds, call.user.id],
    )
    await call.log(tx, {
      action: '新建消息通道',
      object: 'channel',
      objectId: id,
      after: { maker, ...toldOf({ name, host, bc_id, role, kinds }) },
    })
  })
  return { id, secret: made }
}

/** A new address comes with its own secret; the one of a webhook is ours, and stays until it is renewed. */
function changedWay(maker: ChannelMaker, old: Way | undefined, body: Edit): [way: Way, made: string | null] {
  const address = body.address || old?.address
  if (!address) throw invalid('address', '原来的地址读不出来了，请重新填写')
  const isOurs = maker === channelMaker.code.webhook
  const made = isOurs && (body.renew || !old) ? newSecret(maker) : null
  const kept = body.address && !isOurs ? '' : (old?.secret ?? '')
  return [{ address, secret: made ?? (isOurs ? kept : body.secret || kept) }, made]
}
export async function editChannel(call: Call, { hosts, secretKey }: Deps, body: Edit) {
  const tenant = whoManages(call)
  const { bc_id, id, name, role } = body
  const kinds = [...new Set(body.kinds)]
  const made = await call.write(async (tx) => {
    const old = found(await lockChannel(tx, tenant, id))
    if (old.version !== body.version) throw overtaken('个通道')
    await fitAmong(tx, tenant, body)
    const before = wayOf(secretKey, old.secret)
    const [way, fresh] = changedWay(old.maker, before, body)
    fit(old.maker, way, hosts)
    const { host } = new URL(way.address)
    const isElsewhere = way.address !== before?.address || way.secret !== before.secret
    await tx.run(
      'channels.edit',
      `UPDATE channels k SET name = $3, host = $4, secret = $5, bc_id = $6, role = $7, kinds = $8::text[],
         failing_since = CASE WHEN $9 THEN NULL ELSE k.failing_since END, version = k.version + 1
       WHERE k.tenant_id = $1 AND k.id = $2`,
      [tenant, id, name, host, sealWay(secretKey, way), bc_id, role, kinds, isElsewhere],
    )
    // What waited because the old way was wrong goes the new one at once.
    if (isElsewhere) await dueNow(tx, tenant, id)
    await call.log(tx, {
      action: '编辑消息通道',
      object: 'channel',
      objectId: id,
      before: toldOf(old),
      after: { ...toldOf({ name, host, bc_id, role, kinds }), ...(isElsewhere ? { way: '已更换' } : {}) },
    })
    return fresh
  })
  return { id, secret: made }
}

export async function stopChannel(call: Call, body: { id: string; version: number; reason: string }) {
  const tenant = whoManages(call)
  await call.write(async (tx) => {
    const { name, state, version } = found(await lockChannel(tx, tenant, body.id))
    if (version !== body.version) throw overtaken('个通道')
    refuse(channelActions.refusal('stop', { state }, actorAt(call.user, { bc_id: null })))
    await stopIt(tx, tenant, body.id, body.reason)
    await call.log(tx, {
      action: '停用消息通道',
      object: 'channel',
      objectId: body.id,
      before: { state },
      after: { name, state: channelState.code.stopped, reason: body.reason },
    })
  })
  return null
}
export async function startChannel(call: Call, body: { id: string; version: number }) {
  const tenant = whoManages(call)
  await call.write(async (tx) => {
    const { name, state, version } = found(await lockChannel(tx, tenant, body.id))
    if (version !== body.version) throw overtaken('个通道')
    refuse(channelActions.refusal('start', { state }, actorAt(call.user, { bc_id: null })))
    await tx.run(
      'channels.start',
      `UPDATE channels k SET state = '${channelState.code.active}', why = '', failing_since = NULL,
         version = k.version + 1
       WHERE k.tenant_id = $1 AND k.id = $2`,
      [tenant, body.id],
    )
    const after = { name, state: channelState.code.active }
    await call.log(tx, {
      action: '启用消息通道',
      object: 'channel',
      objectId: body.id,
      before: { state },
      after,
    })
  })
  return null
}
/** One message without a cause; while one waits there is no second. */
export async function tryChannel(call: Call, id: string) {
  const tenant = whoManages(call)
  await call.write(async (tx) => {
    const { name, state } = found(await lockChannel(tx, tenant, id))
    refuse(state === channelState.code.stopped ? '通道已停用，请先启用' : undefined)
    await tx.run(
      'channels.trial',
      `INSERT INTO channel_messages (tenant_id, id, channel_id, event, at, since, next_at)
       VALUES ($1, $2, $3, '${channelEvent.code.trial}', :now, :now, :now)
       ON CONFLICT (tenant_id, channel_id, event, kind, cause_id) WHERE state = '${messageState.code.queued}'
       DO UPDATE SET next_at = :now`,
      [tenant, call.newId(), id],
    )
    await call.log(tx, { action: '试发消息', object: 'channel', objectId: id, after: { name } })
  })
  return null
}
export async function channelMessages(call: Call, id: string) {
  const tenant = whoManages(call)
  return call.read(async (tx) => {
    found((await channelsOf(tx, tenant)).find((k) => k.id === id))
    return messagesOf(tx, tenant, id)
  })
}
/** Under its own number, so that whoever has it knows it. */
export async function replay(call: Call, id: string) {
  const tenant = whoManages(call)
  await call.write(async (tx) => {
    const { active, channel, name, state } = found(await lockMessage(tx, tenant, id))
    refuse(messageActions.refusal('replay', { state }, actorAt(call.user, { bc_id: null })))
    refuse(active === channelState.code.stopped ? '通道已停用，请先启用' : undefined)
    const again = await tx.run(
      'channels.replay',
      `UPDATE channel_messages m SET state = '${messageState.code.queued}', since = :now, next_at = :now, tries = 0,
         sent_as = NULL, sent_at = NULL, said = ''
       WHERE m.tenant_id = $1 AND m.id = $2 AND NOT EXISTS (
         SELECT 1 FROM channel_messages o
         WHERE o.tenant_id = $1 AND o.channel_id = m.channel_id AND o.event = m.event AND o.kind = m.kind
           AND o.cause_id = m.cause_id AND o.state = '${messageState.code.queued}')`,
      [tenant, id],
    )
    refuse(again.rowCount ? undefined : '同一件事已经有一条在等着发送')
    await call.log(tx, {
      action: '重发消息',
      object: 'channel',
      objectId: channel,
      after: { name, message: id },
    })
  })
  return null
}
