import type { WallSite } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { expect, test } from 'vitest'

import { dueOf, earlyText, wallText } from './waiting.ts'

const NINE = Date.parse('2026-11-22T09:00:00+08:00') / 1000
const task = (more: Partial<WallSite['tasks'][number]> = {}): WallSite['tasks'][number] => ({
  id: 'one',
  kind: 'remote',
  planName: '云巡检',
  state: 1,
  opensAt: NINE,
  closesAt: NINE + 3_600,
  mine: true,
  ...more,
})
const site = (...tasks: WallSite['tasks']) => ({ tasks }) as WallSite

test('before its window a task says from when it counts, and no verdict is handed in for it', () => {
  const early = NINE - 60
  expect(wallText(task(), early)).toBe('巡检 09:00 起')
  expect(dueOf(site(task()), early)).toBeUndefined()
  expect(earlyText(site(task()), early)).toBe('现在看不算今天的巡检，09:00 起才算')
  expect(earlyText(site(task({ mine: false })), early)).toBeUndefined()
  expect(earlyText(site(), early)).toBeUndefined()
  // Of two that are asked for the one whose window is open counts.
  expect(earlyText(site(task(), task({ id: 'open', opensAt: early - 60, state: 2 })), early)).toBeUndefined()
})

test('when the window opens while the wall is open, the task is due', () => {
  expect(wallText(task(), NINE)).toBe('待巡检')
  expect(dueOf(site(task()), NINE)?.id).toBe('one')
  expect(earlyText(site(task()), NINE)).toBeUndefined()
  expect(wallText(task(), NINE + 3_601)).toBe('已过时间')
})
