import { grantsApi } from '@zhuguan/contract/features/owners/grants.api.ts'
import { homeVideoApi } from '@zhuguan/contract/features/owners/home-video.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { boundPhone } from '../../testing/homes.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead } from '../../testing/time.ts'

let server: TestServer
let steward: Person
let home: { site: string; contact: string }
beforeAll(async () => {
  server = await startTestServer()
  steward = await server.as('steward')
  ;[home] = (await server.sql<typeof home>(
    `SELECT w.id AS site, h.id AS contact FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN devices d ON d.site_id = w.id AND d.type = 'camera'
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     WHERE w.status = 1 ORDER BY w.code LIMIT 1`,
  )) as [typeof home]
})
afterAll(() => server.stop())

test('an older paper undoes no withdrawal; a later answer that staff write down is told to the owner', async () => {
  const phone = await boundPhone(server, steward, home)
  const say = (answer: 1 | 2) =>
    phone.who.ask(homeVideoApi.answer, { body: { ...phone.act(), answer, wording: '2026-11' } })
  expect((await say(1)).code).toBe(200)
  const page = () => steward.call(grantsApi.home, { query: { site_id: home.site } })
  const mine = async () => (await page()).contacts.find((c) => c.contact_id === home.contact)!
  const { cameras, hours } = await page()
  await steward.call(grantsApi.grant, {
    body: {
      contact_id: home.contact,
      cameras: [cameras[0]!.id],
      fromDay: dayAhead(0),
      toDay: dayAhead(9),
      ...hours,
    },
  })
  expect((await phone.who.ask(homeVideoApi.withdraw, { body: phone.act() })).code).toBe(200)
  const paper = async (answeredOn: string, how: 'written' | 'spoken' = 'written') =>
    steward.ask(grantsApi.answer, {
      body: {
        contact_id: home.contact,
        answer: 1,
        how,
        answeredOn,
        proof: await uploadPhoto(server.url, steward),
      },
    })
  for (const how of ['written', 'spoken'] as const) {
    const older = await paper(dayAhead(-1), how)
    expect([older.code, older.msg]).toEqual([
      400,
      `本人 ${dayAhead(0)} 另有答复或已撤回，更早的答复不能再登记`,
    ])
  }
  expect(await mine()).toMatchObject({ consent: 3, grant: { state: 'stopped' } })
  const told = async () => (await phone.page()).week.map((w) => w.text).filter((t) => t.includes('看现场'))
  expect(await told()).toEqual([])
  expect((await paper(dayAhead(0))).code).toBe(200)
  // It gives nothing back by itself.
  expect(await mine()).toMatchObject({ consent: 1, grant: { state: 'stopped' } })
  expect(await told()).toEqual([
    expect.stringMatching(new RegExp(`^工作人员 . 登记了您${dayAhead(0)} 书面同意用手机看现场；`)),
  ])
})
