import http from 'node:http'

import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { liveApi } from '@zhuguan/contract/features/live/live.api.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'
import type { Page } from 'playwright-core'

import { report } from '../server/testing/device.ts'
import { seconds } from '../server/testing/time.ts'
import { sized } from '../tools/size.ts'
import { openBrowser, openOurs } from './chromium.ts'
import { type Ground, pause, quantile, type Say } from './ground.ts'

const STREAMS = sized(200, 8)
const ROUNDS = sized(5, 1)
const CAMERAS = sized(10, 2)
/** Of several reaches; nobody may have more than forty streams. */
const PEOPLE = [
  'branch_gm',
  'pm',
  'inspector',
  'branch_gm2',
  'steward',
  'device_keeper',
  'hq_ops',
  'inspector2',
]
const TYPES = ['smoking', 'noclothes'] as const

/** Opens a stream and reads it as a browser would; answers how to close it. */
const listen = (url: string, headers: Record<string, string>) =>
  new Promise<() => void>((resolve, reject) => {
    const request = http.get(url, { headers, agent: false }, (response) => {
      response.on('data', () => {})
      response.on('error', () => {})
      resolve(() => request.destroy())
    })
    request.on('error', reject)
  })
/** When a table row with all these words had been painted, in milliseconds since 1970. */
const painted = (page: Page, words: string[]) =>
  page.evaluate(
    (words) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (
            ![...document.querySelectorAll('tbody tr')].some((r) =>
              words.every((w) => r.textContent.includes(w)),
            )
          )
            return
          observer.disconnect()
          requestAnimationFrame(() =>
            setTimeout(() => resolve(performance.timeOrigin + performance.now()), 0),
          )
        }
        const observer = new MutationObserver(look)
        observer.observe(document.body, { childList: true, subtree: true, characterData: true })
        look()
      }),
    words,
  )

const COLUMNS = 'type,picture,site,bc,device,at,confidence,status,assignee,due,took'
/** The newest first, since by deadline the last of thirty would stand on the second page; with the camera's number. */
const LIST = `#${PAGES.AlarmEvent.path}?sort=-at&cols=${COLUMNS}`

/** P-08: a camera reports; the time until the row stands painted in Chromium, while two hundred browsers of several roles listen. */
export async function alarm(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!wants('P-08')) return
  // One after the other: too many at once are refused.
  const roles: Record<string, string>[] = []
  for (const name of PEOPLE) roles.push(await g.signIn(name))
  const closes = await Promise.all(
    Array.from({ length: STREAMS }, (_, i) =>
      listen(g.ours.url + liveApi.stream.path, roles[i % roles.length]!),
    ),
  )
  const limits = await Promise.all(Array.from({ length: STREAMS }, () => listen(`${g.limit.url}/stream`, {})))
  const browser = await openBrowser()
  const page = await openOurs(browser, g.ours.url, 'branch_gm')
  await page.evaluate((to) => (location.hash = to), LIST)
  const bare = await browser.newPage()
  await bare.goto(`${g.limit.url}/alarms.html`)
  await pause(1_500)
  const cameras = g.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ')).slice(0, CAMERAS)
  const took: number[] = []
  const limit: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await g.owner.query('TRUNCATE alarms, corrections, correction_logs CASCADE')
    await pause(300)
    await page.reload()
    await page.waitForSelector('.empty')
    await page.bringToFront()
    for (const camera of cameras)
      for (const type of TYPES) {
        const seen = painted(page, [camera.sn, alarmType.label(type)])
        await pause(60)
        const at = performance.timeOrigin + performance.now()
        await report(g.ours.url, camera, [
          { id: `p8-${round}-${type}`, kind: 'alarm', at: seconds(), type, confidence: 0.9 },
        ])
        took.push((await seen) - at)
      }
    await bare.bringToFront()
    for (let i = 0; i < cameras.length * TYPES.length; i += 1) {
      const text = `limit-${round}-${i}.`
      const seen = painted(bare, [text])
      await pause(60)
      const at = performance.timeOrigin + performance.now()
      await fetch(`${g.limit.url}/alarm?text=${text}`, { method: 'POST' })
      limit.push((await seen) - at)
    }
  }
  await browser.close()
  for (const close of [...closes, ...limits]) close()
  for (const list of [took, limit]) list.sort((a, b) => a - b)
  const at = (list: number[]) => [quantile(list, 0.5), quantile(list, 0.99)] as const
  const [[a50, a99], [b50, b99]] = [at(took), at(limit)]
  say(
    'P-08',
    `alarm: device → committed → message → painted, ${STREAMS} open streams`,
    `${a50.toFixed(1)} / ${a99.toFixed(1)} ms`,
    `${b50.toFixed(1)} / ${b99.toFixed(1)} ms`,
    `${(a50 / b50).toFixed(2)}× / ${(a99 / b99).toFixed(2)}×`,
    'p50 ≤ 1.3×, p99 ≤ 1.5×',
    a50 / b50 <= 1.3 && a99 / b99 <= 1.5,
  )
}
