import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { signingProgress } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import {
  type CustomerStep,
  customerAsk,
  customerStep,
  progressOf,
} from '@zhuguan/contract/features/customers/customers.record.ts'
import type { AddressOf, DataOf } from '@zhuguan/contract/kit/api.ts'
import { type DragEvent, useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { DueOf } from './customerTable.tsx'

type Column = DataOf<typeof customersApi.board>[number]
type Card = Column['cards'][number]
export type Dropped = Pick<Card, 'id' | 'name' | 'step'> & { to: CustomerStep }
/** The data that the browser carries along with a card; nobody else's drag is taken for one. */
const KIND = 'application/x-customer'

const asked = (to: CustomerStep) =>
  to === customerStep.code.signed ? customerAsk.code.sign : customerAsk.code.deposit
/**
 * The three columns of the progress, the first divided by what has happened. A card that is dropped opens what makes
 * the step; it never sets one, and goes nowhere by itself.
 */
export function CustomerBoard({
  filters,
  mark,
  mayDrag,
  onDrop,
}: {
  filters: AddressOf<typeof customersApi.board>
  mark: number
  /** The customers whose cards this person may move. */
  mayDrag: (card: { consultant_id: string | null }) => boolean
  onDrop: (dropped: Dropped) => void
}) {
  const [over, setOver] = useState<CustomerStep | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [customersApi.board.path, filters, mark],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(customersApi.board, filters, signal),
  })
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="page-wait" aria-busy="true" />
  function drop(e: DragEvent, to: CustomerStep) {
    e.preventDefault()
    setOver(null)
    const text = e.dataTransfer.getData(KIND)
    if (!text) return
    const card = JSON.parse(text) as Card
    if (card.step === to) return
    if (to < card.step)
      message.error(`${card.name} 已是“${customerStep.label(card.step)}”：进展由发生的事算出来，拖不回去`)
    else if (to >= customerStep.code.deposit && card.step < customerStep.code.quoted)
      message.error(`${card.name} 还没有审核通过的报价，不能${customerAsk.label(asked(to))}`)
    else onDrop({ ...card, to })
  }
  return (
    <div className="customer-board">
      {data.map((column) => (
        <section
          key={column.step}
          className={over === column.step ? 'customer-column over' : 'customer-column'}
          aria-label={customerStep.label(column.step)}
          onDragOver={(e) => {
            if (!e.dataTransfer.types.includes(KIND)) return
            e.preventDefault()
            setOver(column.step)
          }}
          onDragLeave={() => setOver(null)}
          onDrop={(e) => drop(e, column.step)}
        >
          <h3>
            {customerStep.label(column.step)} <b>{column.n}</b>
            <small>{signingProgress.label(progressOf(column.step))}</small>
          </h3>
          <ol>
            {column.cards.map((card) => (
              <li
                key={card.id}
                draggable={mayDrag(card)}
                onDragStart={(e) => e.dataTransfer.setData(KIND, JSON.stringify(card))}
              >
                <LinkTo page="CustomerInfo" query={{ id: card.id }}>
                  {card.name}
                </LinkTo>
                <small>{card.community || '--'}</small>
                <small className="ends">
                  <span>{card.consultantName || '公海'}</span>
                  {card.nextAt !== null && <DueOf at={card.nextAt} late={card.overdue} />}
                </small>
              </li>
            ))}
          </ol>
          {column.n > column.cards.length && (
            <p className="quiet">另外 {column.n - column.cards.length} 位在列表里</p>
          )}
        </section>
      ))}
    </div>
  )
}
