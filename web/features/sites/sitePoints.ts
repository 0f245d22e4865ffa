import { type SitePoints, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Points } from '../../kit/map/clusters.ts'
import type { Kind } from '../../kit/map/signs.ts'
import type { SiteFilter } from './SiteFilters.tsx'

/** The kind of a site on the map, what needs a person first; a site that is several of these shows the first. */
export const SITE_KINDS: readonly Kind[] = [
  { label: '报警超期', tone: 'bad', shape: 'diamond' },
  { label: '有报警，未超期', tone: 'wait', shape: 'alert' },
  { label: '连续无人施工', tone: 'wait', shape: 'triangle' },
  { label: '正常施工', tone: 'ok', shape: 'circle' },
  { label: '未开工', tone: 'grey', shape: 'ring' },
  { label: '已完工或终止', tone: 'grey', shape: 'square' },
]
const { building, finished, notStarted, terminated } = siteStatus.code
/** The legend's count of each kind and the filters that show exactly those; a site may be in several. */
export const SITE_LEGEND: readonly {
  count: keyof SitePoints['counts']
  filters: readonly (readonly [SiteFilter, string])[]
}[] = [
  { count: 'overdue', filters: [['overdue', 'true']] },
  {
    count: 'inTime',
    filters: [
      ['alarmed', 'true'],
      ['overdue', 'false'],
    ],
  },
  { count: 'stopped', filters: [['stopped', 'true']] },
  {
    count: 'quiet',
    filters: [
      ['status', String(building)],
      ['alarmed', 'false'],
      ['stopped', 'false'],
    ],
  },
  { count: 'notStarted', filters: [['status', String(notStarted)]] },
  { count: 'ended', filters: [['status', [terminated, finished].join(',')]] },
]
/** The kind of a site, of SITE_KINDS. */
function siteKind(s: { status: number; stopped: number; alarms: number; overdue: number }): number {
  if (s.overdue > 0) return 0
  if (s.alarms > 0) return 1
  if (s.stopped > 0) return 2
  if (s.status === building) return 3
  return s.status === notStarted ? 4 : 5
}

const HEX = 32
const dashed = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

export interface SiteMapData extends Points {
  total: number
  unplaced: number
  counts: SitePoints['counts']
  idOf: (i: number) => string
  /** The columns of a site's place; undefined when it is not on the map. */
  find: (id: string) => number | undefined
}

/** The answer's columns as they are; ids are cut out of their text only when one is wanted. */
export function readPoints(p: SitePoints): SiteMapData {
  const kind = Uint8Array.from(p.status, (status, i) =>
    siteKind({ status, stopped: p.stopped[i]!, alarms: p.alarms[i]!, overdue: p.overdue[i]! }),
  )
  return {
    lng: p.lng,
    lat: p.lat,
    kind,
    counts: p.counts,
    total: p.lng.length,
    unplaced: p.unplaced,
    idOf: (i) => dashed(p.ids.slice(i * HEX, (i + 1) * HEX)),
    find: (id) => {
      const hex = id.replaceAll('-', '')
      for (let from = p.ids.indexOf(hex); from >= 0; from = p.ids.indexOf(hex, from + 1))
        if (from % HEX === 0) return from / HEX
      return undefined
    },
  }
}
