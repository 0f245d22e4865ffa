import { PAGES, type PageName } from '@zhuguan/contract/pages.ts'

/** Lists whose rows are worked off in a panel beside them. */
const WITH_PANEL: readonly PageName[] = [
  'AlarmEvent',
  'Correction',
  'ExamineList',
  'AcceptanceList',
  'ChangeGoods',
]
const PATHS: ReadonlySet<string> = new Set(WITH_PANEL.map((name) => PAGES[name].path))

/** A row's link as one that opens it over the whole list behind `list`, where both are of one such page. */
export function overList(list: string, row: string): string {
  const [path = '', search] = list.split('?')
  const [ofRow, asked] = row.split('?')
  const id = new URLSearchParams(asked).get('id')
  if (!id || path !== ofRow || !PATHS.has(path)) return row
  const to = new URLSearchParams(search)
  to.set('open', id)
  return `${path}?${to.toString()}`
}
