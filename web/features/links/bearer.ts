import { VISIT } from '@zhuguan/contract/features/links/links.record.ts'

import { randomKey } from '../../kit/api.ts'

/** The values that go along with every call behind a link. */
export interface Bearer {
  token: string
  pass: string
  device: string
}
const DEVICE = 'device'
const visit = VISIT + randomKey()
/**
 * This browser, so that it is one device however often it opens a link. One that keeps nothing, as inside some chat
 * applications, is a visit: it says so itself, and nobody takes the next one for another device.
 */
export function deviceOf(): string {
  try {
    const kept = localStorage.getItem(DEVICE)
    if (kept && /^[0-9a-f]{32}$/.test(kept)) return kept
    const made = randomKey()
    localStorage.setItem(DEVICE, made)
    return made
  } catch {
    return visit
  }
}
export const isVisit = (device: string): boolean => device.startsWith(VISIT)
