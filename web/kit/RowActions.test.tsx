import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { type RowAction, RowActions } from './RowActions.tsx'

let root: Root
let box: HTMLElement
beforeEach(() => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  box = document.body.appendChild(document.createElement('div'))
  root = createRoot(box)
})
afterEach(() => {
  act(() => root.unmount())
  box.remove()
})
const show = (actions: RowAction[], onDone = () => {}) =>
  act(async () => root.render(<RowActions actions={actions} onDone={onDone} />))
const button = (label: string) => [...box.querySelectorAll('button')].find((b) => b.textContent === label)!
const press = (label: string) => act(async () => button(label).click())

test('what cannot be done now stays, grey, says why and does nothing', async () => {
  const run = vi.fn(async () => {})
  await show([{ key: 'finish', label: '完工', why: '还有 2 条未整改的报警，不能完工', run }])
  expect(button('完工').getAttribute('aria-disabled')).toBe('true')
  expect(button('完工').title).toBe('还有 2 条未整改的报警，不能完工')
  await press('完工')
  expect(run).not.toHaveBeenCalled()
})

test('the order is the table’s in every row; at most three buttons, the rest under 更多', async () => {
  await show(
    ['甲', '乙', '丙', '丁', '戊'].map((label, i) => ({
      key: label,
      label,
      why: i < 2 ? '现在不行' : undefined,
      run: async () => {},
    })),
  )
  expect([...box.querySelectorAll('button')].map((b) => b.textContent)).toEqual(['甲', '乙', '丙', '更多'])
})

test('an action without questions runs once and tells that it is done, also when the server refuses', async () => {
  const done = vi.fn()
  const run = vi.fn(async () => {
    throw new Error('这台设备没有绑定工地')
  })
  await show([{ key: 'unbind', label: '解绑', run }], done)
  await press('解绑')
  expect(run).toHaveBeenCalledExactlyOnceWith('')
  expect(done).toHaveBeenCalledOnce()
})

test('an action with a question waits for the answer', async () => {
  const run = vi.fn(async () => {})
  await show([{ key: 'fault', label: '报修', reason: true, run }])
  await press('报修')
  expect(run).not.toHaveBeenCalled()
})
