import { expect, test } from 'vitest'

import { api } from './api.ts'
import { alarmActions } from './features/corrections/corrections.actions.ts'
import { canonical } from './features/devices/devices.events.ts'
import { noWorkCodes, siteStatus } from './features/sites/sites.record.ts'
import type { Endpoint } from './kit/api.ts'
import { machinesIn } from './kit/machines.ts'
import { hasAnyPermission, hasAnyRole, hasEveryPermission, PERMISSION_LABEL } from './kit/permits.ts'
import { PAGES } from './pages.ts'
import { PERMISSIONS } from './permissions.ts'

const machines = machinesIn(
  Object.values(import.meta.glob<object>('./features/*/*.actions.ts', { eager: true })),
)
const everything = Object.values(api).flatMap((feature) => Object.values(feature))

test('a stored code that nobody knows stays visible', () => {
  expect(siteStatus.label(9)).toBe('未知(9)')
  expect(siteStatus.label(null)).toBe('--')
  expect(siteStatus.schema.safeParse('1').data).toBe(1)
  expect(siteStatus.schema.safeParse(9).success).toBe(false)
})

test('days without work become the six codes at their exact edges', () => {
  expect([2, 3, 4, 7, 8].map((run) => noWorkCodes(run, 0))).toEqual([[], [1], [2], [2], [3]])
  expect([9, 10, 11, 30, 31].map((sum) => noWorkCodes(0, sum))).toEqual([[], [4], [5], [5], [6]])
  expect(noWorkCodes(8, 40)).toEqual([3, 6])
})

test('who corrected cannot verify, whatever they hold', () => {
  const alarm = {
    correctionStatus: 2 as const,
    step: 'submitted' as const,
    assignee_id: 'a',
    assigneeName: '甲',
    corrector_id: 'a',
    corrector_ids: ['a'],
    closedAt: null,
    reopenUntil: null,
    disputed: false,
  }
  expect(
    alarmActions.refusal('pass', alarm, { id: 'a', roles: ['admin'], permissions: ['*:*:*'] }),
  ).toContain('不能复核自己')
  expect(
    alarmActions.refusal('pass', alarm, { id: 'b', roles: [], permissions: ['alarm:review'] }),
  ).toBeUndefined()
  expect(alarmActions.refusal('pass', alarm, { id: 'b', roles: [], permissions: [] })).toBe(
    '您没有“复核通过”的权限',
  )
})

test('permission labels: any, all, the wildcard, and the error for an empty label', () => {
  const clerk = { permissions: ['a:b'], roles: ['pm'] }
  expect(hasAnyPermission(clerk, ['x:y', 'a:b'])).toBe(true)
  expect(hasEveryPermission(clerk, ['x:y', 'a:b'])).toBe(false)
  expect(hasEveryPermission({ permissions: ['*:*:*'] }, ['x:y', 'a:b'])).toBe(true)
  expect(hasAnyRole({ roles: ['admin'] }, ['pm'])).toBe(true)
  for (const empty of [[], ['']]) expect(() => hasAnyPermission(clerk, empty)).toThrow('请设置操作权限标签值')
})

test('every path once, in the spec’s families, and the spec’s own calls as they are', async () => {
  const paths = everything.map((e) => `${e.method} ${e.path}`)
  expect(new Set(paths).size).toBe(paths.length)
  for (const e of everything) expect(e.path).toMatch(/^\/(user|osmcore|dsmcore|mkscore|open)\//)
  expect(paths).toEqual(
    expect.arrayContaining([
      'POST /user/system/auth/login',
      'POST /user/system/auth/logout',
      'POST /user/api/user/userdata',
      'GET /user/system/auth/get-permission-info',
      'GET /user/system/company/companylist',
      'GET /user/system/company/companylistprebc',
      'PUT /user/system/user/profile/update-password',
    ]),
  )
  // Spec section 7, path for path; dcount* come with delivery.
  const dsmcore = {
    role: ['rolelist', 'details', 'addrole', 'editrole', 'delrole'],
    user: ['userlist', 'userdetails', 'adduser', 'edituser', 'deluser'],
    company: ['orderlist', 'addcompany', 'updatecompany', 'delcompany'],
    companystore: ['companystorelist', 'updatecompanystore', 'addcompanystore', 'deletecompanystore'],
    setSelf: ['update', 'selectByBcId'],
    userLog: ['selectByUlBase'],
    page: ['pagelist', 'addpage', 'editpage', 'delpage'],
    pagepower: ['addpagepower', 'editpagepower', 'delpagepower'],
    device: ['list', 'distribution', 'stock', 'bindaction', 'deldevice', 'updatedevice'],
    worker: ['manager'],
  }
  expect(paths).toEqual(
    expect.arrayContaining(
      Object.entries(dsmcore).flatMap(([family, verbs]) =>
        verbs.map((verb) => `POST /dsmcore/api/${family}/${verb}`),
      ),
    ),
  )
  // A file for each feature: where two people add calls, nothing has to be merged.
  for (const [name, feature] of Object.entries(api))
    await expect(
      Object.values<Endpoint>(feature)
        .map((e) => `${e.method} ${e.path}\n`)
        .join(''),
    ).toMatchFileSnapshot(`__snapshots__/${name}.txt`)
})

/** It says what is shown or told; no call is refused for the lack of it. */
const SHOWS = ['site:address', 'product:cost', 'quotation:discount', 'examine:supervise']
test('every permission that an endpoint or an action asks for can be granted, and every one that can be granted is asked for', () => {
  const asked = new Set([
    ...everything
      .flatMap((e) => (typeof e.access === 'string' ? [] : e.access))
      .filter((l) => !l.startsWith('page:')),
    ...Object.values(machines).flatMap((m) => m.names.flatMap((name) => m.needs(name))),
    ...SHOWS,
  ])
  expect([...asked].sort()).toEqual(Object.keys(PERMISSIONS).sort())
  for (const label of everything
    .flatMap((e) => (typeof e.access === 'string' ? [] : e.access))
    .filter((l) => l.startsWith('page:')))
    expect(PAGES).toHaveProperty(label.slice(5))
})

test('what a device signs is sorted and leaves empty parameters out', () => {
  expect(canonical({ timestamp: '1', sn: 'S', nonce: '', digest: 'd' })).toBe('digest=d&sn=S&timestamp=1')
})

test('every right is a label that a role can be given', () => {
  expect(Object.keys(PERMISSIONS).length).toBeGreaterThan(100)
  expect(Object.keys(PERMISSIONS).filter((label) => !PERMISSION_LABEL.test(label))).toEqual([])
})
