import { useQuery } from '@tanstack/react-query'
import { userlogsApi } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { verdictText } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { Drawer } from 'antd'
import { useEffect, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { State } from '../../kit/State.tsx'
import { full } from '../../kit/time.ts'

import './userlogs.css'

/** The end of the chain of lines, and whether it held when somebody last walked it. */
export default function ChainDrawer({ onClose }: { onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const [walked, setWalked] = useState('')
  // Whoever closes it stops the walk.
  const closed = useRef(false)
  useEffect(() => {
    closed.current = false
    return () => void (closed.current = true)
  }, [])
  const { data, error, refetch } = useQuery({
    queryKey: [userlogsApi.chain.path],
    queryFn: ({ signal }) => call(userlogsApi.chain, {}, signal),
  })
  async function verify() {
    setBusy(true)
    try {
      let next: string | null = null
      do {
        const piece: DataOf<typeof userlogsApi.verify> = await call(userlogsApi.verify, { body: { next } })
        next = piece.next
        setWalked(`${piece.checked.toLocaleString()} / ${piece.of.toLocaleString()}`)
      } while (next && !closed.current)
      await refetch()
    } catch (e) {
      message.error((e as Error).message)
    } finally {
      setWalked('')
      setBusy(false)
    }
  }
  return (
    <Drawer
      open
      title="日志完整性"
      size="min(640px, 100vw)"
      onClose={onClose}
      footer={
        <div className="drawer-foot">
          <span className="grow" />
          <button className="button primary" disabled={busy} onClick={() => void verify()}>
            {busy ? `正在逐行核对 ${walked}…` : '现在校验'}
          </button>
        </div>
      }
    >
      <p className="quiet">
        每一条记录都带着前一条的指纹，每次封存另有签名：改动、删除或插入任何一条，从那里往后都会对不上。按个人信息请求涂黑的行有单独的签名，校验时数出来。
      </p>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data && (
        <>
          <h3>最近一次校验</h3>
          {data.verified ? (
            <Facts>
              <Fact whole name="结果">
                <State tone={data.verified.ok ? 'ok' : 'bad'}>{data.verified.ok ? '完整' : '不完整'}</State>{' '}
                {verdictText(data.verified)}
              </Fact>
              <Fact name="时间">{full(data.verified.at)}</Fact>
              <Fact name="校验人">{data.verified.nickname}</Fact>
            </Facts>
          ) : (
            <p className="quiet">还没有人校验过。</p>
          )}
          <h3>链的末尾</h3>
          {data.head ? (
            <Facts>
              <Fact name="已封存到">{`第 ${data.head.seq.toLocaleString()} 条`}</Fact>
              <Fact name="封存时间">{full(data.head.at)}</Fact>
              <Fact whole name="指纹">
                <code className="hash">{data.head.hash}</code>
              </Fact>
            </Facts>
          ) : (
            <p className="quiet">还没有封存的记录。</p>
          )}
        </>
      )}
    </Drawer>
  )
}
