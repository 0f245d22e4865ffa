import { type SitePoints, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Points } from '../../kit/map/clusters.ts'
import type { Kind } from '../../kit/map/signs.ts'
import type { SiteFilter } from './SiteFilters.tsx'

/** What a site is on the map, what needs a person first. */
export const SITE_KINDS: readonly Kind[] = [
  { label: '有未办结报警', tone: 'bad', shape: 'diamond' },
  { label: '连续无人施工', tone: 'wait', shape: 'triangle' },
  { label: '在建', tone: 'ok', shape: 'circle' },
  { label: '未开工', tone: 'grey', shape: 'ring' },
  { label: '已完工或终止', tone: 'grey', shape: 'square' },
]
/** What the legend counts of each kind and which filter shows exactly those; a site may be in several. */
export const SITE_LEGEND: readonly {
  count: keyof SitePoints['counts']
  filter: readonly [SiteFilter, string]
}[] = [
  { count: 'alarmed', filter: ['alarmed', 'true'] },
  { count: 'stopped', filter: ['stopped', 'true'] },
  { count: 'building', filter: ['status', String(siteStatus.code.building)] },
  { count: 'notStarted', filter: ['status', String(siteStatus.code.notStarted)] },
  {
    count: 'ended',
    filter: ['status', [siteStatus.code.terminated, siteStatus.code.finished].join(',')],
  },
]
/** Which of SITE_KINDS a site is. */
export function siteKind(s: { status: number; stopped: number; alarms: number }): number {
  if (s.alarms > 0) return 0
  if (s.status === siteStatus.code.building) return s.stopped > 0 ? 1 : 2
  return s.status === siteStatus.code.notStarted ? 3 : 4
}

const HEX = 32
const dashed = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

export interface SiteMapData extends Points {
  total: number
  unplaced: number
  counts: SitePoints['counts']
  idOf: (i: number) => string
  /** Where a site stands in the columns; undefined when it is not on the map. */
  find: (id: string) => number | undefined
}

/** The answer's columns as they are; ids are cut out of their text only when one is wanted. */
export function readPoints(p: SitePoints): SiteMapData {
  const kind = Uint8Array.from(p.status, (status, i) =>
    siteKind({ status, stopped: p.stopped[i]!, alarms: p.alarms[i]! }),
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
