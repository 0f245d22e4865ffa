import { useQuery, useQueryClient } from '@tanstack/react-query'
import { channelActions, messageActions } from '@zhuguan/contract/features/channels/channels.actions.ts'
import { channelsApi } from '@zhuguan/contract/features/channels/channels.api.ts'
import {
  channelEvent,
  channelMaker,
  type ChannelRow,
  channelState,
  messageState,
} from '@zhuguan/contract/features/channels/channels.record.ts'
import { causeKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'
import { Button, Drawer } from 'antd'
import { useState } from 'react'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { RowActions } from '../../kit/RowActions.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { full, short } from '../../kit/time.ts'
import { useActor } from '../../parts/session.ts'
import { ChannelDrawer, EditChannelDrawer, type Made } from './ChannelDrawer.tsx'

import './channels.css'

const LOOK_MS = 5_000

/** Groups and other systems that hear of what waits, and what each answered last. */
export default function ChannelsDrawer({ onClose }: { onClose: () => void }) {
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<ChannelRow | null>(null)
  const [made, setMade] = useState<Made | null>(null)
  const [open, setOpen] = useState('')
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: [channelsApi.list.path],
    refetchInterval: LOOK_MS,
    queryFn: ({ signal }) => call(channelsApi.list, {}, signal),
  })
  const refresh = () => {
    void client.invalidateQueries({ queryKey: [channelsApi.list.path] })
    void client.invalidateQueries({ queryKey: [channelsApi.messages.path] })
  }
  const form = {
    roles: data?.roles ?? [],
    onClose: () => {
      setAdding(false)
      setEditing(null)
    },
    onMade(one: Made) {
      form.onClose()
      setMade(one)
      refresh()
    },
  }
  return (
    <Drawer open title="消息通道" size="min(800px, 100vw)" onClose={onClose}>
      <div className="channels-head">
        <p className="quiet">
          有事等人处理时，也发到群和其他系统。
          <br />
          只写事项、工地编号和链接，不写姓名、电话和地址。
        </p>
        <Button type="primary" disabled={!data} onClick={() => setAdding(true)}>
          新建
        </Button>
      </div>
      {made?.secret && <Secret of={made} onDone={() => setMade(null)} />}
      {error && <Failed error={error} again={() => void refetch()} />}
      {!data && !error && <p className="quiet">正在读取…</p>}
      <ul className="channels">
        {data?.channels.map((k) => (
          <Channel
            key={k.id}
            channel={k}
            open={open === k.id}
            onOpen={() => setOpen(open === k.id ? '' : k.id)}
            onEdit={() => setEditing(k)}
            onDone={refresh}
          />
        ))}
      </ul>
      {data?.channels.length === 0 && (
        <p className="quiet">还没有消息通道。在群里添加机器人，把它的地址填到这里，群里就能收到。</p>
      )}
      {adding && <ChannelDrawer {...form} />}
      {editing && <EditChannelDrawer {...form} channel={editing} />}
    </Drawer>
  )
}

function stateOf(k: ChannelRow): [Tone, string] {
  if (k.state === channelState.code.stopped) return ['grey', '已停用']
  if (k.failingSince !== null) return ['bad', '送不到']
  return ['ok', '启用']
}
function Channel({
  channel: k,
  open,
  onOpen,
  onEdit,
  onDone,
}: {
  channel: ChannelRow
  open: boolean
  onOpen: () => void
  onEdit: () => void
  onDone: () => void
}) {
  const actor = useActor()
  const [tone, word] = stateOf(k)
  const { id, version } = k
  const actions = actionsOf(channelActions, k, actor, {
    stop: {
      run: (reason) => call(channelsApi.stop, { body: { id, version, reason } }),
    },
    start: { run: () => call(channelsApi.start, { body: { id, version } }) },
  })
  const trial = {
    key: 'trial',
    label: '试发一条',
    why: k.state === channelState.code.stopped ? '通道已停用，请先启用' : undefined,
    run: () => call(channelsApi.trial, { body: { id } }),
  }
  const whose = [k.bc_name || '全集团', ...(k.role ? [k.roleName] : [])].join(' · ')
  const arrives = k.sentAt === null ? '还没有送达过' : short(k.sentAt)
  const ill = k.why || (k.failingSince === null ? '' : `${short(k.failingSince)} 起送不到，会自动重试`)
  return (
    <li className="channel">
      <div className="channel-title">
        <b>{k.name}</b>
        <State tone={tone}>{word}</State>
        <RowActions
          shown={4}
          onDone={onDone}
          actions={[
            { key: 'last', label: open ? '收起消息' : '最近消息', open: onOpen },
            trial,
            { key: 'edit', label: '编辑', open: onEdit },
            ...actions,
          ]}
        />
      </div>
      <Facts>
        <Fact name="接收方">{channelMaker.label(k.maker)}</Fact>
        <Fact name="地址">{k.host}</Fact>
        <Fact name="范围">{whose}</Fact>
        <Fact name="最近送达">{k.waiting > 0 ? `${arrives}，${k.waiting} 条待发送` : arrives}</Fact>
        <Fact name="事项" whole>
          {k.kinds.map((kind) => causeKind.label(kind)).join('、')}
        </Fact>
        {ill && (
          <Fact name={k.state === channelState.code.stopped ? '停用原因' : '问题'} whole>
            {ill}
          </Fact>
        )}
      </Facts>
      {open && <Messages channel={id} onDone={onDone} />}
    </li>
  )
}

const TONES: Readonly<Record<string, Tone>> = { queued: 'wait', sent: 'ok', dropped: 'grey', givenUp: 'bad' }
function Messages({ channel, onDone }: { channel: string; onDone: () => void }) {
  const actor = useActor()
  const { data, error, refetch } = useQuery({
    queryKey: [channelsApi.messages.path, channel],
    refetchInterval: LOOK_MS,
    queryFn: ({ signal }) => call(channelsApi.messages, { query: { id: channel } }, signal),
  })
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <p className="quiet">正在读取…</p>
  if (data.length === 0) return <p className="quiet">还没有消息，可以试发一条。</p>
  return (
    <table className="channel-messages">
      <thead>
        <tr>
          <th>时间</th>
          <th>消息</th>
          <th>送达</th>
          <th>结果</th>
          <th aria-label="操作" />
        </tr>
      </thead>
      <tbody>
        {data.map((m) => (
          <tr key={m.id}>
            <td title={full(m.at)}>{short(m.at)}</td>
            <td>
              {m.kind ? `${causeKind.label(m.kind)} ` : ''}
              {channelEvent.label(m.event)}
            </td>
            <td>
              <State tone={TONES[m.state]!}>{messageState.label(m.state)}</State>
            </td>
            <td className="channel-said">
              {m.said || '马上发送'}
              {m.together > 1 && `（${m.together} 件合成一条）`}
              {m.next !== null && m.tries > 0 && <small>{short(m.next)} 再试</small>}
            </td>
            <td>
              <RowActions
                onDone={onDone}
                actions={actionsOf(messageActions, m, actor, {
                  replay: { run: () => call(channelsApi.replay, { body: { id: m.id } }) },
                })}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Told this once. */
function Secret({ of: k, onDone }: { of: Made; onDone: () => void }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(k.secret!)
      message.success('已复制')
    } catch {
      message.error('浏览器不让复制，请选中后复制')
    }
  }
  return (
    <section className="channel-secret" role="status">
      <p>
        <b>{k.name}</b> 的签名密钥只显示这一次，请现在交给对方：
      </p>
      <p>
        <code>{k.secret}</code>
      </p>
      <div>
        <Button onClick={() => void copy()}>复制</Button>
        <button className="text-button" onClick={onDone}>
          我已保存
        </button>
      </div>
    </section>
  )
}
