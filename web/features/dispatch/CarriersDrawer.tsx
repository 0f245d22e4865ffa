import { useQuery, useQueryClient } from '@tanstack/react-query'
import { carrierDoorApi, carriersApi } from '@zhuguan/contract/features/dispatch/carriers.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { Button, Drawer } from 'antd'
import { type FormEvent, useState } from 'react'

import { ApiError, call } from '../../kit/api.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { full, short } from '../../kit/time.ts'

import '../../parts/linksDrawer.css'
import './carriers.css'

type Told = DataOf<typeof carriersApi.add> & { name: string }

/** Carriers whose systems tell where goods are: the account that each signs with, and its secret when it is made. */
export default function CarriersDrawer({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [told, setTold] = useState<Told | null>(null)
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: [carriersApi.list.path],
    queryFn: ({ signal }) => call(carriersApi.list, {}, signal),
  })
  const refresh = () => void client.invalidateQueries({ queryKey: [carriersApi.list.path] })
  async function add(e: FormEvent) {
    e.preventDefault()
    setBusy(true)
    try {
      const made = await call(carriersApi.add, { body: { name } })
      setTold({ ...made, name: name.trim() })
      setName('')
      refresh()
    } catch (failed) {
      const fault = failed instanceof ApiError ? Object.values(failed.fields)[0] : undefined
      message.error(fault ?? (failed as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Drawer open title="承运商" size="min(640px, 100vw)" onClose={onClose}>
      <p className="quiet carrier-said">
        承运商的系统用账号和密钥签名，把运单的节点送到 {carrierDoorApi.events.path}
        ，物流跟踪里就有最新的位置；送达仍以司机或现场确认为准。
      </p>
      <form className="links-new" onSubmit={(e) => void add(e)}>
        <label htmlFor="carrier-name">承运商名称</label>
        <input
          id="carrier-name"
          className="input"
          value={name}
          maxLength={40}
          placeholder="和发货时填的承运一致，例如 德邦物流"
          onChange={(e) => setName(e.target.value)}
        />
        <Button type="primary" htmlType="submit" loading={busy} disabled={name.trim().length < 2}>
          新建
        </Button>
      </form>
      {told && <Secret of={told} onDone={() => setTold(null)} />}
      {error && <Failed error={error} again={() => void refetch()} />}
      <ol className="log links-given">
        {data?.map((k) => (
          <li key={k.id}>
            <p>
              <b>{k.name}</b> <State tone={k.stopped ? 'grey' : 'ok'}>{k.stopped ? '已停用' : '启用'}</State>
            </p>
            <small title={full(k.madeAt)}>
              账号 <code>{k.account}</code>
              <br />
              {k.madeBy} {short(k.madeAt)} 新建；
              {k.heardAt === null ? '还没有送来过节点' : `最近一次送来节点 ${short(k.heardAt)}`}
            </small>
            {!k.stopped && (
              <RowActions
                shown={2}
                onDone={refresh}
                actions={[
                  {
                    key: 'renew',
                    label: '更换密钥',
                    confirm: `更换 ${k.name} 的密钥？原来的密钥马上失效，对方换上新的以前送不来节点`,
                    run: async () =>
                      setTold({
                        ...(await call(carriersApi.renew, { body: { id: k.id } })),
                        name: k.name,
                      }),
                  },
                  {
                    key: 'stop',
                    label: '停用',
                    danger: true,
                    confirm: `停用 ${k.name}？停用以后不再接收它的节点，要恢复只能新建`,
                    run: () => call(carriersApi.stop, { body: { id: k.id } }),
                  },
                ]}
              />
            )}
          </li>
        ))}
      </ol>
      {data?.length === 0 && <p className="quiet">还没有承运商接口。</p>}
    </Drawer>
  )
}

/** Told this once. */
function Secret({ of: k, onDone }: { of: Told; onDone: () => void }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(`账号 ${k.account}\n密钥 ${k.secret}`)
      message.success('已复制')
    } catch {
      message.error('浏览器不让复制，请选中后复制')
    }
  }
  return (
    <section className="carrier-secret" role="status">
      <p>
        <b>{k.name}</b> 的密钥只显示这一次，请现在交给对方；丢了可以更换。
      </p>
      <dl>
        <dt>账号</dt>
        <dd>
          <code>{k.account}</code>
        </dd>
        <dt>密钥</dt>
        <dd>
          <code>{k.secret}</code>
        </dd>
      </dl>
      <Button onClick={() => void copy()}>复制</Button>{' '}
      <button className="text-button" onClick={onDone}>
        我已保存
      </button>
    </section>
  )
}
