import { api } from '@zhuguan/contract/api.ts'

import { type Ground, load, pause, rate, type Say } from './ground.ts'

/** P-01, P-02, P-03: a page, one record, a new record; eight callers over HTTP, signed in, against node:http and pg alone. */
export async function pages(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  const headers = await g.signIn('branch_gm')
  const bare = (path: string) => () => load(g.limit.url, () => ({ method: 'GET', path }))
  if (wants('P-01')) {
    const page = () => load(g.ours.url, g.ask(`${api.sites.list.path}?status=1&sort=-code`, headers))
    const inSql = await g.against(page, bare('/page-json'))
    const m = await g.against(page, bare('/page'))
    say(
      'P-01',
      'page of 20 with filter, sort, total',
      rate(m.x),
      `${rate(m.y)} (JSON in SQL: ${inSql.ratio.toFixed(2)})`,
      `${m.ratio.toFixed(2)} cpu ${m.cpu.toFixed(2)}× p99 ${m.p99.toFixed(2)}×`,
      '≥ 0.9, cpu ≤ 1.2×, p99 ≤ 1.3×',
      m.ratio >= 0.9 && m.cpu <= 1.2 && m.p99 <= 1.3 && !m.x.failed,
    )
  }
  if (wants('P-01') && g.replicated) {
    const path = `${api.sites.list.path}?status=1&sort=-code`
    const done = async () =>
      Number(
        (
          await g.owner.query(
            'SELECT xact_commit AS n FROM pg_stat_database WHERE datname = current_database()',
          )
        ).rows[0].n,
      )
    // The server's figures are told a second after what they count.
    const counted = (headers: Record<string, string>) => async () => {
      const before = await done()
      const measured = await load(g.ours.url, g.ask(path, headers))
      await pause(1_500)
      return { ...measured, there: ((await done()) - before) / measured.all }
    }
    const [replica, primary] = [counted({ ...headers, 'x-seen': '1' }), counted(headers)]
    const m = await g.against(replica, primary)
    const [there, here] = [(await replica()).there, (await primary()).there]
    say(
      'P-01',
      'the same at a replica, its limit the same server at the primary',
      `${rate(m.x)}, ${there.toFixed(2)} transactions a page at the primary`,
      `${rate(m.y)}, ${here.toFixed(2)}`,
      m.ratio.toFixed(2),
      '≥ 0.9 on one machine, < 0.1 transactions',
      m.ratio >= 0.9 && there < 0.1 && !m.x.failed,
    )
  }
  if (wants('P-02')) {
    const { id } = (
      await g.owner.query(`SELECT id FROM sites WHERE bc_id = $1 AND code LIKE 'GDHZ%' LIMIT 1`, [g.home.bc])
    ).rows[0] as { id: string }
    const m = await g.against(
      () => load(g.ours.url, g.ask(`${api.sites.details.path}?id=${id}`, headers)),
      bare(`/one?id=${id}`),
    )
    say(
      'P-02',
      'one record (a site with team, stages, devices)',
      rate(m.x),
      rate(m.y),
      m.ratio.toFixed(2),
      '≥ 0.8',
      m.ratio >= 0.8 && !m.x.failed,
    )
  }
  if (wants('P-03')) {
    const body = JSON.stringify({ ws_name: '新工地', bc_id: g.home.bc, address: '某地' })
    const m = await g.against(
      () =>
        load(
          g.ours.url,
          g.ask(api.sites.add.path, headers, () => body),
        ),
      bare('/add'),
    )
    say(
      'P-03',
      'create a site with ten stages, checked, logged, announced',
      rate(m.x),
      rate(m.y),
      m.ratio.toFixed(2),
      '≥ 0.6',
      m.ratio >= 0.6 && !m.x.failed,
    )
  }
}
