import { grouped } from '../../kit/digits.ts'
import * as money from '../../kit/money.ts'
import type { QuotationLine, QuotationSum } from './quotations.record.ts'
import { attribute, type Bridge } from './quotations.sum.ts'

/** What a line needs to be told from another one. */
export type ComparedLine = Pick<
  QuotationLine,
  | 'id'
  | 'attribute'
  | 'name'
  | 'detail'
  | 'unit'
  | 'quantity'
  | 'waste'
  | 'priced'
  | 'price'
  | 'amount'
  | 'counts'
> & { room: string }
export interface Compared {
  sum: Pick<QuotationSum, keyof Bridge>
  lines: readonly ComparedLine[]
}
export type LineChange =
  | { kind: 'added'; line: ComparedLine; before: null; delta: string }
  | { kind: 'removed'; line: null; before: ComparedLine; delta: string }
  | { kind: 'changed'; line: ComparedLine; before: ComparedLine; delta: string }
export interface Comparison {
  /** Step by step what the later one has more, or less. */
  bridge: Bridge
  changes: LineChange[]
}

const TOLD = ['attribute', 'name', 'detail', 'unit', 'quantity', 'waste', 'price', 'counts', 'room'] as const
const counted = (line: ComparedLine | undefined) => (line?.counts ? line.amount : '0')
const deltaOf = (before?: ComparedLine, after?: ComparedLine) => money.minus(counted(after), counted(before))

/** Two versions, line by line: a line keeps its number over all versions. */
export function compareVersions(before: Compared, after: Compared): Comparison {
  const [was, is] = [before, after].map((v) => new Map(v.lines.map((line) => [line.id, line])))
  const step = (name: keyof Bridge) => money.minus(after.sum[name], before.sum[name])
  const bridge = {
    package: step('package'),
    removed: step('removed'),
    adjusted: step('adjusted'),
    added: step('added'),
    discount: step('discount'),
    total: step('total'),
  }
  const changes: LineChange[] = [
    ...before.lines
      .filter((line) => !is!.has(line.id))
      .map((line) => ({ kind: 'removed' as const, line: null, before: line, delta: deltaOf(line) })),
    ...after.lines.flatMap((line): LineChange[] => {
      const old = was!.get(line.id)
      if (!old) return [{ kind: 'added', line, before: null, delta: deltaOf(undefined, line) }]
      if (TOLD.every((field) => old[field] === line[field]) && old.amount === line.amount) return []
      return [{ kind: 'changed', line, before: old, delta: deltaOf(old, line) }]
    }),
  ]
  return { bridge, changes }
}

/** In a few words, for a list: “新增 2 行，修改 1 行，合计 +3,200.00”; nothing where both are the same. */
export function comparisonText({ bridge, changes }: Comparison): string {
  const many = (kind: LineChange['kind']) => changes.filter((c) => c.kind === kind).length
  const parts = [
    [many('added'), '新增'],
    [many('changed'), '修改'],
    [many('removed'), '删去'],
  ].flatMap(([n, word]) => (n ? [`${word} ${n} 行`] : []))
  const isMore = money.compare(bridge.total, '0') > 0
  const total = money.isZero(bridge.total) ? '合计不变' : `合计 ${isMore ? '+' : ''}${grouped(bridge.total)}`
  return parts.length || !money.isZero(bridge.total) ? [...parts, total].join('，') : ''
}

/** The lines that make up a step of the bridge. */
export const linesOfStep = <L extends Pick<ComparedLine, 'attribute' | 'counts'>>(
  step: keyof Bridge,
  lines: readonly L[],
): L[] => {
  const codes: Partial<Record<keyof Bridge, number>> = attribute.code
  return lines.filter((line) => line.counts && line.attribute === codes[step])
}
