import type { PackageDetail } from '@zhuguan/contract/features/packages/packages.record.ts'
import {
  MOST_DISCOUNTS,
  MOST_LINES,
  MOST_ROOMS,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { useMemo, useRef, useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { message } from '../../kit/notices.ts'
import { Sheet } from '../../kit/sheet/Sheet.tsx'
import type { SheetCommand } from '../../kit/sheet/SheetTools.tsx'
import { blankLine, type Line, type Summed, type Written } from './document.ts'
import { lineColumns } from './lineColumns.tsx'
import { countOf, fitted, leftOut, type Misfit, restored } from './packageFit.ts'
import { blankDiscount, blankRoom, discountColumns, roomColumns } from './smallColumns.ts'

const SwapDialog = lazyPart(() => import('./SwapDialog.tsx'))
const { removed } = attribute.code
/** As high as the window leaves it. */
const KEYS = [
  ['Alt 1 / 2 / 3', '到报价项、房间、优惠'],
  ['Alt P', '下载 PDF'],
  ['Ctrl S', '马上保存'],
] as const
const HEIGHT = 'var(--sheet-height)'

export interface SheetsProps {
  written: Written
  sum: Summed
  write: (change: (now: Written) => Written) => void
  undo: () => void
  redo: () => void
  /** The reason why nothing can be written. */
  frozen: string | undefined
}

export function LinesSheet({
  bc,
  items,
  misfit,
  seesCosts,
  ...p
}: SheetsProps & { bc: string; items: PackageDetail['items']; misfit: Misfit; seesCosts: boolean }) {
  const { written: w, write } = p
  const [swapping, setSwapping] = useState<Line | null>(null)
  const sums = useRef(new Map<Line, Summed['lines'][number]>())
  sums.current = useMemo(() => new Map(w.lines.map((line, i) => [line, p.sum.lines[i]!])), [w.lines, p.sum])
  const columns = useMemo(
    () => lineColumns({ rooms: w.rooms, items, bc, sumOf: (line) => sums.current.get(line), seesCosts }),
    [w.rooms, items, bc, seesCosts],
  )
  const itemOf = (line: Line) => items.find((i) => i.id === line.item_id)
  const change = (lines: readonly Line[], make: (line: Line) => Line) => {
    const ids = new Set(lines.map((l) => l.id))
    write((now) => ({ ...now, lines: now.lines.map((l) => (ids.has(l.id) ? make(l) : l)) }))
  }
  const commands: SheetCommand<Line>[] = [
    {
      keys: 'Alt+H',
      label: '换可选',
      unless: ([line, more]) => {
        if (!line || more) return '一次换一行'
        const item = itemOf(line)
        if (!item) return '只有套餐里的项可以换'
        if (item.alternatives.length === 0) return '套餐没有给这一项可换的商品'
        return line.packagePrice === null ? '正在读取套餐价，请稍候' : undefined
      },
      run: ([line]) => setSwapping(line!),
    },
    {
      keys: 'Alt+J',
      label: '减掉／恢复',
      unless: (lines) => (lines.every(itemOf) ? undefined : '只有套餐里的项可以减掉，其他的行直接删除'),
      run: (lines) =>
        change(lines, (line) => {
          const item = itemOf(line)!
          return line.attribute === removed ? restored(line, item) : leftOut(line)
        }),
    },
    {
      keys: 'Alt+B',
      label: '备选',
      run: (lines) => change(lines, (line) => ({ ...line, counts: !line.counts })),
    },
    {
      keys: 'Alt+G',
      label: '按房间重算',
      unless: () => (countOf(misfit) === 0 ? '套餐项和房间是一致的' : undefined),
      run: () => {
        write((now) => fitted(now, misfit))
        message.success(`已按房间重算 ${countOf(misfit)} 行，可以撤销`)
      },
    },
  ]
  return (
    <>
      <Sheet
        label="报价项"
        begin
        covered={swapping !== null}
        rows={w.lines}
        columns={columns}
        onChange={(lines) => write((now) => ({ ...now, lines }))}
        fresh={blankLine}
        most={MOST_LINES}
        frozen={p.frozen}
        undo={p.undo}
        redo={p.redo}
        commands={commands}
        rowTone={(line) => (line.counts ? undefined : 'line-aside')}
        height={HEIGHT}
        keys={KEYS}
        empty="还没有报价项：选一个套餐，或按 Ctrl Enter 加一行。"
      />
      {swapping && itemOf(swapping) && (
        <SwapDialog
          line={swapping}
          item={itemOf(swapping)!}
          onPut={(next) => change([swapping], () => next)}
          onClose={() => setSwapping(null)}
        />
      )}
    </>
  )
}

export const RoomsSheet = ({ written: w, write, sum: _sum, ...p }: SheetsProps) => (
  <Sheet
    label="房间"
    begin
    rows={w.rooms}
    columns={roomColumns}
    onChange={(rooms) => write((now) => ({ ...now, rooms }))}
    fresh={blankRoom}
    most={MOST_ROOMS}
    height={HEIGHT}
    keys={KEYS}
    empty="还没有房间：按 Ctrl Enter 加一行；套餐里按房间算的项要它们。"
    {...p}
  />
)
export const DiscountsSheet = ({ written: w, write, sum: _sum, ...p }: SheetsProps) => (
  <Sheet
    label="优惠"
    begin
    rows={w.discounts}
    columns={discountColumns}
    onChange={(discounts) => write((now) => ({ ...now, discounts }))}
    fresh={blankDiscount}
    most={MOST_DISCOUNTS}
    height={HEIGHT}
    keys={KEYS}
    empty="没有优惠。按 Ctrl Enter 加一笔，写明理由。"
    {...p}
  />
)
