import { roomKind } from '@zhuguan/contract/features/packages/packages.record.ts'
import {
  discountFacts,
  type DiscountFacts,
  discountKind,
  roomFacts,
  type RoomFacts,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import * as money from '@zhuguan/contract/kit/money.ts'

import { shapeOf } from '../../kit/no-schemas.ts'
import { checked } from '../../kit/sheet/checked.ts'
import type { SheetColumn, SheetRow } from '../../kit/sheet/column.ts'
import { newId } from './document.ts'

/** A text or a number that is checked as the contract says. */
function column<R extends SheetRow, K extends keyof R & string>(
  schema: unknown,
  key: K & (R[K] extends string ? K : never),
  title: string,
  width: number,
  empty?: string,
): SheetColumn<R> {
  const check = checked(schema, empty)
  return {
    key,
    title,
    width,
    right: empty !== undefined,
    text: (row) => String(row[key]),
    put: (row, text) => {
      const answer = check(text)
      return 'refused' in answer ? answer : { ...row, [key]: answer.value }
    },
  }
}
interface Coded<V> {
  label: (value: unknown) => string
  options: readonly { value: V; label: string }[]
}
const coded = <R extends SheetRow, V>(
  key: keyof R & string,
  title: string,
  width: number,
  codes: Coded<V>,
  but: readonly V[] = [],
): SheetColumn<R> => {
  const options = codes.options.filter((o) => !but.includes(o.value))
  return {
    key,
    title,
    width,
    text: (row) => codes.label(row[key]),
    put: (row, text) => {
      const option = options.find((o) => o.label === text.trim())
      if (!option) return { refused: `${title}应是${options.map((o) => o.label).join('、')}` }
      return { ...row, [key]: option.value }
    },
    offers: (_row, text) =>
      options.filter((o) => o.label.includes(text.trim())).map((o) => ({ key: o.label, text: o.label })),
  }
}

const room = shapeOf(roomFacts)
/** Names that say what kind of room it is. */
const NAMED: readonly (readonly [RegExp, RoomFacts['kind']])[] = [
  [/厨/, 'kitchen'],
  [/卫|浴/, 'bath'],
  [/阳台|露台/, 'balcony'],
  [/厅/, 'living'],
  [/卧|房/, 'bedroom'],
]
const kindOf = (name: string) => NAMED.find(([words]) => words.test(name))?.[1]
const named = column<RoomFacts, 'name'>(room.name, 'name', '房间', 120)
export const roomColumns: readonly SheetColumn<RoomFacts>[] = [
  {
    ...named,
    frozen: true,
    put: (row, text) => {
      const next = named.put!(row, text)
      if ('refused' in next) return next
      // A room that was just begun takes its kind from its name.
      return row.name === '' ? { ...next, kind: kindOf(next.name) ?? next.kind } : next
    },
  },
  coded<RoomFacts, RoomFacts['kind']>('kind', '房间类型', 90, roomKind, ['whole']),
  column<RoomFacts, 'floor'>(room.floor, 'floor', '地面 ㎡', 90, '0'),
  column<RoomFacts, 'perimeter'>(room.perimeter, 'perimeter', '周长 m', 90, '0'),
  column<RoomFacts, 'height'>(room.height, 'height', '层高 m', 90, '0'),
  column<RoomFacts, 'openings'>(room.openings, 'openings', '门窗 ㎡', 90, '0'),
  { key: 'wall', title: '墙面 ㎡', width: 90, right: true, text: (row) => money.wallArea(row) },
]
const USUAL_HEIGHT = '2.8'
export const blankRoom = (after: RoomFacts | undefined): RoomFacts => ({
  id: newId(),
  name: '',
  kind: 'other',
  floor: '0',
  perimeter: '0',
  height: after?.height ?? USUAL_HEIGHT,
  openings: '0',
})

const discount = shapeOf(discountFacts)
export const discountColumns: readonly SheetColumn<DiscountFacts>[] = [
  coded<DiscountFacts, DiscountFacts['kind']>('kind', '优惠', 100, discountKind),
  column<DiscountFacts, 'amount'>(discount.amount, 'amount', '金额（元）', 120, '0'),
  { ...column<DiscountFacts, 'reason'>(discount.reason, 'reason', '理由', 400), isWide: true },
]
export const blankDiscount = (): DiscountFacts => ({
  id: newId(),
  kind: 'offer',
  amount: '0',
  reason: '',
})
