import { randomKey } from '../../kit/api.ts'

/** What goes along with every call behind a link. */
export interface Bearer {
  token: string
  pass: string
  device: string
}
const DEVICE = 'device'
/** This browser, so that it is one device however often it opens a link; one that keeps nothing comes no further. */
export function deviceOf(): string {
  const kept = localStorage.getItem(DEVICE)
  if (kept && /^[0-9a-f]{32}$/.test(kept)) return kept
  const made = randomKey()
  localStorage.setItem(DEVICE, made)
  return made
}
