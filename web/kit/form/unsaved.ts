/** The unsaved entries: each form with the tab that it stands in, '' for what belongs to none. */
const held = new Map<object, string>()
let shown = ''
const ask = (e: BeforeUnloadEvent) => e.preventDefault()

export function holdUnsaved(form: object, tab: string): void {
  held.set(form, tab)
  addEventListener('beforeunload', ask)
}
function release(form: object): void {
  held.delete(form)
  if (held.size === 0) removeEventListener('beforeunload', ask)
}
/** The form has gone from the screen. One whose tab is not the shown one is only hidden, and keeps what it has. */
export function releaseUnsaved(form: object, tab: string): void {
  if (tab === '' || tab === shown) release(form)
}

export const hasUnsaved = (tab: string): boolean => [...held.values()].includes(tab)
/** The tab closes or begins anew: what was filled in there is given up. */
export const dropUnsaved = (tab: string): void => {
  for (const [form, of] of held) if (of === tab) release(form)
}
export const showsTab = (tab: string): void => {
  shown = tab
}
