import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { AskDrawer, Field } from './AskDrawer.tsx'

let root: Root
beforeEach(() => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.innerHTML = ''
})
const press = (label: string) =>
  act(async () => {
    ;[...document.querySelectorAll('button')]
      .findLast((b) => b.textContent?.replace(/\s/g, '') === label)!
      .click()
    await new Promise((r) => setTimeout(r, 150))
  })

test('an untouched form closes at once; a changed one asks, stays on 取消 and leaves on 确定', async () => {
  const onClose = vi.fn()
  act(() =>
    root.render(
      <AskDrawer title="编辑" ready send={async () => {}} done="已保存" onClose={onClose} onDone={() => {}}>
        {() => (
          <Field label="名称">
            <input />
          </Field>
        )}
      </AskDrawer>,
    ),
  )
  await press('取消')
  expect(onClose).toHaveBeenCalledTimes(1)
  act(() => void document.querySelector('input')!.dispatchEvent(new Event('input', { bubbles: true })))
  await press('取消')
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(document.body.textContent).toContain('还没有保存')
  const leaving = new Event('beforeunload', { cancelable: true })
  dispatchEvent(leaving)
  expect(leaving.defaultPrevented).toBe(true)
  await press('确定')
  expect(onClose).toHaveBeenCalledTimes(2)
})
