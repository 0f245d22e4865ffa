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
const lineText = (line: Line | undefined) =>
  line ? `${line.name} ${line.quantity} ${line.unit}，单价 ${grouped(line.price)}` : '已删去'
/** One thing that both changed: what it is, what they say and what I say. */
function told(
  id: string,
  { mine, theirs }: Pick<Clash, 'mine' | 'theirs'>,
): [what: string, theirs: string, mine: string] {
  const named = FIELDS[id]
  if (named === '套餐') return [named, theirs.sold?.name ?? '没有', mine.sold?.name ?? '没有']
  if (named) return [named, String(theirs[id as keyof Written]), String(mine[id as keyof Written])]
  const line = (of: Written) => of.lines.find((l) => l.id === id)
  const room = (of: Written) => of.rooms.find((r) => r.id === id)
  const [a, b] = [line(theirs), line(mine)]
  if (a || b) return [roomName(mine.rooms, (b ?? a)!.room_id), lineText(a), lineText(b)]
  const [there, here] = [room(theirs), room(mine)]
  if (there || here)
    return [
      '房间',
      ...([there, here].map((r) => (r ? `${r.name} ${r.floor} ㎡` : '已删去')) as [string, string]),
    ]
  const money = (of: Written) => of.discounts.find((d) => d.id === id)?.amount ?? '已删去'
  return ['优惠', money(theirs), money(mine)]
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

const SHOWN = 6
/** Two people in one quotation: what both changed, and three ways on; until one is taken nothing is sent or lost. */
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
  return (
    <div className="clash" role="alert">
      <p>
        <b>
          {clash.over ?? `${clash.who}。${clash.ids.length} 处您也改了；选好以后，其他的改动会一起合进来：`}
        </b>
        {clash.over && '；您没有保存的修改还在这里。'}
      </p>
      {!clash.over && (
        <ul>
          {clash.ids.slice(0, SHOWN).map((id) => {
            const [what, theirs, mine] = told(id, clash)
            return (
              <li key={id}>
                {what}：对方 <q>{theirs}</q>，您 <q>{mine}</q>
              </li>
            )
          })}
          {clash.ids.length > SHOWN && <li>还有 {clash.ids.length - SHOWN} 处</li>}
        </ul>
      )}
      <span className="clash-ways">
        {!clash.over && (
          <>
            <button className="button primary" onClick={() => onDecide(clash.merged)}>
              用我的
            </button>
            <button className="button" onClick={() => onDecide(takingTheirs(clash))}>
              用对方的
            </button>
          </>
        )}
        <button className={clash.over ? 'button primary' : 'button'} onClick={() => onCopy(clash.mine)}>
          另存为副本
        </button>
        {clash.over && (
          <button className="button" onClick={onGiveUp}>
            放弃我的修改
          </button>
        )}
      </span>
    </div>
  )
}
