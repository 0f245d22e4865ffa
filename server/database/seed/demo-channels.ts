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
/** What it heard before it was stopped. */
const HEARD = [
  { event: 'trial', kind: '', state: sent, said: '对方已收到', hoursAgo: 30 },
  { event: 'waiting', kind: 'correction', state: sent, said: '对方已收到', hoursAgo: 29 },
  { event: 'waiting', kind: 'warning', state: dropped, said: '通道已停用', hoursAgo: 28 },
]

/** A group that would hear of what waits; stopped, since there is none behind it. */
export async function insertChannels(
  tx: Tx,
  of: { tenant: string; by: string; secretKey: Buffer; now: Date },
): Promise<void> {
  const { by, now, secretKey, tenant } = of
  const id = uuidv7()
  const maker = channelMaker.code.wecom
  const host = MAKER_HOSTS[maker]!
  const way = { address: `https://${host}/cgi-bin/webhook/send?key=demo`, secret: '' }
  const before = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
  await insert(tx, 'channels', [
    {
      tenant_id: tenant,
      id,
      name: '工程部值班群',
      maker,
      host,
      secret: seal(secretKey, JSON.stringify(way)),
      role: '',
      kinds: ['alarm', 'correction', 'warning'],
      state: channelState.code.stopped,
      why: STOPPED,
      made_by: by,
      made_at: before(31),
      sent_at: before(29),
      version: 0,
    },
  ])
  await insert(
    tx,
    'channel_messages',
    HEARD.map(({ event, hoursAgo, kind, said, state }, i) => ({
      tenant_id: tenant,
      id: uuidv7(),
      channel_id: id,
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
  )
}
