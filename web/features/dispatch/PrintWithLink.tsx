import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { linkKind, previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import { Button, Modal, QRCode } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

import { call } from '../../kit/api.ts'
import { message } from '../../kit/notices.ts'
import { full, nowSeconds } from '../../kit/time.ts'

import '../../kit/plainTable.css'
import './notes.css'

interface Given {
  url: string
  expiresAt: number
}
/**
 * A paper for the driver, of a note or of a trip. The secret of a link is told only when it is made, so a code to scan
 * means a new link: that is asked first.
 */
export function PrintWithLink({
  title,
  code,
  target,
  mayLink,
  onClose,
  children,
}: {
  title: string
  code: string
  /** The page of a driver's link. */
  target: string
  mayLink: boolean
  onClose: () => void
  children: ReactNode
}) {
  const [paper, setPaper] = useState<{ link: Given | null } | null>(mayLink ? null : { link: null })
  const [busy, setBusy] = useState(false)
  async function withLink() {
    setBusy(true)
    try {
      const body = { kind: linkKind.code.driver, target_id: target, person: `${title}上的二维码` }
      const { expiresAt, token } = await call(linksApi.create, { body })
      setPaper({ link: { url: location.origin + previewOf(token), expiresAt } })
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  if (paper)
    return (
      <Paper title={title} code={code} link={paper.link} onDone={onClose}>
        {children}
      </Paper>
    )
  return (
    <Modal
      open
      title={`打印${title} ${code}`}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={() => setPaper({ link: null })}>只打印</Button>
          <Button type="primary" loading={busy} onClick={() => void withLink()}>
            新建链接并打印
          </Button>
        </>
      }
    >
      <p>要不要在{title}上印司机的二维码？司机扫码就能报到哪了、交货拍照，不用登录。</p>
      <p className="quiet">
        印二维码会新建一条 3 天有效的司机链接，谁拿到纸谁就能用；可以在“司机链接”里收回。
      </p>
    </Modal>
  )
}

export const PaperLine = ({ name, children }: { name: string; children: ReactNode }) => (
  <p>
    <span>{name}</span>
    <b>{children || '　'}</b>
  </p>
)
function Paper({
  title,
  code,
  link,
  onDone,
  children,
}: {
  title: string
  code: string
  link: Given | null
  onDone: () => void
  children: ReactNode
}) {
  useEffect(() => {
    addEventListener('afterprint', onDone)
    print()
    return () => removeEventListener('afterprint', onDone)
  }, [])
  return createPortal(
    <article className="note-paper">
      <header>
        <div>
          <h1>{title}</h1>
          <p>{code}</p>
        </div>
        {link && (
          <figure>
            <QRCode value={link.url} type="svg" size={120} bordered={false} color="#000" bgColor="#fff" />
            <figcaption>司机扫码交货，{full(link.expiresAt).slice(0, 16)} 前有效</figcaption>
          </figure>
        )}
      </header>
      {children}
      <div className="note-paper-signs">
        <span>送货人：</span>
        <span>收货人：</span>
        <span>收货日期：</span>
      </div>
      <footer>{full(nowSeconds())} 打印。数量不符或有破损，请在签字前写明。</footer>
    </article>,
    document.body,
  )
}
