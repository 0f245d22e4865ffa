import { checkInBy, type MapFigures } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import { hueOf } from '../../kit/chart/colours.ts'
import { useDark } from '../../kit/chart/useDark.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Sign } from '../../kit/map/MapBox.tsx'
import { ago, clock, full } from '../../kit/time.ts'
import { huesOf, SIGNS } from './mapPicture.ts'

type Person = MapFigures['people'][number]

/** Beside the map: who checked in where and when, and where nobody has been. */
export function MapLists({
  of: { days, people, unvisited },
  picked,
  onPick,
}: {
  of: MapFigures
  picked: string | null
  onPick: (id: string | null) => void
}) {
  const dark = useDark()
  const hues = huesOf(people)
  return (
    <div className="map-lists">
      <p className="legend quiet">
        {SIGNS.map((s) => (
          <span key={s.label}>
            <Sign kind={s} /> {s.label}
          </span>
        ))}
      </p>
      <h2>管理人员</h2>
      <ul>
        {people.map((p) => (
          <li key={p.id} className={p.id === picked ? 'on' : undefined}>
            <button
              className="text-button"
              aria-pressed={p.id === picked}
              onClick={() => onPick(p.id === picked ? null : p.id)}
            >
              {p.nickname}
            </button>
            {hues.has(p.id) && (
              <svg className="way" viewBox="0 0 18 3" role="img" aria-label="今天的路线">
                <rect width="18" height="3" rx="1.5" fill={hueOf(hues.get(p.id) ?? null, dark)} />
              </svg>
            )}{' '}
            <small className="quiet">{principalPost.label(p.post)}</small>
            <Last of={p} />
            {p.id === picked && <Today of={p} />}
          </li>
        ))}
        {people.length === 0 && <li className="quiet">没有项目管家或项目经理。</li>}
      </ul>
      <h2>
        {days} 天没有人到访 <small>{unvisited.length} 个在建工地</small>
      </h2>
      <ul>
        {unvisited.map((s) => (
          <li key={s.id}>
            <LinkTo page="SiteInfo" query={{ id: s.id }}>
              {s.ws_name}
            </LinkTo>{' '}
            <small className="quiet" title={full(s.lastAt)}>
              {s.lastAt === null ? '90 天里没有到访' : `上次 ${ago(s.lastAt)}`}
              {s.lng === null && '，还没有标注位置'}
            </small>
          </li>
        ))}
        {unvisited.length === 0 && <li className="quiet">都有人到访过。</li>}
      </ul>
    </div>
  )
}

const Last = ({ of: { last } }: { of: Person }) =>
  last ? (
    <p>
      <span title={full(last.at)}>{ago(last.at)}</span> {last.siteName}{' '}
      <small className="quiet">
        {checkInBy.label(last.by)}
        {last.lng === null && '，没有位置'}
      </small>
    </p>
  ) : (
    <p className="quiet">90 天里没有签到</p>
  )
const Today = ({ of: { today } }: { of: Person }) => (
  <ol>
    {today.map((c) => (
      <li key={`${c.at}${c.by}`}>
        {clock(c.at)}{' '}
        <LinkTo page="SiteInfo" query={{ id: c.site_id }}>
          {c.siteName}
        </LinkTo>{' '}
        <small className="quiet">
          {checkInBy.label(c.by)}
          {c.lng === null && '，没有位置'}
        </small>
      </li>
    ))}
    {today.length === 0 && <li className="quiet">今天还没有签到。</li>}
  </ol>
)
