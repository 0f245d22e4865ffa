import type { QuotationContent } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'

import { type Line, roomName, type Written } from './document.ts'
import type { Clash } from './saving.ts'

const FIELDS: Readonly<Record<string, string>> = {
  package_id: '套餐',
  area: '面积',
  taxPercent: '税率',
  validUntil: '有效期至',
  remark: '说明',
}
type Content = Pick<QuotationContent, 'rooms' | 'lines' | 'discounts'>
type Said = Pick<Line, 'name' | 'quantity' | 'unit' | 'price'>
const lineText = (line: Said | undefined, none = '已删去') =>
  line ? `${line.name} ${line.quantity} ${line.unit}，单价 ${grouped(line.price)}` : none
const valueOf = (of: Written | QuotationContent, name: string): string => {
  if (name === 'package_id') return ('sold' in of && of.sold?.name) || '没有'
  return String(of[name as 'area'])
}
const inList = <T extends { id: string }>(list: readonly T[], id: string) => list.find((one) => one.id === id)
/** One thing that is not the same in both: what it is, and what each says of it. */
function told(
  id: string,
  [a, b]: readonly [Written | QuotationContent, Written | QuotationContent],
  none?: string,
): [what: string, a: string, b: string] {
  const named = FIELDS[id]
  if (named) return [named, valueOf(a, id), valueOf(b, id)]
  const both = <T,>(find: (of: Content) => T | undefined) => [find(a as Content), find(b as Content)] as const
  const lines = both((of) => inList(of.lines, id))
  const line = lines[1] ?? lines[0]
  if (line)
    return [roomName([...b.rooms, ...a.rooms], line.room_id), lineText(lines[0], none), lineText(lines[1])]
  const rooms = both((of) => inList(of.rooms, id))
  const room = (r: (typeof rooms)[number], gone = '已删去') => (r ? `${r.name} ${r.floor} ㎡` : gone)
  if (rooms[0] || rooms[1]) return ['房间', room(rooms[0], none), room(rooms[1])]
  const money = both((of) => inList(of.discounts, id))
  return ['优惠', money[0]?.amount ?? none ?? '已删去', money[1]?.amount ?? '已删去']
}
/** Theirs where both changed the same, mine everywhere else. */
export function takingTheirs({ merged, theirs, ids }: Clash): Written {
  const clashed = new Set(ids)
  const pick = <T extends { id: string }>(both: readonly T[], other: readonly T[]): T[] =>
    both.flatMap((one) => (clashed.has(one.id) ? (other.find((o) => o.id === one.id) ?? []) : [one]))
  const heads = Object.keys(FIELDS).filter((name) => clashed.has(name))
  return {
    ...merged,
    ...(heads.includes('package_id') && { sold: theirs.sold }),
    ...(heads.includes('area') && { area: theirs.area }),
    ...(heads.includes('taxPercent') && { taxPercent: theirs.taxPercent }),
    ...(heads.includes('validUntil') && { validUntil: theirs.validUntil }),
    ...(heads.includes('remark') && { remark: theirs.remark }),
    rooms: pick(merged.rooms, theirs.rooms),
    lines: pick(merged.lines, theirs.lines),
    discounts: pick(merged.discounts, theirs.discounts),
  }
}

/** All that the other has changed, what of it both did, and then three ways on; until one is taken nothing is lost. */
export function ClashBanner({
  clash,
  onDecide,
  onCopy,
  onGiveUp,
}: {
  clash: Clash
  onDecide: (written: Written) => void
  onCopy: (written: Written) => void
  onGiveUp: () => void
}) {
  const { before, changed, ids, mine, over, theirs, who } = clash
  return (
    <div className="clash" role="alert">
      <p>
        <b>{over ?? who}</b>
        {over && '；您没有保存的修改还在这里。'}
        {changed.length > 0 && `；对方改了 ${changed.length} 处：`}
      </p>
      <ul aria-label="对方的改动" tabIndex={0}>
        {changed.map((id) => {
          const [what, was, now] = told(id, [before, theirs], '新增')
          return (
            <li key={id}>
              {what}：{id === 'package_id' ? '' : `${was} → `}
              <q>{now}</q>
            </li>
          )
        })}
      </ul>
      {!over && (
        <>
          <p>
            <b>其中 {ids.length} 处您也改了，请选用谁的；其他的改动会一起合进来：</b>
          </p>
          <ul aria-label="两边都改了的" tabIndex={0}>
            {ids.map((id) => {
              const [what, other, own] = told(id, [theirs, mine])
              return (
                <li key={id}>
                  {what}：对方 <q>{other}</q>，您 <q>{own}</q>
                </li>
              )
            })}
          </ul>
        </>
      )}
      <span className="clash-ways">
        {!over && (
          <>
            <button className="button primary" onClick={() => onDecide(clash.merged)}>
              用我的
            </button>
            <button className="button" onClick={() => onDecide(takingTheirs(clash))}>
              用对方的
            </button>
          </>
        )}
        <button className={over ? 'button primary' : 'button'} onClick={() => onCopy(clash.mine)}>
          另存为副本
        </button>
        {over && (
          <button className="button" onClick={onGiveUp}>
            放弃我的修改
          </button>
        )}
      </span>
    </div>
  )
}
