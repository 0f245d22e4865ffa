import type { PackageDetail } from '@zhuguan/contract/features/packages/packages.record.ts'
import { priceText } from '@zhuguan/contract/kit/digits.ts'
import { Modal } from 'antd'
import { type KeyboardEvent, useRef } from 'react'

import type { Line } from './document.ts'
import { exchanged, restored } from './packageFit.ts'

type Item = PackageDetail['items'][number]

/** The package's alternatives to one of its items; arrows and Enter choose. */
export default function SwapDialog({
  line,
  item,
  onPut,
  onClose,
}: {
  line: Line
  item: Item
  onPut: (line: Line) => void
  onClose: () => void
}) {
  const list = useRef<HTMLUListElement>(null)
  const take = (next: Line) => {
    onPut(next)
    onClose()
  }
  // The dialog takes the keyboard while it opens.
  const begin = (isOpen: boolean) => isOpen && list.current?.querySelector('button')?.focus()
  const onKeyDown = (e: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key]
    if (!by) return
    e.preventDefault()
    const all = [...(list.current?.querySelectorAll('button') ?? [])]
    all[(all.indexOf(e.target as HTMLButtonElement) + by + all.length) % all.length]?.focus()
  }
  return (
    <Modal
      open
      title={`${item.name} 换成`}
      footer={null}
      afterOpenChange={begin}
      onCancel={onClose}
      width="min(560px, 94vw)"
    >
      <ul ref={list} className="swap-list" onKeyDown={onKeyDown}>
        <li>
          <button onClick={() => take(restored(line, item))}>
            <span>
              {item.name} <small>{item.detail}</small>
            </span>
            <span>套餐内</span>
          </button>
        </li>
        {item.alternatives.map((a) => (
          <li key={a.product_id}>
            <button disabled={!a.sold} onClick={() => take(exchanged(line, item, a))}>
              <span>
                {a.name} <small>{a.detail}</small>
              </span>
              <span>{a.sold ? `+${priceText(a.difference)} / ${item.unit}` : '已下架'}</span>
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
