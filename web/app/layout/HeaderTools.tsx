import { useQuery, useQueryClient } from '@tanstack/react-query'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { subsystem } from '@zhuguan/contract/features/session/session.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { call } from '../../kit/api.ts'
import { Opener } from '../../kit/Floating.tsx'
import { fullScreen } from '../../kit/fullScreen.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { useConnected, useLive, useOnline } from '../../kit/live.ts'
import { MenuList } from '../../kit/MenuList.tsx'
import { message } from '../../kit/notices.ts'
import { ago } from '../../kit/time.ts'
import { Icon } from '../../parts/Icon.tsx'
import { chooseSystem, logOut, systemsOf, useActor, useMayOpen, useSession } from '../../parts/session.ts'

const AwayDrawer = lazyPart(() => import('../../parts/AwayDrawer.tsx'))
const PasswordDrawer = lazyPart(() => import('./PasswordDrawer.tsx'))
const MailDrawer = lazyPart(() => import('./MailDrawer.tsx'))
const TotpDrawer = lazyPart(() => import('./TotpDrawer.tsx'))
const SettingsDrawer = lazyPart(() => import('./SettingsDrawer.tsx'))

const nothing = () => {}
const LINK = { live: '实时', again: '重连中', none: '已断网' }
const LINK_TITLE = {
  live: '实时消息已连接',
  again: '实时消息未连接，正在重连',
  none: '这台设备没有网络，页面上是断网前的数据；网络恢复后自动更新',
}
function linkOf(isOnline: boolean, isConnected: boolean): keyof typeof LINK {
  if (!isOnline) return 'none'
  return isConnected ? 'live' : 'again'
}

export function HeaderTools({ onSearch, phone }: { onSearch: () => void; phone: boolean }) {
  const { info, system } = useSession()
  const navigate = useNavigate()
  const [drawer, setDrawer] = useState<'away' | 'mail' | 'password' | 'totp' | 'settings' | null>(null)
  const systems = systemsOf(info)
  const connected = useConnected()
  const link = linkOf(useOnline(), connected)
  const actor = useActor()
  // The person who supervises others finds themselves among them.
  const supervised =
    useMayOpen('ManageSupervise') &&
    hasPermission(actor, 'manage:remark') &&
    !hasPermission(actor, 'manage:supervise')
  return (
    <div className="tools">
      <button className="search-open" onClick={onSearch} aria-label={phone ? '搜索' : undefined}>
        <Icon name="search" size={16} />
        {!phone && (
          <>
            <span>搜索</span>
            <kbd>Ctrl K</kbd>
          </>
        )}
      </button>
      {!phone && (
        <span className={`live-dot${connected ? ' on' : ''}`} title={LINK_TITLE[link]}>
          {LINK[link]}
        </span>
      )}
      <Bell />
      {systems.length > 1 && (
        <Opener
          align="end"
          button={
            <button className="icon-button" aria-label="切换系统">
              <Icon name="swap" />
            </button>
          }
        >
          {(close) => (
            <MenuList
              entries={systems.map((s) => ({ key: s, label: subsystem.label(s), disabled: s === system }))}
              onPick={(key) => {
                close()
                void navigate(chooseSystem(key as typeof system))
              }}
            />
          )}
        </Opener>
      )}
      {!phone && (
        <button className="icon-button" aria-label="全屏" onClick={fullScreen}>
          <Icon name="full" />
        </button>
      )}
      <button className="icon-button" aria-label="界面设置" onClick={() => setDrawer('settings')}>
        <Icon name="gear" />
      </button>
      <Opener
        align="end"
        button={
          <button className="me" aria-label={phone ? info.user.nickname : undefined}>
            <Icon name="user" />
            {!phone && <span>{info.user.nickname}</span>}
          </button>
        }
      >
        {(close) => (
          <MenuList
            entries={[
              { key: 'away', label: '我不在' },
              ...(supervised ? [{ key: 'supervise', label: '我的监督指标' }] : []),
              { key: 'mail', label: '消息设置' },
              { key: 'password', label: '修改密码' },
              { key: 'totp', label: '动态验证码' },
              { key: 'out', label: '退出登录' },
            ]}
            onPick={(key) => {
              close()
              if (key === 'out') void logOut()
              else if (key === 'supervise') void navigate(linkTo('ManageSupervise', { id: info.user.id }))
              else setDrawer(key as 'away' | 'mail' | 'password' | 'totp')
            }}
          />
        )}
      </Opener>
      {(drawer === 'password' || info.user.mustChange) && <PasswordDrawer onClose={() => setDrawer(null)} />}
      {drawer === 'away' && <AwayDrawer onClose={() => setDrawer(null)} onDone={nothing} />}
      {drawer === 'mail' && <MailDrawer onClose={() => setDrawer(null)} onDone={() => setDrawer(null)} />}
      {drawer === 'totp' && <TotpDrawer onClose={() => setDrawer(null)} />}
      {drawer === 'settings' && <SettingsDrawer onClose={() => setDrawer(null)} />}
    </div>
  )
}

function Bell() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data } = useQuery({
    queryKey: [notificationsApi.list.path],
    queryFn: ({ signal }) => call(notificationsApi.list, {}, signal),
  })
  useLive(['notification'], () => void client.invalidateQueries({ queryKey: [notificationsApi.list.path] }))
  const read = (ids?: string[]) =>
    void call(notificationsApi.read, { body: { ids } }).then(
      () => client.invalidateQueries({ queryKey: [notificationsApi.list.path] }),
      (error: Error) => message.error(error.message),
    )
  return (
    <Opener
      align="end"
      className="bell-box"
      button={
        <button
          className="icon-button bell"
          aria-label={data?.unread ? `通知，${data.unread} 条未读` : '通知'}
        >
          <Icon name="bell" />
          {!!data?.unread && <sup>{data.unread > 99 ? '99+' : data.unread}</sup>}
        </button>
      }
    >
      {(close) => (
        <>
          <header>
            <b>通知</b>
            {!!data?.unread && (
              <button className="text-button" onClick={() => read()}>
                全部已读
              </button>
            )}
          </header>
          {data?.list.length ? (
            data.list.map((n) => (
              <button
                key={n.id}
                className={`bell-line${n.read ? '' : ' unread'}`}
                onClick={() => {
                  close()
                  read([n.id])
                  void navigate(n.link)
                }}
              >
                <span>
                  {n.title}
                  {n.times > 1 && <em title={`同一件事提醒了 ${n.times} 次`}> ×{n.times}</em>}
                </span>
                <small>{ago(n.at)}</small>
              </button>
            ))
          ) : (
            <p className="quiet">没有通知。有事指派给您时，会在这里出现。</p>
          )}
        </>
      )}
    </Opener>
  )
}
