import { expect, test } from 'vitest'

import { api } from './api.ts'
import { alarmActions } from './features/alarms/alarms.actions.ts'
import { alarmType, correctionStatus } from './features/alarms/alarms.record.ts'
import { deviceActions } from './features/devices/devices.actions.ts'
import { canonical } from './features/devices/devices.events.ts'
import { bindStatus, deviceStatus } from './features/devices/devices.record.ts'
import { siteActions } from './features/sites/sites.actions.ts'
import { noWorkCodes, siteStatus, tidinessLevel, tidinessResult } from './features/sites/sites.record.ts'
import { stageActions } from './features/sites/stages.actions.ts'
import { workerActions } from './features/workers/workers.actions.ts'
import { workerType } from './features/workers/workers.record.ts'
import { hasAnyPermission, hasAnyRole, hasEveryPermission } from './kit/permits.ts'
import { PAGES } from './pages.ts'
import { PERMISSIONS } from './permissions.ts'

const everything = Object.values(api).flatMap((feature) => Object.values(feature))

test('codes are the ones the spec prints', () => {
  const table = (c: { options: { value: unknown; label: string }[] }) =>
    c.options.map((o) => `${String(o.value)} ${o.label}`)
  expect(table(siteStatus)).toEqual(['1 在建', '2 未开工', '3 合同终止', '4 已完工'])
  expect(table(deviceStatus)).toEqual(['1 在线', '2 离线', '3 未启用', '4 故障', '5 备用', '6 在库'])
  expect(table(bindStatus)).toEqual(['1 未绑定', '2 已绑定'])
  expect(table(workerType)).toEqual([
    '1 项目管家',
    '2 项目经理',
    '3 瓦工',
    '4 木工',
    '5 油工',
    '6 水电工',
    '7 其他',
  ])
  expect(table(correctionStatus)).toEqual(['1 未整改', '2 整改中', '3 已整改', '4 已取消'])
  expect(table(alarmType)).toEqual(['cameraproblem 摄像头偏移', 'noclothes 未穿工服', 'smoking 抽烟'])
  expect(table(tidinessLevel)).toEqual(['1 优', '2 良', '3 差'])
  expect(table(tidinessResult)).toEqual(['1 优', '2 良', '3 差', '4 摄像头偏移'])
})

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

test('every state × every action is allowed or refused with a sentence, as the table says', () => {
  const actor = { id: 'me', roles: [], permissions: ['*:*:*'] }
  const machines: [
    {
      names: readonly string[]
      table: Record<string, { from: readonly unknown[] }>
      refusal: (n: never, r: never, a: typeof actor) => string | undefined
      codes: { values: readonly unknown[] }
      state: string
    },
    object,
  ][] = [
    [
      alarmActions,
      { step: 'assigned', assignee_id: 'me', assigneeName: '我', corrector_id: null, closedAt: null },
    ],
    [deviceActions, { bindStatus: 2, bc_id: 'b' }],
    [workerActions, {}],
    [siteActions, { steward_id: 's', manager_id: 'm', stage: 'handover', progress: 100, openAlarms: 0 }],
  ]
  let pairs = 0
  for (const [machine, record] of machines)
    for (const state of machine.codes.values)
      for (const name of machine.names) {
        const why = machine.refusal(name as never, { ...record, [machine.state]: state } as never, actor)
        if (!machine.table[name]!.from.includes(state))
          expect(why, `${name} from ${String(state)}`).toMatch(/当前为“.+”，不能/)
        pairs += 1
      }
  expect(pairs).toBe(4 * 8 + 6 * 8 + 2 * 2 + 4 * 3)
})

test('who corrected cannot verify, whatever they hold', () => {
  const alarm = {
    correctionStatus: 2 as const,
    step: 'submitted' as const,
    assignee_id: 'a',
    assigneeName: '甲',
    corrector_id: 'a',
    closedAt: null,
    reopenUntil: null,
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

test('every path once, in the spec’s families, and the spec’s own calls as they are', () => {
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
  expect(paths).toMatchSnapshot()
})

test('every permission that an endpoint or an action asks for can be granted, and every one that can be granted is asked for', () => {
  const asked = new Set([
    ...everything
      .flatMap((e) => (typeof e.access === 'string' ? [] : e.access))
      .filter((l) => !l.startsWith('page:')),
    ...[alarmActions, deviceActions, siteActions, stageActions, workerActions].flatMap((m) =>
      m.names.flatMap((name) => m.needs(name as never)),
    ),
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
