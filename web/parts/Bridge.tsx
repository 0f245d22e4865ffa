import {
  type Compared,
  type ComparedLine,
  compareVersions,
  type LineChange,
  linesOfStep,
} from '@zhuguan/contract/features/quotations/quotations.compare.ts'
import { attribute, type Bridge as Sum } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'
import * as money from '@zhuguan/contract/kit/money.ts'
import { Drawer } from 'antd'
import { Fragment, type ReactNode, useMemo, useState } from 'react'

import '../kit/plainTable.css'
import './bridge.css'

export type Step = keyof Sum
const STEPS: readonly (readonly [step: Step, label: string])[] = [
  ['package', '套餐价'],
  ['removed', '减项'],
  ['adjusted', '部分调整'],
  ['added', '增项'],
  ['discount', '优惠'],
  ['total', '合计'],
]
/** A figure of many digits breaks behind a comma, where it must. */
export const Figure = ({ text }: { text: string }) =>
  text.split(/(?<=,)/).map((part, i) => (
    <Fragment key={i}>
      {part}
      <wbr />
    </Fragment>
  ))
const signed = (amount: string): string => `${money.compare(amount, '0') > 0 ? '+' : ''}${grouped(amount)}`

/** The beginning and end of a step's bar, in hundredths of the highest point; for the eye alone. */
function barsOf(sum: Sum): Record<Step, { from: number; to: number }> {
  let level = 0
  const ends = STEPS.map(([step]) => {
    const from = step === 'total' ? 0 : level
    level = step === 'total' ? Number(sum.total) : level + Number(sum[step])
    return { step, from, to: level }
  })
  const top = Math.max(1, ...ends.flatMap((e) => [e.from, e.to]))
  const share = (n: number) => Math.max(0, Math.round((n / top) * 100))
  return Object.fromEntries(
    ends.map((e) => [e.step, { from: share(Math.min(e.from, e.to)), to: share(Math.max(e.from, e.to)) }]),
  ) as Record<Step, { from: number; to: number }>
}

interface Shown {
  label: string
  body: ReactNode
}
/** From the package to the total; each step opens what it is made of. */
function Steps({
  sum,
  label,
  amountOf,
  noteOf,
  contentOf,
  after,
}: {
  sum: Sum
  label: string
  amountOf: (step: Step) => string
  noteOf: (step: Step) => string
  contentOf: (step: Step) => ReactNode
  after?: ReactNode
}) {
  const [open, setOpen] = useState<Shown | null>(null)
  const bars = barsOf(sum)
  return (
    <div className="bridge" role="group" aria-label={label}>
      <ol>
        {STEPS.map(([step, name]) => (
          <li key={step} data-step={step}>
            <button
              type="button"
              disabled={!contentOf(step)}
              onClick={() => setOpen({ label: name, body: contentOf(step) })}
            >
              <span className="bridge-bar" aria-hidden="true">
                <i
                  style={{
                    insetBlockEnd: `${bars[step].from}%`,
                    blockSize: `${bars[step].to - bars[step].from}%`,
                  }}
                />
              </span>
              <span className="bridge-name">{name}</span>
              <b className="num">
                <Figure text={amountOf(step)} />
              </b>
              <small>{noteOf(step)}</small>
            </button>
          </li>
        ))}
      </ol>
      {after}
      {open && (
        <Drawer open title={open.label} size="min(820px, 100vw)" onClose={() => setOpen(null)}>
          {open.body}
        </Drawer>
      )}
    </div>
  )
}

/** The sums of a document, from its package to its total. */
export function Bridge({
  sum,
  lines,
  packageName,
  discounts = [],
  after,
}: {
  sum: Sum
  lines: readonly ComparedLine[]
  packageName: string
  discounts?: readonly { id: string; amount: string; reason: string }[]
  /** Beside the steps: margin, price of a square metre. */
  after?: ReactNode
}) {
  const of = (step: Step) => linesOfStep(step, lines)
  const note = (step: Step) => {
    if (step === 'discount') return discounts.length ? `${discounts.length} 笔` : ''
    if (step === 'package') return packageName || '没有套餐'
    return step === 'total' ? '' : `${of(step).length} 行`
  }
  return (
    <Steps
      sum={sum}
      label="价格构成"
      amountOf={(step) => (step === 'package' || step === 'total' ? grouped(sum[step]) : signed(sum[step]))}
      noteOf={note}
      contentOf={(step) => {
        if (step === 'discount') return discounts.length > 0 && <Discounts discounts={discounts} />
        return of(step).length > 0 && <BridgeLines lines={of(step)} isInside={step === 'package'} />
      }}
      after={after}
    />
  )
}
const Discounts = ({
  discounts,
}: {
  discounts: readonly { id: string; amount: string; reason: string }[]
}) => (
  <table className="plain-table">
    <tbody>
      {discounts.map((d) => (
        <tr key={d.id}>
          <td>{d.reason}</td>
          <td className="right">−{grouped(d.amount)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
const BridgeLines = ({ lines, isInside }: { lines: readonly ComparedLine[]; isInside: boolean }) => (
  <table className="plain-table">
    <thead>
      <tr>
        <th>房间</th>
        <th>名称</th>
        <th className="right">数量</th>
        {!isInside && <th className="right">单价</th>}
        {!isInside && <th className="right">金额</th>}
      </tr>
    </thead>
    <tbody>
      {lines.map((line) => (
        <tr key={line.id}>
          <td>{line.room}</td>
          <td>
            {line.name} <small>{line.detail}</small>
          </td>
          <td className="right">
            {line.priced} {line.unit}
          </td>
          {!isInside && <td className="right">{priceText(line.price)}</td>}
          {!isInside && <td className="right">{grouped(line.amount)}</td>}
        </tr>
      ))}
    </tbody>
  </table>
)

const KINDS = { added: '新增', removed: '删去', changed: '修改' } as const
const attributeOf = (change: LineChange) => (change.line ?? change.before).attribute
/** Two versions: what each step has more or less, and which lines make it. */
export function BridgeDifference({
  before,
  after,
  names,
}: {
  before: Compared
  after: Compared
  names: readonly [before: string, after: string]
}) {
  const { bridge, changes } = useMemo(() => compareVersions(before, after), [before, after])
  const codes: Partial<Record<Step, number>> = attribute.code
  const of = (step: Step) =>
    step === 'total'
      ? changes
      : changes.filter((c) => attributeOf(c) === codes[step] || c.before?.attribute === codes[step])
  return (
    <>
      <Steps
        sum={after.sum}
        label={`${names[0]} 到 ${names[1]}`}
        amountOf={(step) => (money.isZero(bridge[step]) ? '不变' : signed(bridge[step]))}
        noteOf={(step) => `${grouped(before.sum[step])} → ${grouped(after.sum[step])}`}
        contentOf={(step) => of(step).length > 0 && <Changes changes={of(step)} names={names} />}
      />
      {changes.length > 0 ? (
        <Changes changes={changes} names={names} />
      ) : (
        <p className="quiet">两个版本的每一行都一样。</p>
      )}
    </>
  )
}
function told(line: ComparedLine | null): string {
  if (!line) return '--'
  const aside = line.counts ? '' : '（备选）'
  return `${attribute.label(line.attribute)} ${line.priced} ${line.unit} × ${priceText(line.price)}${aside}`
}
const Changes = ({
  changes,
  names,
}: {
  changes: readonly LineChange[]
  names: readonly [before: string, after: string]
}) => (
  <table className="plain-table bridge-changes">
    <thead>
      <tr>
        <th>变化</th>
        <th>房间</th>
        <th>名称</th>
        <th>{names[0]}</th>
        <th>{names[1]}</th>
        <th className="right">金额变化</th>
      </tr>
    </thead>
    <tbody>
      {changes.map((change) => {
        const line = change.line ?? change.before
        const renamed = change.kind === 'changed' && change.before.name !== change.line.name
        return (
          <tr key={line.id}>
            <td>
              <span data-kind={change.kind}>{KINDS[change.kind]}</span>
            </td>
            <td>{line.room}</td>
            <td>
              {renamed && <del>{change.before.name}</del>} {line.name}
            </td>
            <td>{told(change.before)}</td>
            <td>{told(change.line)}</td>
            <td className="right">{signed(change.delta)}</td>
          </tr>
        )
      })}
    </tbody>
  </table>
)
