import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { report } from '../testing/device.ts'
import { type Person, sha256, startTestServer, type TestServer } from '../testing/start.ts'
import { seconds, testNow } from '../testing/time.ts'

/** Issue of administration: who may do what, changed while people work. */
let server: TestServer
let admin: Person
let gm: Person
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('admin')
  gm = await server.as('branch_gm')
})
afterAll(() => server.stop())

const roleOf = async (code: string) =>
  (await admin.call(api.roles.list, { query: { pageSize: 50 } })).list.find((r) => r.code === code)!
const userOf = async (name: string) =>
  (await admin.call(api.accounts.list, { query: { keyword: name, pageSize: 100 } })).list.find(
    (u) => u.userName === name,
  )!
const branch = async (code: string) =>
  (await admin.call(api.companies.list, { query: { keyword: code } })).list[0]!
const lastLog = async (object: string) =>
  (await admin.call(api.userlogs.list, { query: { object: [object], outcome: 'done' } })).list[0]!
let names = 0
const newUser = async (roles: string[], more: object = {}) => {
  const userName = `story${++names}`
  const hz = await branch('HZ')
  const made = await admin.call(api.accounts.add, {
    body: {
      userName,
      nickname: '故事人',
      bc_id: hz.id,
      roles: await Promise.all(roles.map(async (r) => (await roleOf(r)).id)),
      ...more,
    },
  })
  return { ...made, userName }
}

describe('roles', () => {
  test('a role is made, copied fields and all, shows who has it, and what changed stands in the log', async () => {
    const pages = await admin.call(api.pages.list, {})
    const site = pages.find((p) => p.componentName === 'SiteList')!
    const { id } = await admin.call(api.roles.add, {
      body: {
        code: 'story_clerk',
        name: '故事文员',
        dataScope: 'branches',
        pageIds: [site.id],
        labels: ['site:add', 'site:export'],
      },
    })
    const { userName } = await newUser(['story_clerk'])
    const before = await admin.call(api.roles.details, { query: { id } })
    expect(before).toMatchObject({ pages: 1, powers: 2, users: 1, own: false, people: [{ userName }] })
    await admin.call(api.roles.edit, {
      body: {
        id,
        version: before.version,
        code: 'story_clerk',
        name: '故事文员',
        dataScope: 'branches',
        pageIds: [site.id],
        labels: ['site:export'],
      },
    })
    expect(await lastLog('role')).toMatchObject({
      action: '编辑角色',
      objectId: id,
      system: 'jf',
      changes: [{ title: '去掉的页面和操作', before: '', after: '工地列表-新增' }],
    })
    expect(
      await admin.ask(api.roles.del, { query: { id, version: before.version + 1 } } as never),
    ).toMatchObject({
      code: 409,
      msg: expect.stringContaining('还有 1 个用户'),
      data: { links: [{ link: `/system/UserList?role_id=${id}` }] },
    })
    expect(
      (
        await admin.ask(api.roles.edit, {
          body: { id, version: before.version, code: 'story_clerk', name: '晚到', dataScope: 'branches' },
        })
      ).msg,
    ).toContain('刚刚被别人改过')

    // Whoever had it has left: their name stays in the log, and nothing keeps the role.
    const holder = await userOf(userName)
    await admin.call(api.accounts.del, {
      body: { id: holder.id, version: holder.version, reason: '离职' },
    })
    await admin.call(api.roles.del, { body: { id, version: before.version + 1 } })
    expect(await roleOf('story_clerk')).toBeUndefined()
    expect((await admin.ask(api.roles.details, { query: { id } })).code).toBe(403)
    expect(await lastLog('role')).toMatchObject({ action: '删除角色', objectId: id })
  })

  test('nobody edits their own role, grants more than they hold, widens a reach or takes the last administrator', async () => {
    const own = await roleOf('admin')
    expect(own.own).toBe(true)
    expect(
      await admin.ask(api.roles.edit, {
        body: {
          id: own.id,
          version: own.version,
          code: 'admin',
          name: '系统管理员',
          dataScope: 'tenant',
          labels: [],
        },
      }),
    ).toMatchObject({ code: 409, msg: '不能修改自己所属的角色，请由其他管理员操作' })

    // A branch's personnel officer: may make roles and users, inside what they hold.
    const pages = await admin.call(api.pages.list, {})
    const ids = (names: string[]) => pages.filter((p) => names.includes(p.componentName)).map((p) => p.id)
    await admin.call(api.roles.add, {
      body: {
        code: 'personnel',
        name: '人事',
        dataScope: 'branches',
        pageIds: ids(['SiteList', 'UserList', 'RoleList']),
        labels: [
          'user:add',
          'user:edit',
          'user:state',
          'user:password',
          'user:delete',
          'role:add',
          'role:edit',
          'site:add',
        ],
      },
    })
    const made = await newUser(['personnel'])
    await server.sql('UPDATE users SET must_change = false WHERE user_name = $1', [made.userName])
    const officer = await server.as(made.userName, made.password)
    const role = (more: object) =>
      officer.ask(api.roles.add, {
        body: { code: 'x_role', name: '越权试试', dataScope: 'branches', ...more },
      })
    expect(await role({ dataScope: 'tenant' })).toMatchObject({
      code: 403,
      msg: expect.stringContaining('超出您自己的范围'),
    })
    expect(await role({ labels: ['site:edit'] })).toMatchObject({
      code: 403,
      msg: '您自己没有这些权限，不能授予：工地列表-编辑',
    })
    expect(await role({ labels: ['*:*:*'] })).toMatchObject({
      code: 403,
      msg: '您自己没有这些权限，不能授予：全部权限',
    })
    expect(await role({ pageIds: ids(['PageList']) })).toMatchObject({
      code: 403,
      msg: expect.stringContaining('页面管理'),
    })
    expect((await role({ labels: ['site:add'], pageIds: ids(['SiteList']) })).code).toBe(200)
    const adminRole = await roleOf('admin')
    expect(
      (
        await officer.ask(api.roles.edit, {
          body: {
            id: adminRole.id,
            version: adminRole.version,
            code: 'admin',
            name: '夺权',
            dataScope: 'tenant',
            labels: ['*:*:*'],
          },
        })
      ).code,
    ).toBe(403)

    // The same through users: giving oneself or others a bigger role, or taking over who holds more.
    const hz = await branch('HZ')
    expect(
      (
        await officer.ask(api.accounts.add, {
          body: { userName: 'sneak', nickname: '偷偷', bc_id: hz.id, roles: [adminRole.id] },
        })
      ).code,
    ).toBe(403)
    const manager = await userOf('branch_gm')
    expect(
      (await officer.ask(api.accounts.resetPassword, { body: { id: manager.id, version: manager.version } }))
        .msg,
    ).toMatch(/^这个账号有您没有的权限：.+ 等 \d+ 项，请由也有这些权限的管理员修改$/)
    const nb = await branch('NB')
    expect(
      (
        await officer.ask(api.accounts.add, {
          body: {
            userName: 'sneak',
            nickname: '偷偷',
            bc_id: nb.id,
            roles: [(await roleOf('personnel')).id],
          },
        })
      ).code,
    ).toBe(403)
    expect(
      (
        await officer.ask(api.accounts.edit, {
          body: {
            id: made.id,
            version: 0,
            userName: made.userName,
            nickname: '自己',
            bc_id: hz.id,
            roles: [adminRole.id],
          },
        })
      ).msg,
    ).toContain('自己的账号')

    const other = await newUser(['admin'], { bc_id: undefined })
    await server.sql('UPDATE users SET must_change = false WHERE user_name = $1', [other.userName])
    const second = await server.as(other.userName, other.password)
    const first = await userOf('admin')
    // Two administrators against each other at once: one of them stays.
    const [a, b] = await Promise.all([
      second.ask(api.accounts.state, { body: { id: first.id, version: first.version, status: 2 } }),
      admin.ask(api.accounts.state, {
        body: { id: other.id, version: (await userOf(other.userName)).version, status: 2 },
      }),
    ])
    const codes = [a.code, b.code]
    expect(codes.filter((c) => c === 200)).toHaveLength(1)
    expect(
      await server.sql(
        `SELECT count(*)::int AS n FROM users u JOIN user_roles ur ON ur.user_id = u.id JOIN roles r ON r.id = ur.role_id AND r.code = 'admin' WHERE u.status = 1 AND u.tenant_id = $1`,
        [admin.tenant],
      ),
    ).toEqual([{ n: 1 }])
    await server.sql(`UPDATE users SET status = 1 WHERE user_name = 'admin'`)
    admin = await server.as('admin')
    await server.sql(`UPDATE users SET status = 2 WHERE user_name = $1`, [other.userName])
    await server.sql(`SELECT pg_notify('access', '')`)
  })

  test('a change of a role reaches a signed-in holder with the next call', async () => {
    const steward = await server.as('steward')
    await steward.call(api.noWork.list, {})
    const role = await roleOf('steward')
    const was = await admin.call(api.roles.details, { query: { id: role.id } })
    const pages = await admin.call(api.pages.list, {})
    const noWork = pages.find((p) => p.componentName === 'NoWork')!
    const facts = { code: was.code, name: was.name, dataScope: was.dataScope, remark: was.remark }
    await admin.call(api.roles.edit, {
      body: {
        ...facts,
        id: role.id,
        version: was.version,
        pageIds: was.pageIds.filter((p) => p !== noWork.id),
        labels: was.labels.filter((l) => l !== 'nowork:reason'),
      },
    })
    expect(await steward.ask(api.noWork.list, {})).toMatchObject({ code: 401, msg: 'No Permission' })
    expect((await steward.call(api.session.permissionInfo, {})).roles).not.toContain('NoWork')
    await admin.call(api.roles.edit, {
      body: { ...facts, id: role.id, version: was.version + 1, pageIds: was.pageIds, labels: was.labels },
    })
    expect((await steward.ask(api.noWork.list, {})).code).toBe(200)
  })
})

describe('users', () => {
  test('a first password opens nothing but its own change', async () => {
    const made = await newUser(['inspector'])
    expect(made.password).toMatch(/^[A-Za-z2-9]{10}$/)
    const person = await server.as(made.userName, made.password)
    expect((await person.call(api.session.permissionInfo, {})).user.mustChange).toBe(true)
    expect(await person.ask(api.sites.list, {})).toMatchObject({ code: 409, msg: '请先修改初始密码' })
    await person.call(api.session.updatePassword, {
      body: { user_id: made.id, oldPassword: sha256(made.password), newPassword: sha256('Another77') },
    })
    expect((await person.ask(api.sites.list, {})).code).toBe(200)

    const row = await userOf(made.userName)
    const again = await gm.call(api.accounts.resetPassword, {
      query: { id: made.id, version: row.version },
    } as never)
    expect((await person.ask(api.sites.list, {})).status).toBe(401)
    expect(
      (
        await server
          .nobody()
          .ask(api.session.login, { body: { username: made.userName, password: sha256('Another77') } })
      ).code,
    ).toBe(400)
    expect((await server.as(made.userName, again.password)).token).toBeTruthy()
    expect(
      JSON.stringify(
        await admin.call(api.userlogs.list, { query: { object: ['user'], object_id: made.id } }),
      ),
    ).not.toContain(again.password)
  })

  test('the calls take their fields from the query as the spec prints them, and from the body', async () => {
    const role = await roleOf('inspector')
    const hz = await branch('HZ')
    const made = await admin.call(api.accounts.add, {
      query: { userName: 'byquery', nickname: '走地址', bc_id: hz.id, roles: [role.id], post: 2 },
    } as never)
    expect(await userOf('byquery')).toMatchObject({
      id: made.id,
      nickname: '走地址',
      post: 2,
      roles: [{ name: '巡检员' }],
      mustChange: true,
    })
    for (const [body, field] of [
      [{ userName: 'byquery' }, 'userName'],
      [{ userName: '中文' }, 'userName'],
      [{ phone: '12' }, 'phone'],
      [{ roles: [] }, 'roles'],
      [{ nickname: '' }, 'nickname'],
    ] as const)
      expect(
        (
          await admin.ask(api.accounts.add, {
            body: { userName: 'fresh', nickname: '新人', bc_id: hz.id, roles: [role.id], ...body },
          })
        ).data,
        field,
      ).toMatchObject({ fields: { [field]: expect.any(String) } })
  })

  test('somebody is renamed, moved and given another role; an account’s name stands once', async () => {
    const made = await newUser(['inspector'])
    const [nb, clerk, before] = [await branch('NB'), await roleOf('personnel'), await userOf(made.userName)]
    const facts = {
      id: made.id,
      version: before.version,
      userName: `${made.userName}.new`,
      nickname: '改名人',
      phone: '13700001234',
      bc_id: nb.id,
      roles: [clerk.id],
    }
    expect(await admin.ask(api.accounts.edit, { body: { ...facts, userName: 'PM' } })).toMatchObject({
      code: 400,
      data: { fields: { userName: '这个账号已经有人用了' } },
    })
    await admin.call(api.accounts.edit, { body: facts })
    expect(await userOf(facts.userName)).toMatchObject({
      id: made.id,
      nickname: '改名人',
      bc_name: nb.bc_name,
      version: before.version + 1,
    })
    expect((await admin.call(api.accounts.details, { query: { id: made.id } })).roles).toMatchObject([
      { id: clerk.id },
    ])
    expect(await admin.ask(api.accounts.edit, { body: facts })).toMatchObject({
      msg: expect.stringContaining('刚刚被别人改过'),
    })
  })

  test('disabling, ending sessions and deleting: out at once, and work that hangs on somebody is named', async () => {
    const made = await newUser(['inspector'])
    await server.sql('UPDATE users SET must_change = false WHERE id = $1', [made.id])
    const person = await server.as(made.userName, made.password)
    const details = await gm.call(api.accounts.details, { query: { id: made.id } })
    expect(details.openSessions).toHaveLength(1)
    expect(
      await gm.call(api.accounts.endSessions, { body: { id: made.id, key: details.openSessions[0]!.key } }),
    ).toEqual({ ended: 1 })
    expect((await person.ask(api.sites.list, {})).status).toBe(401)
    const back = await server.as(made.userName, made.password)
    await gm.call(api.accounts.state, { body: { id: made.id, version: details.version, status: 2 } })
    expect((await back.ask(api.sites.list, {})).status).toBe(401)
    expect(
      (
        await server
          .nobody()
          .ask(api.session.login, { body: { username: made.userName, password: sha256(made.password) } })
      ).msg,
    ).toBe('账号或密码不正确')
    await admin.call(api.accounts.del, {
      body: { id: made.id, version: details.version + 1, reason: '离职' },
    })
    expect(await lastLog('user')).toMatchObject({
      action: '删除用户',
      objectId: made.id,
      changes: expect.arrayContaining([{ title: '原因', before: '', after: '离职' }]),
    })

    const pm = await userOf('pm')
    const tied = await admin.ask(api.accounts.del, {
      body: { id: pm.id, version: pm.version, reason: '离职' },
    })
    expect(tied).toMatchObject({
      code: 409,
      msg: expect.stringMatching(/\d+ 个负责的工地（项目经理）.*请选择接手人$/),
      data: { needs: 'successors' },
    })
  })

  test('telephones are masked in the list and in the export', async () => {
    const list = await admin.call(api.accounts.list, { query: { pageSize: 100 } })
    expect(list.totalCount).toBeGreaterThan(10)
    for (const u of list.list) expect(u.phone).toMatch(/^(\d{3}\*{4}\d{4})?$/)
    const managers = await admin.call(api.managers.list, {})
    expect(managers.list.length).toBeGreaterThan(2)
    for (const m of managers.list) expect(m.phone).toMatch(/^(\d{3}\*{4}\d{4})?$/)
  })
})

describe('pages', () => {
  test('order, name, hiding and a power that is taken away reach who is signed in; the pages that administer stay', async () => {
    const pm = await server.as('pm')
    const pages = await admin.call(api.pages.list, { query: { system: 'xc' } })
    const device = pages.find((p) => p.path === '/device')!
    const children = pages.filter((p) => p.parent_id === device.id)
    await admin.call(api.pages.sort, {
      body: { parent_id: device.id, ids: children.map((c) => c.id).reverse() },
    })
    const group = async () =>
      (await pm.call(api.session.permissionInfo, {})).menus.osmcore
        .find((m) => m.path === '/device')!
        .children.map((c) => c.componentName)
    expect((await group()).indexOf('DeviceList')).toBeLessThan((await group()).indexOf('DeviceStatistics'))
    const list = (await admin.call(api.pages.list, {})).find((p) => p.componentName === 'DeviceList')!
    await admin.call(api.pages.edit, {
      body: {
        id: list.id,
        version: list.version,
        name: '全部设备',
        icon: 'device',
        parent_id: device.id,
        visible: false,
      },
    })
    expect(
      (await pm.call(api.session.permissionInfo, {})).menus.osmcore
        .flatMap((m) => m.children)
        .find((c) => c.componentName === 'DeviceList'),
    ).toMatchObject({ name: '全部设备', visible: false })

    expect(hasLive(await pm.call(api.session.permissionInfo, {}))).toBe(true)
    await admin.call(api.pages.delPower, { query: { page_id: list.id, label: 'device:live' } } as never)
    expect(hasLive(await pm.call(api.session.permissionInfo, {}))).toBe(false)
    await admin.call(api.pages.addPower, { body: { page_id: list.id, label: 'device:live', name: '看直播' } })
    expect(
      (await admin.ask(api.pages.addPower, { body: { page_id: list.id, label: 'site:add', name: '新增' } }))
        .data,
    ).toMatchObject({ fields: { label: expect.stringContaining('没有操作') } })

    const roles = (await admin.call(api.pages.list, {})).find((p) => p.componentName === 'RoleList')!
    expect(
      (await admin.ask(api.pages.del, { body: { id: roles.id, version: roles.version } })).msg,
    ).toContain('不能删除')
    expect(
      (
        await admin.ask(api.pages.edit, {
          body: {
            id: roles.id,
            version: roles.version,
            name: '角色',
            parent_id: roles.parent_id!,
            visible: false,
          },
        })
      ).data,
    ).toMatchObject({ fields: { visible: expect.any(String) } })
    expect(
      (
        await admin.ask(api.pages.del, {
          body: {
            id: device.id,
            version: (await admin.call(api.pages.list, {})).find((p) => p.id === device.id)!.version,
          },
        })
      ).msg,
    ).toContain('里还有')

    // A page that was taken out of the menu comes back from the program's own list.
    const monitor = (await admin.call(api.pages.list, {})).find((p) => p.componentName === 'DailyMonitor')!
    await admin.call(api.pages.del, { body: { id: monitor.id, version: monitor.version } })
    expect((await pm.call(api.session.permissionInfo, {})).roles).not.toContain('DailyMonitor')
    await admin.call(api.pages.add, {
      body: { system: 'xc', componentName: 'DailyMonitor', name: '每日监控', parent_id: monitor.parent_id! },
    })
    expect((await admin.call(api.session.permissionInfo, {})).roles).toContain('DailyMonitor')
    expect(
      (await admin.ask(api.pages.add, { body: { system: 'xc', componentName: 'Evil', name: '没有的' } }))
        .data,
    ).toMatchObject({ fields: { componentName: '程序里没有这个页面' } })
  })
  const hasLive = (info: { permissions: string[] }) => info.permissions.includes('device:live')
})

describe('companies and stores', () => {
  test('opened, edited, and not deleted while anything hangs on them', async () => {
    const { id } = await admin.call(api.companies.add, {
      body: { bc_name: '绍兴分公司', code: 'SX', city: '绍兴', lng: 120.58, lat: 30.05 },
    })
    expect(
      (await admin.ask(api.companies.add, { body: { bc_name: '又一个', code: 'SX', city: '绍兴' } })).data,
    ).toMatchObject({ fields: { code: '已经有这个编号的分公司' } })
    const store = await admin.call(api.stores.add, { query: { name: '绍兴一店', bc_id: id } } as never)
    expect(await admin.ask(api.companies.del, { body: { id, version: 0 } })).toMatchObject({
      code: 409,
      msg: '绍兴分公司还有 1 个门店，不能删除',
      data: { links: [{ count: 1, link: `/system/CompanyStore?bc_id=${id}` }] },
    })
    const facts = { id: store.id, bc_id: id, name: '绍兴旗舰店', address: '解放路 1 号', status: 1 as const }
    await admin.call(api.stores.edit, { body: { ...facts, version: 0, lng: 120.6, lat: 30 } })
    expect((await admin.call(api.stores.list, { query: { bc_id: [id] } })).list).toMatchObject([
      { name: '绍兴旗舰店', address: '解放路 1 号', lng: 120.6, lat: 30, version: 1 },
    ])
    expect((await admin.ask(api.stores.edit, { body: { ...facts, version: 0 } })).msg).toContain(
      '刚刚被别人改过',
    )
    // What is not said is not known any more.
    await admin.call(api.stores.edit, { body: { ...facts, version: 1 } })
    expect((await admin.call(api.stores.list, { query: { bc_id: [id] } })).list).toMatchObject([
      { lng: null, lat: null, version: 2 },
    ])
    await admin.call(api.stores.del, { body: { id: store.id, version: 2 } })
    await admin.call(api.companies.edit, {
      body: {
        id,
        version: 0,
        bc_name: '绍兴分公司',
        code: 'SX',
        city: '绍兴',
        receivesOrders: false,
        status: 2,
      },
    })
    expect(await branch('SX')).toMatchObject({ receivesOrders: false, status: 2, version: 1 })
    expect((await admin.call(api.session.companylistprebc, {})).map((c) => c.bc_name)).not.toContain(
      '绍兴分公司',
    )
    await admin.call(api.companies.del, { body: { id, version: 1 } })
    expect((await admin.call(api.companies.list, { query: { keyword: '绍兴' } })).totalCount).toBe(0)
    expect(
      (await gm.ask(api.companies.add, { body: { bc_name: '私设', code: 'ZZ', city: '某市' } })).msg,
    ).toBe('No Permission')
  })
})

describe('settings', () => {
  test('a branch’s value counts before the group’s, says where it comes from, steers what it names, and can be given back', async () => {
    const hz = await branch('HZ')
    const of = async (bc: string | undefined, key: string) =>
      (await admin.call(api.settings.selectByBcId, { query: { bcId: bc } } as never)).settings.find(
        (s) => s.key === key,
      )
    expect(await of(hz.id, 'offlineMinutes')).toEqual({
      key: 'offlineMinutes',
      value: 5,
      from: 'product',
      inherited: 5,
    })
    await admin.call(api.settings.update, { body: { values: { offlineMinutes: 10 } } })
    await gm.call(api.settings.update, {
      query: { bcId: hz.id },
      body: { values: { offlineMinutes: 30 } },
    } as never)
    expect(await of(hz.id, 'offlineMinutes')).toEqual({
      key: 'offlineMinutes',
      value: 30,
      from: 'branch',
      inherited: 10,
    })
    expect(await lastLog('setting')).toMatchObject({
      changes: [{ title: '离线判定（分钟）', before: '', after: '30' }],
    })

    const camera = server.devices.find((d) => d.sn.startsWith('CAM-HZ'))!
    await report(server.url, camera, [{ id: 'beat', kind: 'heartbeat', at: seconds() - 20 * 60, signal: 80 }])
    await server.db.tx({ tenant: '', bcs: null, sites: null, user: null, system: true }, async (tx) =>
      (await import('../features/devices/heartbeats.service.ts')).watchSilence(tx, testNow()),
    )
    const status = async () =>
      (
        await server.sql<{ s: number }>('SELECT device_status AS s FROM devices WHERE sn = $1', [camera.sn])
      )[0]!.s
    expect(await status()).toBe(1)
    await gm.call(api.settings.update, { body: { bcId: hz.id, values: { offlineMinutes: null } } })
    expect(await of(hz.id, 'offlineMinutes')).toMatchObject({ value: 10, from: 'group' })
    await server.db.tx({ tenant: '', bcs: null, sites: null, user: null, system: true }, async (tx) =>
      (await import('../features/devices/heartbeats.service.ts')).watchSilence(tx, testNow()),
    )
    expect(await status()).toBe(2)

    for (const values of [
      { offlineMinutes: 0 },
      { offlineMinutes: 'x' },
      { nonsense: 1 },
      { restDays: [7] },
      { workStart: '20:00', workEnd: '08:00' },
      { workStart: '08:00', workEnd: '08:01' },
    ])
      expect(
        (await gm.ask(api.settings.update, { body: { bcId: hz.id, values } })).code,
        JSON.stringify(values),
      ).toBe(400)
    expect((await gm.ask(api.settings.update, { body: { values: { offlineMinutes: 9 } } })).code).toBe(403)
    expect(await of(undefined, 'offlineMinutes')).toMatchObject({ value: 10 })
  })

  test('a correction that would be due at night is due when work begins', async () => {
    const hz = await branch('HZ')
    await gm.call(api.settings.update, {
      body: { bcId: hz.id, values: { workStart: '08:00', workEnd: '12:00', 'correctionHours.smoking': 2 } },
    })
    const device = server.devices.find((d) => d.sn.startsWith('CAM-HZ') && d.sn.endsWith('4'))!
    await report(server.url, device, [
      { id: 'night', kind: 'alarm', at: seconds() - 5, type: 'smoking', confidence: 0.9 },
    ])
    const alarm = (await gm.call(api.alarms.list, { query: { type: ['smoking'] } })).list[0]!
    const people = await gm.call(api.users.pick, { query: { site_id: alarm.site_id } })
    await gm.call(api.alarms.assign, {
      body: { id: alarm.id, version: alarm.version, assignee_id: people[0]!.id },
    })
    const [{ due }] = (await server.sql<{ due: string }>(
      `SELECT to_char(due_at AT TIME ZONE 'Asia/Shanghai', 'HH24:MI') AS due FROM alarms WHERE id = $1`,
      [alarm.id],
    )) as [{ due: string }]
    expect(due >= '08:00' && due <= '12:00').toBe(true)
    await gm.call(api.settings.update, {
      body: { bcId: hz.id, values: { workStart: null, workEnd: null, 'correctionHours.smoking': null } },
    })
  })
})

describe('devices', () => {
  test('stocked, distributed, bound by serial number, replaced in one step, re-keyed, retired; the history tells it all', async () => {
    const hz = await branch('HZ')
    const nb = await branch('NB')
    const sns = Array.from({ length: 5 }, (_, i) => `NEW-${i + 1}`)
    const taken = server.devices.find((d) => d.sn.includes('HZ'))!.sn
    const { added, refused } = await admin.call(api.deviceStock.stock, {
      body: { type: 'camera', model: 'EyeSite C7', sns: [...sns, 'NEW-1', taken] },
    })
    expect(added.map((a) => a.sn)).toEqual(sns)
    expect(refused.map((r) => r.why).sort()).toEqual(['在清单里重复', '序列号已经在库'].sort())
    const rows = async () =>
      (await admin.call(api.deviceStock.list, { query: { keyword: 'NEW-', pageSize: 50 } })).list
    expect((await rows()).map((d) => d.deviceStatus)).toEqual([6, 6, 6, 6, 6])
    expect((await admin.call(api.deviceStock.totals, { query: { model: 'C7' } })).list).toMatchObject([
      { bc_name: '集团仓库', inStock: 5, total: 5 },
    ])

    const ids = (await rows()).map((d) => d.id)
    expect(
      await admin.call(api.deviceStock.distribution, { body: { ids: ids.slice(0, 4), bc_id: hz.id } }),
    ).toMatchObject({ done: 4, refused: [] })
    expect(
      await admin.call(api.deviceStock.distribution, { body: { ids: [ids[3]!, ids[4]!], bc_id: nb.id } }),
    ).toMatchObject({ done: 2 })

    const keeper = await server.as('device_keeper')
    const site = (await keeper.call(api.sites.list, { query: { status: [1] } })).list[0]!
    await keeper.call(api.deviceStock.bindaction, { body: { action: 'bind', sn: sns[0]!, site_id: site.id } })
    // A device that speaks with its secret is who it says it is; after a new secret the old one is refused.
    const device = { ...server.devices[0]!, sn: sns[0]!, secret: added[0]!.secret }
    const beat = () =>
      report(server.url, device, [{ id: `b${Math.random()}`, kind: 'heartbeat', at: seconds() }])
    expect((await beat()).status).toBe(200)
    await report(server.url, device, [{ id: 'signals', kind: 'heartbeat', at: seconds(), signal: 64 }])
    const bound = (await rows()).find((d) => d.sn === sns[0])!
    expect(bound).toMatchObject({ bindStatus: 2, deviceStatus: 1, site_id: site.id })
    const fresh = await keeper.call(api.deviceStock.secret, {
      body: { id: bound.id, version: bound.version },
    })
    await expect.poll(async () => (await beat()).status).toBe(401)
    device.secret = fresh.secret
    expect((await beat()).status).toBe(200)

    await keeper.call(api.deviceStock.bindaction, {
      query: { action: 'replace', sn: sns[0], with: sns[1], remark: '镜头进水' },
    } as never)
    expect((await rows()).filter((d) => d.site_id === site.id).map((d) => d.sn)).toEqual([sns[1]])
    expect(
      (
        await keeper.ask(api.deviceStock.bindaction, {
          body: { action: 'replace', sn: sns[1]!, with: 'FT-HZ-003' },
        })
      ).code,
    ).toBe(400)
    expect(
      (
        await keeper.ask(api.deviceStock.bindaction, {
          body: { action: 'bind', sn: sns[3]!, site_id: site.id },
        })
      ).msg,
    ).toContain('没有序列号为')

    const spare = (await rows()).find((d) => d.sn === sns[2])!
    await keeper.call(api.deviceStock.updatedevice, {
      body: { id: spare.id, version: spare.version, model: 'EyeSite C8', remark: '样机' },
    })
    await keeper.call(api.deviceStock.deldevice, {
      body: { id: spare.id, version: spare.version + 1, remark: '报废' },
    })
    // Its page says what it is, since when its secret counts, and how well it was heard.
    const page = await keeper.call(api.devices.details, { query: { id: bound.id } })
    expect(page).toMatchObject({ sn: sns[0], deviceStatus: 5, site_id: null, signals: [{ signal: 64 }] })
    expect(page.secretAt).toBeGreaterThan(0)
    // Several for good at once: what stands on a site stays, and is named.
    const standing = (await rows()).find((d) => d.sn === sns[1])!
    const scrapped = await keeper.call(api.deviceStock.scrap, {
      body: { ids: [bound.id, standing.id], remark: '镜头进水，修不好' },
    })
    expect(scrapped).toMatchObject({ done: 1, refused: [{ sn: sns[1] }] })
    expect(scrapped.refused[0]!.why).toContain('不能报废')
    const none = await keeper.ask(api.deviceStock.scrap, { body: { ids: [standing.id], remark: '再试一次' } })
    expect(none.msg).toContain('不能报废')
    const log = await keeper.call(api.deviceStock.bindlog, {
      query: { keyword: 'NEW-', pageSize: 50 },
    })
    expect(new Set(log.list.map((l) => l.action))).toEqual(
      new Set(['入库', '分配', '绑定', '解绑', '换密钥', '报废']),
    )
    expect(log.list.every((l) => l.sn !== sns[4])).toBe(true)
    expect(
      (await admin.call(api.userlogs.list, { query: { object: ['device'], object_id: bound.id } })).list.map(
        (l) => l.action,
      ),
    ).toContain('更换设备密钥')
  })
})

describe('the log', () => {
  test('filters, sees its own branches, verifies by button, and finds what was changed', async () => {
    const all = await admin.call(api.userlogs.list, { query: { pageSize: 100 } })
    expect(all.list.every((l) => l.ip !== '' && l.at > 0)).toBe(true)
    expect(
      (await admin.call(api.userlogs.list, { query: { outcome: 'refused', keyword: 'No Permission' } }))
        .totalCount + (await admin.call(api.userlogs.list, { query: { outcome: 'refused' } })).totalCount,
    ).toBeGreaterThan(0)
    const mine = await gm.call(api.userlogs.list, { query: { pageSize: 100 } })
    expect(mine.totalCount).toBeLessThan(all.totalCount)
    const own = new Set(
      (
        await server.sql<{ id: string }>(
          `SELECT u.id FROM users u JOIN companies c ON c.bc_id = u.bc_id WHERE c.code = 'HZ'`,
        )
      ).map((u) => u.id),
    )
    expect(mine.list.every((l) => own.has(l.user_id!))).toBe(true)
    await expect
      .poll(async () => (await server.sql('SELECT 1 FROM user_logs WHERE seq IS NULL')).length, {
        timeout: 10_000,
      })
      .toBe(0)
    expect(await admin.call(api.userlogs.verify, { body: {} })).toMatchObject({
      ok: true,
      checked: expect.any(Number),
    })
    await server.sql(`UPDATE user_logs SET agent = 'x' WHERE seq = 3 AND tenant_id = $1`, [admin.tenant])
    expect(await admin.call(api.userlogs.verify, { body: {} })).toMatchObject({
      ok: false,
      why: '第 3 行被改动',
    })
  })
})

test('a place is two numbers or none', async () => {
  const admin = await server.as('admin')
  const branch = { bc_name: '半个地点', code: 'HALF', city: '绍兴', address: '', principal: '', phone: '' }
  for (const [place, missing] of [
    [{ lng: 120.5 }, 'lat'],
    [{ lat: 30.1 }, 'lng'],
  ] as const)
    expect(await admin.ask(api.companies.add, { body: { ...branch, ...place } })).toMatchObject({
      code: 400,
      data: { fields: { [missing]: '经度、纬度要一起填' } },
    })
})

test('managers: what they are in charge of and how fast what is theirs is put right, as the records say', async () => {
  const { list } = await gm.call(api.managers.list, { query: { pageSize: 50 } })
  expect(list.length).toBeGreaterThan(2)
  for (const m of list) {
    const [own] = await server.sql<{
      sites: number
      open: number
      done: number
      prompt: number
      late: number
    }>(
      `SELECT
         (SELECT count(*)::int FROM sites WHERE $1 IN (manager_id, steward_id) AND status = 1) AS sites,
         (SELECT count(*)::int FROM alarms WHERE assignee_id = $1 AND closed_at IS NULL) AS open,
         (SELECT count(*)::int FROM alarms WHERE assignee_id = $1 AND closed_at IS NULL AND due_at < :now) AS late,
         (SELECT count(*)::int FROM alarms WHERE assignee_id = $1 AND correction_status = 3 AND due_at IS NOT NULL
            AND closed_at > :now - interval '30 days') AS done,
         (SELECT count(*)::int FROM alarms WHERE assignee_id = $1 AND correction_status = 3
            AND closed_at <= due_at AND closed_at > :now - interval '30 days') AS prompt`,
      [m.id],
    )
    expect([m.nickname, m.sites, m.open, m.late, m.corrections]).toEqual([
      m.nickname,
      own!.sites,
      own!.open,
      own!.late,
      own!.done + own!.late,
    ])
    expect(m.onTime).toBe(m.corrections ? own!.prompt / m.corrections : null)
    expect(m.phone).toMatch(/^$|\*{4}/)
  }
})
