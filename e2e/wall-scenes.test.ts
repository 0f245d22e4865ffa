import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { shownHome } from '../server/testing/shown-home.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage.close())

test('a wall shows stages, rings and a home from day to day; a consent taken back leaves no empty wall', async () => {
  const gm = await stage.server.as('branch_gm')
  const [store] = await stage.server.sql<{ id: string; bc_id: string }>(
    `SELECT k.id, k.bc_id FROM stores k JOIN users u ON u.bc_id = k.bc_id
     WHERE u.user_name = 'branch_gm' AND k.status = 1 ORDER BY k.name LIMIT 1`,
  )
  const home = await shownHome(stage.server, gm, { bc: store!.bc_id, filmDays: 5 })
  const scene = { words: '', from: null, to: null, seconds: 5 }
  const { id } = await gm.call(arrangementsApi.add, {
    body: {
      store_id: store!.id,
      name: '新场景',
      scenes: [
        { ...scene, kind: 'craft' },
        { ...scene, kind: 'rings' },
        // It stands for longer than what follows takes: what leaves it was taken away.
        { ...scene, kind: 'rail', seconds: 40 },
      ],
      opens: null,
      closes: null,
    },
  })
  const context = await stage.browser.newContext({
    viewport: { width: 1_920, height: 1_080 },
    locale: 'zh-CN',
  })
  const wall = await context.newPage()
  await wall.goto(`${stage.server.url}/#/Preview?screen`)
  const code = (await wall.locator('.wall-code output').innerText()).replaceAll(/\s/g, '')
  await gm.call(screensApi.pair, {
    body: { code, name: '新场景屏', store_id: store!.id, kind: 'public', arrangement_id: id },
  })

  const main = wall.locator('.wall main')
  const words = () => main.innerText()
  await eventually(words).toContain('每一道工序')
  expect(await words()).toMatch(/水电[\s\S]*(家正在做|现在没有在做)/)
  await eventually(() => wall.locator('.wall-rings svg .wall-ring').count()).toBe(3)
  expect(await words()).toMatch(/周边两公里：在建 \d+，完工 \d+/)
  expect(await wall.locator('.wall-point').count()).toBeGreaterThan(0)

  // The film: one picture at a time, drawn, and the next day after it.
  await eventually(() => wall.locator('.wall-rail').count()).toBe(1)
  const seen = new Set<string>()
  while (seen.size < 3) {
    const on = await wall.locator('.wall-rail img[data-on]').evaluateAll((all) =>
      all.map((i) => {
        const { naturalWidth, src } = i as HTMLImageElement
        return { src, naturalWidth }
      }),
    )
    expect(on).toHaveLength(1)
    expect(on[0]!.naturalWidth).toBeGreaterThan(0)
    seen.add(on[0]!.src)
    await wall.waitForTimeout(150)
  }

  // Taken back while it stands there: gone within five seconds, and between two looks the wall is never empty.
  await stage.server.sql(
    `UPDATE consents SET state = 3, withdrawn_at = :now, withdrawn_by = '业主', withdrawn_why = '不想了'
     WHERE subject_id = $1`,
    [home.contact],
  )
  const at = performance.now()
  let gone: number | undefined
  while (performance.now() - at < 8_000) {
    const said = (await words()).trim()
    expect(said).not.toBe('')
    if (!said.includes('南北通透的家')) gone ??= performance.now() - at
    await wall.waitForTimeout(200)
  }
  expect(gone).toBeLessThan(5_000)
  console.log(`a consent that was taken back left the wall after ${((gone ?? 0) / 1_000).toFixed(1)} s`)
  expect(await words()).not.toContain('南北通透的家')
  expect(stage.problems).toEqual([])
})
