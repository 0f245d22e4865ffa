import { type LinkKindName, previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import { Button, QRCode } from 'antd'

import { full } from '../../kit/time.ts'
import { copyText, greeting } from './shareText.ts'

import './sharing.css'

export interface Given {
  kind: LinkKindName
  token: string
  expiresAt: number
  /** To whom. */
  person: string
  /** Only while it was just chosen: afterwards nobody knows it. */
  password: string
  hasPassword: boolean
}

/** A link that can be sent: its code to scan, its address, and words to paste. */
export function ShareLink({ given: g }: { given: Given }) {
  const url = location.origin + previewOf(g.token, g.hasPassword)
  return (
    <section className="share-given">
      <QRCode value={url} size={200} />
      <div>
        <p>
          客户扫码或点开就能看，有效期至 <b>{full(g.expiresAt).slice(0, 16)}</b>。
        </p>
        {g.password && (
          <p>
            密码 <b className="share-password">{g.password}</b>
            <span className="quiet"> 只在这里显示一次，请一起告诉客户</span>
          </p>
        )}
        {!g.password && g.hasPassword && <p className="quiet">打开时要密码；忘了密码请收回后重新生成。</p>}
        <p className="share-url">{url}</p>
        <Button type="primary" onClick={() => void copyText(greeting(g.kind, g.person, url, g.password))}>
          复制到微信
        </Button>{' '}
        <Button onClick={() => void copyText(url)}>只复制链接</Button>
      </div>
    </section>
  )
}
