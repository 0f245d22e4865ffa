import type { BoardBranch, BoardTotal } from '@zhuguan/contract/features/boards/board-total.record.ts'
import type { boardsApi } from '@zhuguan/contract/features/boards/boards.api.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { reachOf } from '../../kit/reach.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { scopedBranches } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import * as q from './board-total.queries.ts'
import { largest, type Weeks } from './departures.ts'

type Query = QueryOf<(typeof boardsApi)['total']>
const MONTHS = { month: 1, quarter: 3, year: 12 } as const
const WEEKS = 9
const DAY_MS = 86_400_000

const monthOff = (month: string, by: number): string => {
  const at = new Date(`${month}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() + by)
  return at.toISOString().slice(0, 10)
}
/** The span that is asked for, until today where it goes on, and as many days of the one before. */
export function spansOf(span: Query['span'], back: number, today: string): q.Spans & { running: boolean } {
  const size = MONTHS[span]
  const month = Number(today.slice(5, 7)) - 1
  const first = monthOff(today.slice(0, 7), -(month % size) - back * size)
  const last = addDays(monthOff(first.slice(0, 7), size), -1)
  const running = last >= today
  const to = running ? today : last
  const beforeFrom = monthOff(first.slice(0, 7), -size)
  const days = Math.round((Date.parse(to) - Date.parse(first)) / DAY_MS)
  const beforeLast = addDays(first, -1)
  const beforeTo = running && addDays(beforeFrom, days) < beforeLast ? addDays(beforeFrom, days) : beforeLast
  return { from: first, to, running, beforeFrom, beforeTo }
}

/** Where each part may be read: as its own list may. */
function reachesOf(call: Call) {
  const on = (page: PageName) => reachOf(call.user, pageLabel(page))
  return {
    leads: on('CustomerList'),
    contracts: on('ContractList'),
    sites: on('SiteList'),
    alarms: on('AlarmEvent'),
    pieces: on('DeliveryBoard'),
  }
}
type Reaches = ReturnType<typeof reachesOf>
const where = <R>(scope: Scope | undefined, ask: (scope: Scope) => Promise<R>): Promise<R | null> =>
  scope ? ask(scope) : Promise.resolve(null)

async function branchesOf(tx: Tx, scope: Scope, bc: readonly string[] | undefined) {
  const among = scopedBranches(scope, 'c').when(bc, (p) => `c.bc_id = ANY(${p}::uuid[])`)
  const { rows } = await tx.query(
    'board.branches',
    row({ bc_id: uuid, bc_name: text }),
    `SELECT c.bc_id, c.bc_name FROM companies c WHERE ${among.text} ORDER BY c.sort, c.bc_name`,
    among.values,
  )
  return rows
}

/** The nine weeks that end yesterday, of whatever may be read. */
async function weeksOf(
  tx: Tx,
  r: Reaches,
  bc: readonly string[] | undefined,
  until: string,
): Promise<Weeks[]> {
  const asked = await Promise.all([
    where(r.leads, (s) => q.weeksOfLeads(tx, s, bc, until)),
    where(r.contracts, (s) => q.weeksOfSigned(tx, s, bc, until)),
    where(r.sites, (s) => q.weeksOfStarted(tx, s, bc, until)),
    where(r.sites, (s) => q.weeksOfFinished(tx, s, bc, until)),
    where(r.alarms, (s) => q.weeksOfAlarms(tx, s, bc, until)),
  ])
  const measures = ['leads', 'signed', 'started', 'finished', 'alarms'] as const
  return asked.flatMap((rows, i) =>
    [...new Set(rows?.map((w) => w.bc_id))].map((bc_id) => ({
      bc_id,
      measure: measures[i]!,
      weeks: Array.from(
        { length: WEEKS },
        (_, week) => rows!.find((w) => w.bc_id === bc_id && w.week === week)?.n ?? 0,
      ),
    })),
  )
}

type Mostly = (
  tx: Tx,
  r: Reaches,
  week: Parameters<typeof q.mostAlarms>[2],
) => ReturnType<typeof q.mostAlarms>
/** Kinds of the reason; the rest has none. */
const MOSTLY: Partial<Record<BoardTotal['said'][number]['measure'], Mostly>> = {
  alarms: (tx, r, week) => q.mostAlarms(tx, r.alarms!, week),
  leads: (tx, r, week) => q.mostLeads(tx, r.leads!, week),
}

/** All three systems on one board, each part in the reach of its own list. */
export async function totalOf(tx: Tx, call: Call, query: Query): Promise<BoardTotal> {
  const now = call.now()
  const today = shanghaiDay(now)
  const bc = query.bc_id
  const spans = spansOf(query.span, query.back, today)
  const weekTo = addDays(today, -1)
  const weekFrom = addDays(today, -7)
  const r = reachesOf(call)
  const [branches, leads, contracts, sites, health, late, flow, weeks] = await Promise.all([
    branchesOf(tx, call.user.scope, bc),
    where(r.leads, (s) => q.leadsOf(tx, s, spans, bc)),
    where(r.contracts, (s) => q.contractsOf(tx, s, spans, bc)),
    where(r.sites, (s) => q.sitesOf(tx, s, spans, bc)),
    where(r.sites, (s) => q.healthOf(tx, s, bc)),
    where(r.alarms, (s) => q.overdueOf(tx, s, bc)),
    where(r.pieces, (s) => q.flowOf(tx, s, bc)),
    weeksOf(tx, r, bc, weekTo),
  ])
  const names = new Map(branches.map((b) => [b.bc_id, b.bc_name]))
  const said = await Promise.all(
    largest(weeks.filter((w) => names.has(w.bc_id))).map(
      async ({ bc_id, measure, n, least, most, middle }) => {
        const span = { bc: bc_id, from: weekFrom, to: weekTo }
        const why = (await MOSTLY[measure]?.(tx, r, span)) ?? { mostly: '', mostlyN: 0 }
        return { bc_id, bc_name: names.get(bc_id)!, measure, n, least, most, middle, ...why }
      },
    ),
  )
  const all = <R extends { bc_id: string | null }>(rows: readonly R[] | null) =>
    rows?.find((x) => x.bc_id === null)
  const sum = <R>(rows: readonly R[] | null, of: (row: R) => number) =>
    rows?.reduce((t, x) => t + of(x), 0) ?? 0
  const [paid, built] = [all(contracts), all(sites)]
  return {
    at: Math.floor(now.getTime() / 1000),
    ...spans,
    steps: [
      ...(leads
        ? [
            {
              step: 'leads',
              n: sum(leads, (l) => l.n),
              before: sum(leads, (l) => l.before),
              days: null,
            } as const,
          ]
        : []),
      ...(paid
        ? [
            { step: 'deposit', n: paid.n, before: paid.before, days: paid.days } as const,
            { step: 'signed', n: paid.signed, before: paid.signedBefore, days: paid.signedDays } as const,
          ]
        : []),
      ...(built
        ? [
            { step: 'started', n: built.n, before: built.before, days: built.days } as const,
            {
              step: 'finished',
              n: built.finished,
              before: built.finishedBefore,
              days: built.finishedDays,
            } as const,
          ]
        : []),
    ],
    money: paid ? paid.money : null,
    flow: flow && orderState.values.map((state) => ({ state, n: sum(flow, (f) => f.states[state] ?? 0) })),
    branches: branches.map(({ bc_id, bc_name }): BoardBranch => {
      const of = <R extends { bc_id: string | null }>(rows: readonly R[] | null, key: (row: R) => number) => {
        if (!rows) return null
        const found = rows.find((x) => x.bc_id === bc_id)
        return found ? key(found) : 0
      }
      return {
        bc_id,
        bc_name,
        leads: of(leads, (x) => x.n),
        deposit: of(contracts, (x) => x.n),
        signed: of(contracts, (x) => x.signed),
        started: of(sites, (x) => x.n),
        finished: of(sites, (x) => x.finished),
        building: of(health, (x) => x.building),
        stopped: of(health, (x) => x.stopped),
        overdue: of(late, (x) => x.n),
        late: of(flow, (x) => x.late),
      }
    }),
    said,
    weekFrom,
    weekTo,
  }
}
