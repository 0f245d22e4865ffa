import { defineApi, nothing } from '@zhuguan/contract/kit/api.ts'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'

import { NumberField, TextField } from './fields.tsx'
import { FormDrawer } from './FormDrawer.tsx'
import { Lines } from './Lines.tsx'
import { useForm } from './useForm.ts'

/** A document as delivery has them: a head, and lines with sums. */
const { order } = defineApi({
  order: {
    method: 'POST',
    path: '/order',
    title: '下单',
    access: ['order:add'],
    body: z.object({
      note: z.string().max(100).default('').meta({ title: '备注' }),
      lines: z
        .array(
          z.object({
            product: z.string().min(1, { error: '请选择产品' }).max(40).meta({ title: '产品' }),
            count: z.number().min(1, { error: '至少 1 件' }).meta({ title: '数量' }),
            price: z.number().min(0).meta({ title: '单价' }),
          }),
        )
        .min(1, { error: '请至少加一行' })
        .meta({ title: '明细' }),
    }),
    data: nothing,
  },
})
let root: Root
let sent: Record<string, unknown>[]
let answer: object
const doubled = vi.fn()
const wait = (ms = 30) => act(() => new Promise((r) => setTimeout(r, ms)))
beforeEach(() => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  root = createRoot(document.body.appendChild(document.createElement('div')))
  sent = []
  answer = { code: 200, msg: '', data: null }
  vi.stubGlobal('fetch', (_to: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body))
    return Promise.resolve(new Response(JSON.stringify(answer)))
  })
})
afterEach(() => {
  act(() => root.unmount())
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

function Order() {
  const form = useForm(
    order,
    {
      note: '',
      lines: [
        { product: '瓷砖', count: 10, price: 30 },
        { product: '水泥', count: 2, price: 25 },
      ],
    },
    { blank: { lines: ['product', 'count', 'price'] } },
  )
  return (
    <FormDrawer form={form} title="下单" done="已下单" onClose={() => {}} onDone={() => {}}>
      <Lines
        of={form}
        name="lines"
        columns="2fr 1fr 1fr"
        title={({ product }, at) => `第 ${at + 1} 行 ${product ?? ''}`}
        fresh={() => ({ product: '', count: null, price: null })}
        actions={(row, at) => [{ key: 'double', label: '加倍', open: () => doubled(row.product, at) }]}
        sums={(rows) => `合计 ${rows.reduce((n, r) => n + (r.count ?? 0) * (r.price ?? 0), 0)} 元`}
      >
        {(row) => (
          <>
            <TextField of={row} name="product" />
            <NumberField of={row} name="count" />
            <NumberField of={row} name="price" />
          </>
        )}
      </Lines>
      <TextField of={form} name="note" />
    </FormDrawer>
  )
}
const open = async () => {
  act(() => root.render(<Order />))
  await wait()
}
const rows = () => [...document.querySelectorAll<HTMLElement>('.lines li')]
const names = () => rows().map((row) => row.querySelector('input')!.value)
const foot = () => document.querySelector('.lines-foot')!.textContent
function type(el: HTMLInputElement, text: string) {
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(el, text)
    el.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
const key = async (el: Element, name: string, altKey = false) => {
  act(() => void el.dispatchEvent(new KeyboardEvent('keydown', { key: name, altKey, bubbles: true })))
  await wait()
}
async function press(label: string, within: ParentNode = document) {
  const button = [...within.querySelectorAll('button')].find(
    (b) => b.textContent?.replace(/\s/g, '') === label,
  )!
  act(() => button.click())
  await wait(100)
}

test('lines are added, moved and removed by keyboard; the keyboard goes with the row, the sum follows', async () => {
  await open()
  expect(names()).toEqual(['瓷砖', '水泥'])
  expect(foot()).toContain('合计 350 元')
  expect(rows().map((row) => row.getAttribute('aria-label'))).toEqual(['第 1 行 瓷砖', '第 2 行 水泥'])

  const second = rows()[1]!
  await key(second.querySelector('input')!, 'ArrowUp', true)
  expect(names()).toEqual(['水泥', '瓷砖'])
  // The same row, not its values poured into another.
  expect(rows()[0]).toBe(second)
  expect(document.activeElement).toBe(second.querySelector('input'))

  // Enter in a row that is not the last adds nothing.
  await key(rows()[0]!.querySelector('input')!, 'Enter')
  expect(names()).toHaveLength(2)
  await key(rows()[1]!.querySelector('input')!, 'Enter')
  expect(names()).toEqual(['水泥', '瓷砖', ''])
  expect(document.activeElement).toBe(rows()[2]!.querySelector('input'))

  await key(rows()[0]!.querySelector('input')!, 'Delete', true)
  expect(names()).toEqual(['瓷砖', ''])
  expect(foot()).toContain('合计 300 元')
})

test('a row has actions of its own beside those of every row', async () => {
  await open()
  await press('加倍', rows()[1])
  expect(doubled).toHaveBeenCalledWith('水泥', 1)
  act(() => rows()[1]!.querySelector<HTMLButtonElement>('[aria-label="删除"]')!.click())
  expect(names()).toEqual(['瓷砖'])
})

test('faults stand in their rows; blank rows are not sent, and what the server says finds its row', async () => {
  await open()
  await press('加一行')
  await key(rows()[2]!.querySelector('input')!, 'ArrowUp', true)
  expect(names()).toEqual(['瓷砖', '', '水泥'])
  type(rows()[2]!.querySelector('input')!, '')
  await press('确定')
  expect(sent).toEqual([])
  expect(rows().map((row) => row.querySelector('em')?.textContent)).toEqual([
    undefined,
    undefined,
    '请选择产品',
  ])

  type(rows()[2]!.querySelector('input')!, '石膏板')
  answer = { code: 400, msg: '', data: { fields: { 'lines.1.count': '库存只有 1 件' } } }
  await press('确定')
  expect(sent[0]!.lines).toEqual([
    { product: '瓷砖', count: 10, price: 30 },
    { product: '石膏板', count: 2, price: 25 },
  ])
  expect(rows().map((row) => row.querySelector('em')?.textContent)).toEqual([
    undefined,
    undefined,
    '库存只有 1 件',
  ])
})

test('a document without a line is not sent', async () => {
  await open()
  for (const _ of [1, 2]) await key(rows()[0]!.querySelector('input')!, 'Delete', true)
  await press('确定')
  expect(sent).toEqual([])
  expect(document.querySelector('.lines > em')?.textContent).toBe('请至少加一行')
})
