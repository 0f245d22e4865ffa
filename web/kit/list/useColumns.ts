import { useKeep, useKept } from '../kept.ts'
import { useMedia } from '../usePhone.ts'

export interface Choice {
  hidden: string[]
  order: string[]
  /** Stay at the left while the others are scrolled. */
  pinned: string[]
}
interface Chosen {
  key: string
  fixed?: boolean
  /** Hidden where the window is not wide, until somebody chooses. */
  wide?: boolean
}
const WIDE = '(min-width: 1600px)'

/** Fixed columns in front, then the pinned, then the others as the user put them; new ones at their own place. */
export function arrange<C extends Chosen>(
  columns: readonly C[],
  order: readonly string[],
  pinned: readonly string[] = [],
): C[] {
  const group = (c: C) => [c.fixed, pinned.includes(c.key), true].findIndex(Boolean)
  const place = (c: C, i: number) => (!c.fixed && order.includes(c.key) ? order.indexOf(c.key) : i)
  return columns
    .map((c, i) => ({ c, i, group: group(c), place: place(c, i) }))
    .sort((a, b) => a.group - b.group || a.place - b.place || a.i - b.i)
    .map(({ c }) => c)
}

/** The columns that are shown, as an address says them: in order, a star behind what is pinned. */
export const columnsToText = (columns: readonly Chosen[], choice: Choice): string =>
  arrange(columns, choice.order, choice.pinned)
    .filter((c) => c.fixed || !choice.hidden.includes(c.key))
    .map((c) => c.key + (choice.pinned.includes(c.key) && !c.fixed ? '*' : ''))
    .join(',')

export function columnsFromText(columns: readonly Chosen[], text: string): Choice {
  const asked = text.split(',').filter(Boolean)
  const order = asked.map((k) => k.replace('*', ''))
  return {
    order,
    pinned: asked.filter((k) => k.endsWith('*')).map((k) => k.slice(0, -1)),
    hidden: columns.filter((c) => !c.fixed && !order.includes(c.key)).map((c) => c.key),
  }
}

/**
 * Which columns a user sees, in which order and which stay at the left, is kept with the user, not with the machine.
 * An address may ask for its own (`asked`); whoever then changes a column has made them their own.
 */
export function useColumns<C extends Chosen>(
  name: string,
  columns: readonly C[],
  asked = '',
  onOwn: () => void = () => {},
) {
  const keep = useKeep()
  const data = useKept(name)
  const isWide = useMedia(WIDE)
  const usual: Choice = {
    hidden: columns.filter((c) => c.wide && !isWide).map((c) => c.key),
    order: [],
    pinned: [],
  }
  const choice: Choice = asked
    ? columnsFromText(columns, asked)
    : { ...usual, ...(data as Partial<Choice> | null) }
  const choose = (change: Partial<Choice>) => {
    save({ ...choice, ...change })
  }
  const save = (value: Partial<Choice>) => {
    if (asked) onOwn()
    void keep(name, { ...value }).catch(() => {})
  }
  const all = arrange(columns, choice.order, choice.pinned)
  const flip = (list: string[], key: string) =>
    list.includes(key) ? list.filter((k) => k !== key) : [...list, key]
  return {
    all,
    shown: all.filter((c) => c.fixed || !choice.hidden.includes(c.key)),
    text: asked || (data ? columnsToText(columns, choice) : ''),
    isHidden: (key: string) => choice.hidden.includes(key),
    isPinned: (key: string) => choice.pinned.includes(key),
    toggle: (key: string) => choose({ hidden: flip(choice.hidden, key) }),
    pin: (key: string) =>
      choose({ pinned: flip(choice.pinned, key), hidden: choice.hidden.filter((k) => k !== key) }),
    /** Puts one column where another stands. */
    move: (key: string, to: string) => {
      const order = all.map((c) => c.key)
      const at = order.indexOf(to)
      order.splice(order.indexOf(key), 1)
      order.splice(at, 0, key)
      choose({ order })
    },
    reset: () => save({}),
  }
}
