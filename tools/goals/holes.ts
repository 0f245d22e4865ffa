import { createHmac } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'

import { report, sendFile } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { draw } from '../../simulator/pictures.ts'
import { caller, type Heard, noId, type Result, send, signIn, travelling } from './client.ts'
import { linkHoles } from './link-holes.ts'
import { setStage } from './stage.ts'

const MADE_UP = 'a'.repeat(43)
const raw = (heard: Heard) => heard.text + [...heard.headers].map(([k, v]) => `${k}:${v}`).join('\n')

/** G-03: the holes that systems of this kind really had; each is tried by HTTP and none opens. Control: every trick's honest twin works. */
export async function holes(): Promise<Result> {
  const stage = await setStage()
  let cases = 0
  const open: string[] = []
  const honest: string[] = []
  const closed = (name: string, ok: boolean, more = '') => {
    cases += 1
    if (!ok) {
      open.push(name)
      console.log(`open: ${name} ${more.slice(0, 200)}`)
    }
  }
  const works = (name: string, ok: boolean, more = '') => {
    if (!ok) {
      honest.push(name)
      console.log(`control fails: ${name} ${more.slice(0, 200)}`)
    }
  }
  const refused = (h: Heard) => h.code !== 200
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    const running = await stage.serve()
    const { url, process: server } = running
    let fell = false
    server.once('exit', () => (fell = true))
    const [admin, gm, gm2, pm, keeper, other, supplier, inspector] = await Promise.all(
      ['admin', 'branch_gm', 'branch_gm2', 'pm', 'device_keeper', 'other', 'supplier', 'inspector'].map((n) =>
        signIn(url, n),
      ),
    )
    const all = [admin!, gm!, gm2!, pm!, keeper!, other!, supplier!, inspector!]
    const one = async <R>(text: string, values: unknown[] = []) =>
      (await stage.owner.query(text, values)).rows[0] as R
    const camera = stage.devices.find((d) => d.type === 'camera' && d.sn.includes('HZ'))!
    for (const d of stage.devices.filter((x) => x.type === 'camera'))
      await report(url, d, [{ id: 'h', kind: 'alarm', at: seconds() - 60, type: 'smoking', confidence: 0.9 }])
    const of = (code: string) =>
      one<{ tenant: string; bc: string; site: string; device: string; alarm: string; user: string }>(
        `SELECT c.tenant_id AS tenant, c.bc_id AS bc, (SELECT id FROM sites w WHERE w.bc_id = c.bc_id AND w.status = 1 LIMIT 1) AS site, (SELECT id FROM devices d WHERE d.bc_id = c.bc_id AND d.bind_status = 2 LIMIT 1) AS device, (SELECT id FROM alarms a WHERE a.bc_id = c.bc_id LIMIT 1) AS alarm, (SELECT id FROM users u WHERE u.bc_id = c.bc_id LIMIT 1) AS user FROM companies c WHERE c.code = $1`,
        [code],
      )
    const [hz, nb, sz] = await Promise.all([of('HZ'), of('NB'), of('SZ')])

    // 1. The tenant header is trusted.
    works('tenant: own', (await gm!.ask(api.sites.list)).code === 200)
    for (const tenant of [
      sz.tenant,
      sz.tenant.toUpperCase(),
      `${hz.tenant},${sz.tenant}`,
      `${hz.tenant} OR 1=1`,
      '*',
      '',
      '0',
      'null',
      '../',
      ` ${sz.tenant}`,
    ])
      closed(
        `tenant header ${tenant.slice(0, 12)}`,
        (await caller(url, { ...gm!.headers, 'tenant-id': tenant }).ask(api.sites.list)).status === 403,
      )

    // 2. Tenant, branch, version and state columns writable through the body.
    const before = async () =>
      JSON.stringify(
        await one(
          `SELECT tenant_id, bc_id, status, version, open_alarms, no_work_run, deleted_at, manager_id FROM sites WHERE id = $1`,
          [hz.site],
        ),
      )
    const facts = {
      ws_name: '改名试试',
      bc_id: hz.bc,
      address: '某路一号',
      version: (await one<{ version: number }>('SELECT version FROM sites WHERE id = $1', [hz.site])).version,
      id: hz.site,
    }
    const sly: Record<string, unknown> = {
      tenant_id: sz.tenant,
      tenantId: sz.tenant,
      status: 4,
      progress: 100,
      open_alarms: 0,
      no_work_run: 0,
      deleted_at: '2026-01-01',
      manager_id: nb.user,
      stage: 'acceptance',
      code: 'GDXX',
    }
    for (const [field, value] of Object.entries(sly)) {
      const was = JSON.parse(await before()) as Record<string, unknown>
      const heard = await gm!.ask(api.sites.edit, { body: { ...facts, [field]: value } })
      if (heard.code === 200) facts.version += 1
      const is = JSON.parse(await before()) as Record<string, unknown>
      closed(
        `site body sets ${field}`,
        JSON.stringify({ ...was, version: 0 }) === JSON.stringify({ ...is, version: 0 }) &&
          (await one<{ c: string }>('SELECT code AS c FROM sites WHERE id = $1', [hz.site])).c !== 'GDXX',
        heard.text,
      )
    }
    works('site edit', facts.version > 0)
    closed(
      'site moved to another branch',
      refused(await gm!.ask(api.sites.edit, { body: { ...facts, bc_id: nb.bc } })),
    )
    closed(
      'site moved to another tenant',
      refused(await gm!.ask(api.sites.edit, { body: { ...facts, bc_id: sz.bc } })),
    )
    closed(
      'site added in another branch',
      refused(await gm!.ask(api.sites.add, { body: { ws_name: '偷建', bc_id: nb.bc, address: '某路' } })),
    )
    closed(
      'site added in another tenant',
      refused(await gm!.ask(api.sites.add, { body: { ws_name: '偷建', bc_id: sz.bc, address: '某路' } })),
    )
    for (const field of ['tenant_id', 'user_id', 'roles', 'permissions']) {
      await gm!.ask(api.views.save, {
        body: { name: 'x', value: {}, [field]: field === 'user_id' ? nb.user : sz.tenant },
      })
      closed(
        `view body sets ${field}`,
        (
          await one<{ n: number }>(
            `SELECT count(*)::int AS n FROM saved_views WHERE name = 'x' AND user_id <> (SELECT id FROM users WHERE user_name = 'branch_gm')`,
          )
        ).n === 0,
      )
    }

    // 3. By-id reads and writes without ownership.
    for (const [place, r] of [
      ['branch', nb],
      ['tenant', sz],
    ] as const) {
      const v = { version: 0 }
      const tries: [string, Promise<Heard>][] = [
        ['site', gm!.ask(api.sites.details, { query: { id: r.site } })],
        ['timeline', gm!.ask(api.timeline.list, { query: { site_id: r.site } })],
        ['device history', keeper!.ask(api.devices.history, { query: { id: r.device } })],
        [
          'device live',
          gm!.ask(api.streams.open, { body: { device_id: r.device, purpose: 'patrol', said: true } }),
        ],
        ['alarm', gm!.ask(api.alarms.details, { query: { id: r.alarm } })],
        ['assign', gm!.ask(api.alarms.assign, { body: { id: r.alarm, ...v, assignee_id: r.user } })],
        [
          'cancel',
          gm!.ask(api.alarms.cancel, { body: { id: r.alarm, ...v, cause: 'wrong', reason: '误报了' } }),
        ],
        ['unbind', keeper!.ask(api.devices.change, { body: { id: r.device, ...v, action: 'unbind' } })],
        [
          'terminate',
          gm!.ask(api.sites.state, { body: { id: r.site, ...v, action: 'terminate', reason: '不做了' } }),
        ],
        [
          'own device to a foreign site',
          keeper!.ask(api.devices.bind, { body: { id: hz.device, ...v, site_id: r.site } }),
        ],
        [
          'own alarm to a foreign person',
          gm!.ask(api.alarms.assign, { body: { id: hz.alarm, ...v, assignee_id: r.user } }),
        ],
        [
          'foreign manager',
          gm!.ask(api.sites.people, {
            body: { id: hz.site, version: facts.version, steward_id: null, manager_id: r.user },
          }),
        ],
      ]
      for (const [name, asked] of tries) {
        const heard = await asked
        closed(`other ${place}: ${name}`, refused(heard), heard.text)
      }
      const many = await gm!.ask(api.alarms.cancelMany, {
        body: { alarms: [{ id: r.alarm, version: 0 }], cause: 'wrong', reason: '误报了' },
      })
      closed(`other ${place}: in a batch`, (many.data as { done?: number } | null)?.done !== 1, many.text)
    }

    // 4. The scope is widened by the one who has it.
    for (const bc of [nb.bc, sz.bc, '', `${hz.bc},${nb.bc}`]) {
      const list =
        (
          (await gm!.ask(api.sites.list, { query: { bc_id: bc, pageSize: 100 } })).data as {
            list?: { bc_id: string }[]
          } | null
        )?.list ?? []
      closed(
        `filter by branch ${bc.slice(0, 8)}`,
        list.every((s) => s.bc_id === hz.bc),
      )
    }
    closed(
      'keyword finds the other branch',
      !/宁波/.test((await gm!.ask(api.search.all, { query: { keyword: 'GDNB' } })).text),
    )
    closed(
      'people of the other branch',
      !JSON.stringify((await gm!.ask(api.users.pick, { query: { id: nb.user } })).data ?? []).includes(
        nb.user,
      ),
    )
    closed('branches to assign', !(await gm!.ask(api.session.companylistprebc)).text.includes(nb.bc))
    closed(
      'another person’s password',
      refused(
        await gm!.ask(api.session.updatePassword, {
          body: {
            user_id: nb.user,
            oldPassword: travelling('Zhuguan666'),
            newPassword: travelling('Taken1234'),
          },
        }),
      ),
    )

    // 5. The wrong permission on a route, and what a role without it gets.
    for (const [name, asked] of Object.entries({
      list: supplier!.ask(api.sites.list),
      details: supplier!.ask(api.sites.details, { query: { id: hz.site } }),
      export: inspector!.ask(api.sites.export),
      add: inspector!.ask(api.sites.add, { body: { ws_name: '偷建', bc_id: hz.bc, address: '某路' } }),
      bind: inspector!.ask(api.devices.bind, { body: { id: hz.device, version: 0, site_id: hz.site } }),
      makeup: keeper!.ask(api.attendance.makeup, { body: {} }),
      alarms: keeper!.ask(api.alarms.list),
    }))
      closed(`without the right: ${name}`, (await asked).code === 401)

    // 6. Routes open without a login; tokens in the wrong place.
    for (const [name, headers] of Object.entries({
      nothing: {},
      'made up': { token: MADE_UP, 'tenant-id': hz.tenant },
      bearer: { authorization: `Bearer ${gm!.headers.token}`, 'tenant-id': hz.tenant },
      cookie: { cookie: `Access-Token=${gm!.headers.token}`, 'tenant-id': hz.tenant },
      cut: { token: gm!.headers.token!.slice(0, 42), 'tenant-id': hz.tenant },
      lower: { token: gm!.headers.token!.toLowerCase(), 'tenant-id': hz.tenant },
      long: { token: 'x'.repeat(4_000), 'tenant-id': hz.tenant },
    }))
      closed(
        `token ${name}`,
        (await caller(url, headers as Record<string, string>).ask(api.sites.list)).status === 401,
      )
    closed(
      'token in the query',
      (
        await caller(url, { 'tenant-id': hz.tenant }).ask(api.sites.list, {
          query: { token: gm!.headers.token },
        })
      ).status === 401,
    )
    closed(
      'user header',
      (
        await caller(url, { 'x-user-id': hz.user, 'x-role': 'admin', 'x-real-ip': '127.0.0.1' }).ask(
          api.sites.list,
        )
      ).status === 401,
    )

    // 7. Path tricks around the guard.
    const p = api.sites.list.path
    for (const path of [
      `/${p}`,
      `${p}/`,
      `${p}//`,
      p.replace('/site', '//site'),
      p.replace('/site', '/./site'),
      `/user/system/auth/login/../../../..${p}`,
      `/user/system/auth/login/..%2f..%2f..%2f..${p}`,
      p.toUpperCase(),
      p.replace('api', '%61pi'),
      `${p};/login`,
      `${p}%00`,
      `${p}?x=/user/system/auth/login`,
      `${p}.json`,
      `${p}#/login`,
      `/assets/..${p}`,
    ]) {
      const heard = await send(url, 'POST', path, { 'content-type': 'application/json' }, '')
      closed(`path ${path}`, heard.status !== 200 || heard.code !== 200, heard.text)
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      closed(`method ${method}`, (await send(url, method, p, gm!.headers)).code !== 200)
    closed(
      'method by header',
      (await send(url, 'GET', p, { ...gm!.headers, 'x-http-method-override': 'POST' })).code !== 200,
    )

    // 8. SQL by sort, filter name and value.
    for (const sort of [
      'id;DROP TABLE sites',
      'code desc, (select pg_sleep(3))',
      '(CASE WHEN 1=1 THEN code ELSE id END)',
      'tenant_id',
      'password',
      '-1',
      'code--',
      '__proto__',
      'constructor',
    ]) {
      const at = performance.now()
      closed(
        `sort ${sort}`,
        refused(await gm!.ask(api.sites.list, { query: { sort } })) && performance.now() - at < 2_000,
      )
    }
    for (const keyword of [
      `%' OR '1'='1`,
      `'; DELETE FROM alarms; --`,
      `') UNION SELECT password FROM users --`,
    ]) {
      const heard = await gm!.ask(api.sites.list, { query: { keyword } })
      closed(
        `keyword ${keyword}`,
        heard.code === 200 && (heard.data as { totalCount: number }).totalCount === 0,
      )
    }
    closed('nothing was dropped', (await one<{ n: number }>('SELECT count(*)::int AS n FROM sites')).n > 10)

    // 9. Traversal and files of others.
    const uploaded = await send(
      url,
      'POST',
      api.files.upload.path,
      { ...pm!.headers, 'content-type': 'image/jpeg' },
      await draw({ type: 'smoking', variant: 1, camera: 'x', time: 'x' }),
    )
    const { key } = uploaded.data as { key: string }
    works(
      'upload',
      uploaded.code === 200 && (await pm!.ask(api.files.get, { query: { key } })).status === 200,
    )
    for (const k of [
      '../secret.key',
      '..%2f..%2fsecret.key',
      '/etc/passwd',
      'secret.key',
      `${key}/../../secret.key`,
      `${key}\u0000.jpg`,
      `${noId()}.jpg`,
    ])
      closed(`file ${k.slice(0, 24)}`, refused(await pm!.ask(api.files.get, { query: { key: k } })))
    for (const who of [gm2!, other!, supplier!])
      closed('file of another person', refused(await who.ask(api.files.get, { query: { key } })))
    closed(
      'thumbnail of another person',
      refused(await other!.ask(api.files.get, { query: { key, size: 'thumb' } })),
    )
    for (const path of [
      '/../../package.json',
      '/..%2f..%2fpackage.json',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/.env',
      '/.git/config',
      '/server/main.ts',
      '/assets/../../vite.config.ts',
    ])
      closed(
        `static ${path}`,
        !/"workspaces"|repositoryformatversion|import /.test((await send(url, 'GET', path, {})).text),
      )

    // 10. Uploads that are something else.
    const bodies: [string, string, string][] = [
      ['svg', 'image/jpeg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
      ['html', 'image/png', '<html><script>alert(1)</script></html>'],
      ['gif-javascript', 'image/png', 'GIF89a/*<script>alert(1)</script>*/'],
      ['elf', 'image/webp', '\x7fELF\x02\x01\x01'],
      ['jpeg head only', 'image/jpeg', '\xff\xd8\xff\xe0'],
      ['php', 'application/octet-stream', '<?php system($_GET[0]); ?>'],
      ['empty', 'image/jpeg', ''],
    ]
    for (const [name, type, body] of bodies)
      closed(
        `upload ${name}`,
        refused(
          await send(
            url,
            'POST',
            api.files.upload.path,
            { ...pm!.headers, 'content-type': type },
            Buffer.from(body, 'latin1'),
          ),
        ),
      )
    closed(
      'upload without a session',
      (await send(url, 'POST', api.files.upload.path, { 'content-type': 'image/jpeg' }, Buffer.from('x')))
        .status === 401,
    )
    const served = await pm!.ask(api.files.get, { query: { key } })
    closed(
      'a picture is never run as a page',
      served.headers.get('x-content-type-options') === 'nosniff' &&
        served.headers.get('content-type') === 'image/jpeg',
    )
    closed(
      'device file that is none',
      (await sendFile(url, camera, Buffer.from('<svg onload=alert(1)>'))).code !== 200,
    )

    // 11. Devices: another's picture, another's site, unsigned, weakly signed.
    const foreign = stage.devices.find((d) => d.type === 'camera' && d.sn.includes('SZ'))!
    const theirs = await sendFile(
      url,
      foreign,
      await draw({ type: 'smoking', variant: 2, camera: 'y', time: 'y' }),
    )
    const stolen = await report(url, camera, [
      {
        id: 'steal',
        kind: 'alarm',
        at: seconds() - 5,
        type: 'noclothes',
        confidence: 0.9,
        picture: theirs.data.key,
      },
    ])
    closed('a device shows another’s picture', stolen.data?.accepted !== 1)
    const unsigned = async (headers: Record<string, string>) =>
      (
        await send(
          url,
          'POST',
          api.deviceDoor.events.path,
          {
            'content-type': 'application/json',
            'x-device-sn': camera.sn,
            'x-timestamp': String(seconds()),
            'x-nonce': 'n'.repeat(20),
            ...headers,
          },
          '{"events":[]}',
        )
      ).status
    for (const [name, headers] of Object.entries<Record<string, string>>({
      unsigned: {},
      'signed with nothing': { 'x-sign': createHmac('sha256', '').update('').digest('hex') },
      'signed with its number': { 'x-sign': createHmac('sha256', camera.sn).update('').digest('hex') },
      'a person’s token': { token: admin!.headers.token!, 'tenant-id': hz.tenant },
    }))
      closed(`device ${name}`, (await unsigned(headers)) === 401)

    // 12. Secrets, insides and headers.
    const texts = (
      await Promise.all([
        ...all.map((a) => a.ask(api.session.permissionInfo)),
        ...all.map((a) => a.ask(api.session.userdata)),
        admin!.ask(api.devices.list, { query: { pageSize: 100 } }),
        admin!.ask(api.users.pick),
        send(url, 'GET', '/', {}),
        send(url, 'GET', '/open/openapi.json', {}),
        send(url, 'GET', '/healthz', {}),
        send(url, 'GET', '/readyz', {}),
      ])
    )
      .map(raw)
      .join('\n')
    const { rows: secrets } = await stage.owner.query<{ secret: string }>(
      'SELECT secret FROM devices UNION SELECT password FROM users',
    )
    closed(
      'no secret of a device or hash of a password in an answer',
      secrets.every((s) => !texts.includes(s.secret)) &&
        stage.devices.every((d) => !texts.includes(d.secret)),
    )
    closed('no argon2 text in an answer', !texts.includes('$argon2'))
    const page = await send(url, 'GET', '/', {})
    const policy = page.headers.get('content-security-policy') ?? ''
    closed(
      'scripts only by hash',
      policy.includes("script-src 'self' 'sha256-") && !/script-src[^;]*unsafe/.test(policy),
    )
    closed('no frame around us', policy.includes("frame-ancestors 'none'"))
    closed('no name of the server', !page.headers.get('x-powered-by') && !page.headers.get('server'))
    closed(
      'no answer to other origins',
      !(await send(url, 'POST', p, { ...gm!.headers, origin: 'https://evil.example' })).headers.get(
        'access-control-allow-origin',
      ),
    )

    // 13. Job names, components and templates as code; pollution of prototypes.
    for (const body of [
      { __proto__: { permissions: ['*:*:*'] } },
      { constructor: { prototype: { roles: ['admin'] } } },
    ])
      await supplier!.ask(api.views.save, { body: { name: 'p', value: body } })
    await send(
      url,
      'POST',
      api.views.save.path,
      { ...supplier!.headers, 'content-type': 'application/json' },
      '{"name":"p","value":{"__proto__":{"permissions":["*:*:*"]}}}',
    )
    closed(
      'a polluted prototype grants nothing',
      refused(await supplier!.ask(api.sites.list)) && refused(await supplier!.ask(api.sites.export)),
    )
    closed('the server still stands', !fell && (await gm!.ask(api.sites.list)).code === 200)

    // 14. What opens without an account.
    await linkHoles(stage, running, { closed, works })

    // 15. Sessions that outlive the account.
    const leaver = await signIn(url, 'quoter')
    works('leaver before', (await leaver.ask(api.session.permissionInfo)).code === 200)
    await stage.owner.query(`UPDATE users SET status = 2 WHERE user_name = 'quoter'`)
    await stage.owner.query(`SELECT pg_notify('access', '')`)
    await new Promise((r) => setTimeout(r, 600))
    closed('a session outlives its account', (await leaver.ask(api.session.permissionInfo)).status === 401)
    closed(
      'a disabled account signs in',
      refused(
        await caller(url, {}).ask(api.session.login, {
          body: { username: 'quoter', password: travelling('Zhuguan666') },
        }),
      ),
    )
    closed(
      'a password as it is typed signs in',
      refused(
        await caller(url, {}).ask(api.session.login, { body: { username: 'pm', password: 'Zhuguan666' } }),
      ),
    )
    for (const username of ["pm' --", 'pm\u0000', '*', '%', { $ne: '' }, ['pm'], null])
      closed(
        `login as ${JSON.stringify(username)}`,
        refused(
          await caller(url, {}).ask(api.session.login, {
            body: { username, password: travelling('Zhuguan666') },
          }),
        ),
      )
    const {
      rows: [hashed],
    } = await stage.owner.query<{ hash: string }>(
      `SELECT encode(token_hash, 'hex') AS hash FROM sessions LIMIT 1`,
    )
    closed(
      'a stored hash as a token',
      (await caller(url, { token: hashed!.hash, 'tenant-id': hz.tenant }).ask(api.sites.list)).status === 401,
    )
    return {
      value: `cases ${cases}, open ${open.length}${open.length ? ` (${open.join('; ')})` : ''}, honest twins failing ${honest.length}`,
      ok: open.length === 0 && honest.length === 0 && cases >= 90,
    }
  } finally {
    await stage.close()
  }
}
