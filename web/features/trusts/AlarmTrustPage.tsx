import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { usePage } from '../../kit/page.tsx'
import { useActor } from '../../parts/session.ts'
import { Labels } from './Labels.tsx'
import { Pairs } from './Pairs.tsx'

import './trusts.css'

const VIEWS = [
  ['pairs', '信任账'],
  ['labels', '训练标签'],
] as const
type View = (typeof VIEWS)[number][0]

/** The trust in each camera's alarms, and, for who may, what was judged as labels to train with. */
export default function AlarmTrustPage() {
  const page = usePage()
  const mayLabels = hasPermission(useActor(), 'alarm:labels')
  const asked = new URLSearchParams(page.search).get('view')
  const view: View = mayLabels && asked === 'labels' ? 'labels' : 'pairs'
  function showAs(to: View) {
    const search = new URLSearchParams(page.search)
    if (to === 'pairs') search.delete('view')
    else search.set('view', to)
    page.go(`${page.path}?${search.toString()}`, { replace: true })
  }
  const views = mayLabels && (
    <span className="switch" role="group" aria-label="显示方式">
      {VIEWS.map(([v, label]) => (
        <button key={v} aria-pressed={view === v} onClick={() => showAs(v)}>
          {label}
        </button>
      ))}
    </span>
  )
  return view === 'labels' ? <Labels views={views} /> : <Pairs views={views} />
}
