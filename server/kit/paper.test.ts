import { monitorEventLoopDelay } from 'node:perf_hooks'

import { expect, test } from 'vitest'

import { pdfText } from '../testing/pdf-text.ts'
import { type Paper, paperPdf } from './paper.ts'

const FORTY = '1234567890123456789012345678901234567.89'
const paper = (lines: number, amount = '1,234.50'): Paper => ({
  head: { name: '杭州分公司', address: '杭州市西湖区文三路 100 号', phone: '0571-88888888' },
  title: '报价单',
  number: 'BJHZ202600001',
  facts: [
    ['客户', '王女士 138****0001'],
    ['面积', '110 ㎡'],
    ['小区', '江南里'],
  ],
  parts: [
    {
      kind: 'steps',
      steps: [
        ['套餐价', '98,000.00'],
        ['减项', '-1,200.00'],
        ['合计', amount],
      ],
    },
    {
      kind: 'table',
      title: '明细',
      columns: [
        { title: '序', width: 22 },
        { title: '名称' },
        { title: '数量', width: 60, right: true },
        { title: '金额', width: 90, right: true },
      ],
      rows: Array.from({ length: lines }, (_, i) => [`${i + 1}`, `第${i + 1}项防滑地砖`, '12.345', amount]),
      sums: [['合计', amount]],
    },
    { kind: 'words', title: '说明', text: '有效期三十天。' },
  ],
  foot: '张三 2026-11-22 10:00 打印',
})
test('every line stands in it once, every page repeats the header and says which of how many it is', async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const pdf = await paperPdf('me', paper(500))
  delay.disable()
  const pages = await pdfText(pdf)
  const all = pages.join('\n')
  for (let i = 1; i <= 500; i += 1) expect(all.split(`第${i}项防滑地砖`).length - 1, `${i}`).toBe(1)
  expect(pages.length).toBeGreaterThan(8)
  for (const [i, page] of pages.entries()) {
    expect(page).toContain(`第 ${i + 1} / ${pages.length} 页`)
    expect(page).toContain('张三 2026-11-22 10:00 打印')
    expect(page).toMatch(/BJHZ202600001/)
    if (i < pages.length - 1) expect(page).toMatch(/序 +名称 +数量 +金额/)
  }
  expect(all).toContain('杭州市西湖区文三路 100 号')
  // Drawn elsewhere: here it costs next to nothing; a busy machine gets some room.
  expect(delay.max / 1e6).toBeLessThan(250)
})

test('forty digits are all there, inside their cell', async () => {
  const [page] = await pdfText(await paperPdf('me', paper(1, FORTY)))
  const parts = page!.split(/\s+/).filter((part) => /^[\d.]+$/.test(part))
  // In the bridge, in its line and in the sum, each broken in several pieces.
  expect(parts.some((part) => part.length >= FORTY.length)).toBe(false)
  for (const digit of new Set(FORTY))
    expect(parts.join('').split(digit).length - 1, digit).toBeGreaterThanOrEqual(
      3 * (FORTY.split(digit).length - 1),
    )
})

test('what takes too long is given up with a sentence, and the next one is drawn', async () => {
  await expect(paperPdf('me', paper(500), 1)).rejects.toThrow('生成 PDF 用的时间太长')
  expect((await paperPdf('me', paper(1))).subarray(0, 5).toString()).toBe('%PDF-')
})

test('of one person one is drawn at a time, a few wait and the rest are refused', async () => {
  const many = await Promise.allSettled(Array.from({ length: 8 }, () => paperPdf('me', paper(1))))
  const refused = many.flatMap((m) => (m.status === 'rejected' ? [String(m.reason)] : []))
  expect(many.filter((m) => m.status === 'fulfilled').length).toBeGreaterThanOrEqual(4)
  expect(refused.length).toBeGreaterThan(0)
  for (const why of refused) expect(why).toContain('您有 PDF 正在生成')
})
