import { channelsApi } from '@zhuguan/contract/features/channels/channels.api.ts'
import { channelMaker, type ChannelMaker } from '@zhuguan/contract/features/channels/channels.record.ts'
import { causeKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'

import { CodeField, ManyField, OneField, TextField } from '../../kit/form/fields.tsx'
import { FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
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
  wecom: '群里添加机器人以后给出的 Webhook 地址，https://qyapi.weixin.qq.com/ 开头',
  dingtalk: '群里添加自定义机器人以后给出的地址，https://oapi.dingtalk.com/ 开头',
  feishu: '群里添加自定义机器人以后给出的地址，https://open.feishu.cn/ 开头',
  webhook: '对方系统接收消息的 https 地址；签名密钥由筑管生成，保存后显示一次',
}

export type Made = DataOf<typeof channelsApi.add> & { name: string }

/** A group or a system that is to hear of what waits. */
export function ChannelDrawer({
  roles,
  onClose,
  onMade,
}: {
  roles: readonly { code: string; name: string }[]
  onClose: () => void
  onMade: (made: Made) => void
}) {
  const form = useForm(channelsApi.add, { ...START, kinds: [...START.kinds] })
  const maker = form.values.maker ?? wecom
  const isSigned = maker === dingtalk || maker === feishu
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
      {isSigned && (
        <TextField
          of={form}
          name="secret"
          hint="机器人的安全设置选了“加签”或“签名校验”时填写；没有选的留空"
        />
      )}
      <ManyField of={form} name="kinds" options={causeKind.options} hint="只发这些事项" />
      <BranchField
        of={form}
        name="bc_id"
        clear
        placeholder="全集团"
        hint="选了分公司，只发这个分公司工地上的事"
      />
      <OneField
        of={form}
        name="role"
        clear
        options={roles.map((r) => ({ value: r.code, label: r.name }))}
        hint="选了角色，只发通知到这个角色的事"
      />
      {maker === webhook && <p className="quiet">对外系统只收到编号和状态，不含姓名、电话、地址和照片。</p>}
    </FormDrawer>
  )
}
