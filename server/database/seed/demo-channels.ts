import {
  channelMaker,
  channelState,
  MAKER_HOSTS,
  messageState,
} from '@zhuguan/contract/features/channels/channels.record.ts'

import { uuidv7 } from '../../kit/ids.ts'
import { seal } from '../../kit/secret.ts'
import type { Tx } from '../connect.ts'
import { insert } from './rows.ts'

const { dropped, sent } = messageState.code
const HOUR_MS = 3_600_000
const STOPPED = '演示用的群，没有真的机器人；编辑时填入自己群里的地址，再启用'
/** The words that it heard before it was stopped. */
const HEARD = [
  { event: 'trial', kind: '', state: sent, said: '对方已收到', hoursAgo: 30 },
  { event: 'waiting', kind: 'correction', state: sent, said: '对方已收到', hoursAgo: 29 },
  { event: 'waiting', kind: 'warning', state: dropped, said: '通道已停用', hoursAgo: 28 },
]

/** For each group with an administrator a channel that would hear of what waits; stopped, since nobody is behind it. */
export async function insertChannels(
  tx: Tx,
  of: {
    tenants: readonly { id: string }[]
    admins: ReadonlyMap<number, { id: string }>
    secretKey: Buffer
    now: Date
  },
): Promise<void> {
  const maker = channelMaker.code.wecom
  const host = MAKER_HOSTS[maker]!
  const way = JSON.stringify({ address: `https://${host}/cgi-bin/webhook/send?key=demo`, secret: '' })
  const before = (hours: number) => new Date(of.now.getTime() - hours * HOUR_MS)
  const channels = [...of.admins].map(([t, admin]) => ({
    tenant_id: of.tenants[t]!.id,
    id: uuidv7(),
    name: '工程部值班群',
    maker,
    host,
    secret: seal(of.secretKey, way),
    role: '',
    kinds: ['alarm', 'correction', 'warning'],
    state: channelState.code.stopped,
    why: STOPPED,
    made_by: admin.id,
    made_at: before(31),
    sent_at: before(29),
    version: 0,
  }))
  await insert(tx, 'channels', channels)
  await insert(
    tx,
    'channel_messages',
    channels.flatMap((k) =>
      HEARD.map(({ event, hoursAgo, kind, said, state }, i) => ({
        tenant_id: k.tenant_id,
        id: uuidv7(),
        channel_id: k.id,
        event,
        kind,
        cause_id: `demo ${i}`,
        link: '',
        at: before(hoursAgo),
        since: before(hoursAgo),
        next_at: before(hoursAgo),
        sent_at: state === sent ? before(hoursAgo) : null,
        state,
        tries: state === sent ? 1 : 0,
        said,
      })),
    ),
  )
}
