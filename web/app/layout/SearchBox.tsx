import { useQuery } from '@tanstack/react-query'
import { searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { Input, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'

import { call } from '../../kit/api.ts'
import { everyEntryOf, useSession } from '../../parts/session.ts'

const KIND = {
  page: '页面',
  site: '工地',
  device: '设备',
  worker: '工人',
  owner: '业主',
  product: '商品',
  package: '套餐',
  customer: '客户',
  quotation: '报价单',
  contract: '合同',
  order: '订单',
  note: '发货单',
  sheet: '验收单',
  goodsChange: '退换补',
  statement: '对账单',
  promise: '承诺',
  question: '待业主决定',
  case: '案例',
  feedback: '反馈',
  message: '业主留言',
} as const
const WAIT_MS = 200

/** Pages, sites, workers and devices that this user may see; arrows and Enter. */
export default function SearchBox({ onClose }: { onClose: () => void }) {
  const session = useSession()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  const [at, setAt] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data, isFetching } = useQuery({
    queryKey: [searchApi.all.path, asked],
    enabled: asked !== '',
    queryFn: ({ signal }) => call(searchApi.all, { query: { keyword: asked } }, signal),
  })
  const pages = everyEntryOf(session)
    .filter((e) => e.item.visible && e.item.name.includes(text.trim()))
    .map((e) => ({
      kind: 'page' as const,
      id: e.item.path,
      title: e.item.name,
      detail: e.group?.name ?? '',
      link: e.item.path,
    }))
  const hits = [...pages, ...(asked ? (data ?? []) : [])]
  // What stands there is of words that were typed before, until the answer has come: Enter waits for it.
  const isOld = asked !== text.trim() || isFetching
  const [isWaiting, setWaiting] = useState(false)
  const open = (link: string | undefined) => {
    if (!link) return
    onClose()
    void navigate(link)
  }
  const chosen = hits[at]
  function enter() {
    if (isOld && at >= pages.length) {
      setAsked(text.trim())
      setWaiting(true)
    } else open(chosen?.link)
  }
  useEffect(() => {
    if (!isWaiting || isOld) return
    setWaiting(false)
    open(chosen?.link)
  }, [isWaiting, isOld])
  return (
    <Modal
      open
      onCancel={onClose}
      footer={null}
      closable={false}
      width={560}
      style={{ top: 80 }}
      styles={{ body: { padding: 0 } }}
      title={<span className="sr-only">搜索</span>}
    >
      <Input
        autoFocus
        size="large"
        placeholder="搜索页面、工地、工人、设备、商品、单号"
        value={text}
        onChange={(e) => {
          setText(e.target.value)
          setAt(0)
          setWaiting(false)
        }}
        aria-label="搜索"
        onKeyDown={(e) => {
          if (e.key === 'ArrowDown') setAt((n) => Math.min(n + 1, hits.length - 1))
          else if (e.key === 'ArrowUp') setAt((n) => Math.max(n - 1, 0))
          else if (e.key === 'Enter') enter()
          else return
          e.preventDefault()
        }}
      />
      <ul className="hits">
        {hits.map((h, i) => (
          <li key={`${h.kind}${h.id}`}>
            <button
              className={i === at ? 'on' : ''}
              onMouseEnter={() => setAt(i)}
              onClick={() => open(h.link)}
            >
              <em>{KIND[h.kind]}</em>
              <b>{h.title}</b>
              <small>{h.detail}</small>
            </button>
          </li>
        ))}
        {asked && !isFetching && hits.length === 0 && (
          <li className="quiet">
            没有找到“{asked}
            ”。可以输入工地编号、小区名、业主或工人姓名、电话后四位、设备序列号、商品编码，或订单、发货单等的单号。
          </li>
        )}
      </ul>
    </Modal>
  )
}
