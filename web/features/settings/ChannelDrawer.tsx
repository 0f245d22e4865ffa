import { channelsApi } from '@zhuguan/contract/features/channels/channels.api.ts'
import {
  channelMaker,
  type ChannelMaker,
  type ChannelRow,
} from '@zhuguan/contract/features/channels/channels.record.ts'
import { causeKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'
import type { BodyOf, DataOf } from '@zhuguan/contract/kit/api.ts'

import { CodeField, ManyField, OneField, SwitchField, TextField } from '../../kit/form/fields.tsx'
import { FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { BranchField } from '../../parts/pickFields.tsx'

const { dingtalk, feishu, webhook, wecom } = channelMaker.code
const START = {
  maker: wecom as ChannelMaker,
  name: '',
  address: '',
  secret: '',
  bc_id: null,
  role: '',
  kinds: ['alarm', 'correction', 'warning'] as const,
}
const ADDRESS: Readonly<Record<ChannelMaker, string>> = {
  wecom: '群里添加机器人后给出的 Webhook 地址，https://qyapi.weixin.qq.com/ 开头',
  dingtalk: '群里添加自定义机器人后给出的地址，https://oapi.dingtalk.com/ 开头',
  feishu: '群里添加自定义机器人后给出的地址，https://open.feishu.cn/ 开头',
  webhook: '对方系统接收消息的 https 地址；签名密钥由筑管生成，保存后显示一次',
}
const isSigned = (maker: ChannelMaker) => maker === dingtalk || maker === feishu

type Body = BodyOf<typeof channelsApi.add>
type Role = { code: string; name: string }
export type Made = DataOf<typeof channelsApi.add> & { name: string }
interface Props {
  roles: readonly Role[]
  onClose: () => void
  onMade: (made: Made) => void
}

/** The causes that it hears of. */
function Reach({
  of,
  roles,
}: {
  of: Fields<Pick<Body, 'kinds' | 'bc_id' | 'role'>>
  roles: readonly Role[]
}) {
  return (
    <>
      <ManyField of={of} name="kinds" options={causeKind.options} hint="只发这些事项" />
      <BranchField of={of} name="bc_id" clear placeholder="全集团" hint="选了分公司，只发它的工地上的事" />
      <OneField
        of={of}
        name="role"
        clear
        placeholder="所有角色"
        options={roles.map((r) => ({ value: r.code, label: r.name }))}
        hint="选了角色，只发通知到这个角色的事"
      />
    </>
  )
}

/** A group or a system that is to hear of what waits. */
export function ChannelDrawer({ roles, onClose, onMade }: Props) {
  const form = useForm(channelsApi.add, { ...START, kinds: [...START.kinds] })
  const maker = form.values.maker ?? wecom
  return (
    <FormDrawer
      form={form}
      title="新建消息通道"
      done={() => ({ text: `${form.values.name} 已新建，可以试发一条` })}
      onClose={onClose}
      onDone={(data) => onMade({ ...data, name: String(form.values.name) })}
    >
      <CodeField of={form} name="maker" codes={channelMaker} also={() => ({ secret: '' })} />
      <TextField of={form} name="name" example="华东项目群" />
      <TextField of={form} name="address" hint={ADDRESS[maker]} />
      {isSigned(maker) && (
        <TextField
          of={form}
          name="secret"
          hint="机器人的安全设置选了“加签”或“签名校验”时填写；选了“自定义关键词”的，关键词填“筑管”"
        />
      )}
      <Reach of={form} roles={roles} />
      {maker === webhook && <p className="quiet">对外系统只收到编号和状态，不含姓名、电话、地址和照片。</p>}
    </FormDrawer>
  )
}

/** Where it leads to is not told again, so what is left empty stays. */
export function EditChannelDrawer({ channel: k, roles, onClose, onMade }: Props & { channel: ChannelRow }) {
  const { bc_id, id, kinds, maker, name, role, version } = k
  const start = { id, version, name, address: '', secret: '', bc_id, role, kinds, renew: false }
  const form = useForm(channelsApi.edit, start)
  return (
    <FormDrawer
      form={form}
      title={`编辑 ${name}`}
      done={() => ({ text: `${form.values.name} 已保存` })}
      onClose={onClose}
      onDone={(data) => onMade({ ...data, name: String(form.values.name) })}
    >
      <TextField of={form} name="name" />
      <TextField
        of={form}
        name="address"
        hint={`现在发到 ${channelMaker.label(maker)} ${k.host}；不换就留空，完整地址不再显示`}
      />
      {isSigned(maker) && (
        <TextField of={form} name="secret" hint="不换就留空；填了新地址的，新机器人的密钥也要填" />
      )}
      {maker === webhook && (
        <SwitchField
          of={form}
          name="renew"
          words={['换新的', '不换']}
          hint="换新的以后，原来的密钥马上失效；新的保存后显示一次"
        />
      )}
      <Reach of={form} roles={roles} />
    </FormDrawer>
  )
}
