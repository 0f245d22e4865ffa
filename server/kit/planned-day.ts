import { latestDay } from '@zhuguan/contract/kit/latest-day.ts'

import { invalid } from './refuse.ts'
import type { Call } from './serve.ts'
import { shanghaiDay } from './shanghai.ts'

/** Nobody plans a delivery years ahead: it was mistyped. */
export function refuseFar(call: Pick<Call, 'now'>, field: string, name: string, day: string): void {
  if (day > latestDay(shanghaiDay(call.now()))) throw invalid(field, `${name}不能晚于两年后`)
}
/** A day on which goods shall come: not gone, and not far ahead. */
export function checkDay(call: Pick<Call, 'now'>, field: string, name: string, day: string): void {
  if (day < shanghaiDay(call.now())) throw invalid(field, `${name}不能早于今天`)
  refuseFar(call, field, name, day)
}
