import { companiesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { companyStatus } from '@zhuguan/contract/features/companies/companies.record.ts'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { useNotices } from '../notices.ts'
import { NumberField, SwitchField, TextField } from './fields.tsx'
import { FormDrawer } from './FormDrawer.tsx'
import { useForm } from './useForm.ts'

const SHAOXING = {
  id: 'b1',
  version: 1,
  bc_name: '绍兴分公司',
  code: 'SX',
  city: '绍兴',
  principal: '',
  phone: '',
  address: '',
  lng: null,
  lat: null,
  receivesOrders: true,
  status: companyStatus.code.active,
}
interface Answer {
  code: number
  msg: string
  data: unknown
}
let root: Root
let sent: Record<string, unknown>[]
let answers: Answer[]
const fine: Answer = { code: 200, msg: '', data: null }
const wait = (ms = 30) => act(() => new Promise((r) => setTimeout(r, ms)))

beforeEach(() => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  root = createRoot(document.body.appendChild(document.createElement('div')))
  sent = []
  answers = [fine]
  vi.stubGlobal('fetch', (_to: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body))
    return Promise.resolve(new Response(JSON.stringify(answers.shift() ?? fine)))
  })
})
afterEach(() => {
  act(() => root.unmount())
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

const closed = vi.fn()
const done = vi.fn()
let now: typeof SHAOXING | Record<string, unknown> = SHAOXING
function Company() {
  const form = useForm(companiesApi.edit, SHAOXING, { latest: async () => now as typeof SHAOXING })
  const notices = useNotices()
  return (
    <>
      <p id="notices">{notices.map((n) => n.text).join('|')}</p>
      <FormDrawer form={form} title="编辑" done="已保存" onClose={closed} onDone={done}>
        <TextField of={form} name="bc_name" />
        <TextField upper of={form} name="code" />
        <TextField of={form} name="city" />
        <TextField of={form} name="phone" />
        <NumberField of={form} name="lng" />
        <SwitchField of={form} name="receivesOrders" words={['接单', '不接单']} />
      </FormDrawer>
    </>
  )
}
async function open() {
  closed.mockClear()
  done.mockClear()
  now = SHAOXING
  act(() => root.render(<Company />))
  await wait()
}
const field = (name: string) => document.querySelector<HTMLElement>(`[data-field="${name}"]`)!
const input = (name: string) => field(name).querySelector('input')!
function type(name: string, text: string) {
  const el = input(name)
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(el, text)
    el.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
async function press(label: string, times = 1) {
  const button = [...document.querySelectorAll('button')].findLast(
    (b) => b.textContent?.replace(/\s/g, '') === label,
  )!
  act(() => {
    for (let i = 0; i < times; i += 1) button.click()
  })
  await wait(150)
}

test('an untouched form closes at once; a changed one asks, stays on 取消 and leaves on 确定', async () => {
  await open()
  await press('取消')
  expect(closed).toHaveBeenCalledTimes(1)
  type('city', '杭州')
  await press('取消')
  expect(closed).toHaveBeenCalledTimes(1)
  expect(document.body.textContent).toContain('还没有保存')
  const leaving = new Event('beforeunload', { cancelable: true })
  dispatchEvent(leaving)
  expect(leaving.defaultPrevented).toBe(true)
  await press('确定')
  expect(closed).toHaveBeenCalledTimes(2)
})

test('what must be given is marked, what is wrong stands under its field in Chinese and is not sent', async () => {
  await open()
  const marked = [...document.querySelectorAll('[data-field] .needed')].map((l) => l.textContent)
  expect(marked).toEqual(['名称', '编号', '城市'])
  expect(input('bc_name').maxLength).toBe(30)
  type('bc_name', '')
  type('phone', '12')
  await press('确定')
  expect(sent).toEqual([])
  expect(field('bc_name').querySelector('em')?.textContent).toBe('名称至少 2 个字')
  expect(field('phone').querySelector('em')?.textContent).toBe('电话应为 7-13 位数字')
  expect(document.activeElement).toBe(input('bc_name'))
  type('bc_name', '绍兴')
  expect(field('bc_name').querySelector('em')).toBeNull()
  expect(field('phone').querySelector('em')).not.toBeNull()
})

test('a double click sends once, Ctrl+Enter sends as well; what is typed goes out as the call takes it', async () => {
  await open()
  type('code', 'sx1')
  await press('确定', 2)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({
    id: 'b1',
    version: 1,
    code: 'SX1',
    bc_name: '绍兴分公司',
    receivesOrders: true,
  })
  expect(sent[0]).not.toHaveProperty('lng')
  expect(done).toHaveBeenCalledTimes(1)
  act(
    () =>
      void input('code').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }),
      ),
  )
  await wait(100)
  expect(sent).toHaveLength(2)
})

test('what the server refuses stands under its field; of a field that is not shown, in a message', async () => {
  answers = [
    { code: 400, msg: '不行', data: { fields: { code: '编号已被杭州分公司使用', status: '不能停用' } } },
  ]
  await open()
  type('code', 'HZ')
  await press('确定')
  expect(field('code').querySelector('em')?.textContent).toBe('编号已被杭州分公司使用')
  expect(document.activeElement).toBe(input('code'))
  expect(document.getElementById('notices')!.textContent).toContain('不能停用')
  expect(closed).not.toHaveBeenCalled()
})

test('the second of two editors takes what only the first changed, and decides where the two differ', async () => {
  answers = [{ code: 409, msg: '已被他人修改', data: { overtaken: { name: '李四', at: 1_790_000_000 } } }]
  await open()
  now = { ...SHAOXING, version: 2, city: '绍兴市', bc_name: '绍兴公司', code: 'SX9' }
  type('city', '越城')
  type('phone', '0575-8888888')
  await press('确定')
  expect(document.getElementById('notices')!.textContent).toContain(
    '已被 李四 于 2026-09-21 22:13 处理。两边',
  )
  expect(field('city').textContent).toContain('别人刚改成：绍兴市')
  expect(input('city').value).toBe('越城')
  expect(input('phone').value).toBe('0575-8888888')
  expect(input('bc_name').value).toBe('绍兴公司')
  expect(field('bc_name').textContent).toContain('已带入')
  await press('用这个')
  expect(input('city').value).toBe('绍兴市')
  expect(field('city').textContent).not.toContain('别人刚改成')
  type('city', '柯桥')
  await press('确定')
  expect(sent[1]).toMatchObject({
    version: 2,
    city: '柯桥',
    phone: '0575-8888888',
    bc_name: '绍兴公司',
    code: 'SX9',
  })
  expect(closed).toHaveBeenCalledTimes(1)
})
