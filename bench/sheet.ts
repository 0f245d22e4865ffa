import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'
import type { Browser, Page } from 'playwright-core'

import { sized } from '../tools/size.ts'
import { both, middle } from './both.ts'
import { clickToPainted, freshPage, openBrowser, scrollFrames, signIn } from './chromium.ts'
import { type Ground, pause, quantile, type Say } from './ground.ts'

const LINES = sized(500, 10)
const KEYS = sized(20, 2)
/** Far apart, and never what stands there since the run before: each makes another sum. */
const STEP = 37
let next = 100
/** Two are opened one after the other: with the second the editor's code is there, its lines are not. */
const TWICE = 2

/** Quotations of half catalogue items, half special ones; answers their numbers. */
async function fill(g: Ground): Promise<string[]> {
  const headers = { ...(await g.signIn('quoter')), 'content-type': 'application/json' }
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(g.ours.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
    if (code !== 200) throw new Error(`${path}: ${msg}`)
    return data
  }
  const [store] = await ask<{ id: string; bc_id: string }[]>(api.customers.stores.path)
  const { list } = await ask<{ list: { id: string; price: string | null }[] }>(
    `${api.products.list.path}?pageSize=100&status=1`,
  )
  const products = list.filter((p) => p.price !== null)
  const customer = { bc_id: store!.bc_id, store_id: store!.id, name: '五百行', phone: '13900050001' }
  const { id: customer_id } = await ask<{ id: string }>(api.customers.add.path, customer)
  const codes: string[] = []
  for (let n = 0; n < TWICE; n += 1) {
    const lines = Array.from({ length: LINES }, (_, i) => {
      const product = products[i % products.length]!
      const what =
        i % 2 === 0
          ? { contractAttribute: 1, product_id: product.id, price: product.price }
          : { contractAttribute: 2, name: `非标项 ${i}`, unit: '项', price: '12.34' }
      return { id: randomUUID(), attribute: attribute.code.added, quantity: '1.5', ...what }
    })
    const content = { area: '110', validUntil: '2099-12-31', lines }
    codes.push((await ask<{ code: string }>(api.quotations.add.path, { customer_id, content })).code)
  }
  return codes
}

/** Types a value into the active cell and moves on with Enter; answers how long after Enter the sum was painted. */
async function typed(page: Page, total: string, value: string): Promise<number> {
  await page.keyboard.type(value)
  await page.evaluate((total) => {
    const read = () => document.querySelector(total)?.textContent
    const was = read()
    let pressed = 0
    addEventListener('keydown', (e) => (pressed = e.timeStamp), { capture: true, once: true })
    const painted = new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error(`the sum stays ${was}`)), 20_000)
      const look = () =>
        pressed && read() !== was
          ? setTimeout(() => resolve(performance.now() - pressed), 0)
          : requestAnimationFrame(look)
      requestAnimationFrame(look)
    })
    Object.assign(window, { painted })
  }, total)
  await page.keyboard.press('Enter')
  const took = (await page.evaluate('window.painted')) as number
  await pause(150)
  return took
}
/** A column typed full from its top, then the sheet scrolled for two seconds. */
async function used(page: Page, box: string, cell: string, total: string) {
  await page.click(cell)
  const keys: number[] = []
  for (let i = 0; i < KEYS; i += 1) keys.push(await typed(page, total, String((next += STEP))))
  const { p95, blank } = await scrollFrames(page, box)
  keys.sort((a, b) => a - b)
  return { key: middle(keys), worst: quantile(keys, 0.95), p95, blank }
}

type Used = Awaited<ReturnType<typeof used>>
const told = ({ key, worst, p95 }: Used) =>
  `${key.toFixed(0)} / ${worst.toFixed(0)} ms; p95 frame ${p95.toFixed(0)} ms`

/** P-18: a quotation of five hundred lines beside the same grid bare, and its opening beside the floor of P-12. */
export async function sheet(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!wants('P-18')) return
  const codes = await fill(g)
  const chromium = await openBrowser()
  try {
    const [a, b] = await both(
      () => ours(g, chromium, codes),
      () => bare(g, chromium),
    )
    const open = Math.max(a.first, a.second) / b.first
    say(
      'P-18',
      `quotation of ${LINES} lines, pressed in the list → painted: the first, another (CPU ×4, fast 4G)`,
      `${a.first.toFixed(0)} / ${a.second.toFixed(0)} ms`,
      `${b.first.toFixed(0)} ms (floor of P-12, a list)`,
      `${(a.first / b.first).toFixed(2)}× / ${(a.second / b.first).toFixed(2)}×`,
      '≤ 1.5×',
      open <= 1.5,
    )
    say(
      'P-18',
      `its sheet: a quantity typed → total painted, median / p95; scrolling`,
      `${told(a)}, blank ${(a.blank * 100).toFixed(0)} %`,
      `${told(b)} (the grid bare)`,
      `${(a.key / b.key).toFixed(2)}× / ${(a.worst / b.worst).toFixed(2)}×; ${(a.p95 / b.p95).toFixed(2)}×`,
      'p95 of a key ≤ 100 ms; p95 frame ≤ 1.2×, blank 0',
      a.worst <= 100 && a.p95 / b.p95 <= 1.2 && a.blank === 0,
    )
  } finally {
    await chromium.close()
  }
}

async function ours(g: Ground, chromium: Browser, codes: readonly string[]) {
  const { page } = await freshPage(chromium, true)
  await page.goto(`${g.ours.url}/#${PAGES.QuotationList.path}`)
  await signIn(page, 'quoter')
  const took: number[] = []
  for (const code of codes) {
    await page.evaluate((to) => (location.hash = to), `#${PAGES.QuotationList.path}`)
    const link = `a.name:visible:text-is("${code}")`
    await page.waitForSelector(link)
    await pause(1_500)
    const cells = `document.querySelectorAll('[aria-label="报价单 ${code}"] [role=gridcell]')`
    took.push(await clickToPainted(page, link, `[...${cells}].some((c) => c.offsetParent && c.textContent)`))
    await pause(1_000)
  }
  const sheet = `[aria-label="报价单 ${codes.at(-1)}"]`
  const figures = await used(
    page,
    `${sheet} .rdg`,
    `${sheet} .rdg [role=row][aria-rowindex="2"] [aria-colindex="7"]`,
    `${sheet} .bridge [data-step=total] b`,
  )
  await page.context().close()
  return { first: took[0]!, second: took[1]!, ...figures }
}
async function bare(g: Ground, chromium: Browser) {
  const { page } = await freshPage(chromium, true)
  await page.goto(g.limit.url)
  await page.click('#l-go')
  const list = `document.querySelectorAll('tbody tr').length > 0`
  await page.waitForFunction(list)
  await pause(500)
  const first = await clickToPainted(page, '.side-nav button:text-is("二")', list)
  await page.goto(`${g.limit.url}/sheet.html`)
  await page.click('#open')
  await page.waitForSelector('[role=gridcell]')
  const figures = await used(page, '.rdg', '.rdg [role=row][aria-rowindex="2"] [aria-colindex="7"]', '#total')
  await page.context().close()
  return { first, second: first, ...figures }
}
