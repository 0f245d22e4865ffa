import { useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { useParam, usePage } from '../../kit/page.tsx'
import { Granted } from '../../parts/granted.tsx'
import { Arrangements } from './Arrangements.tsx'
import { Screens } from './Screens.tsx'

const PairDrawer = lazyPart(() => import('./PairDrawer.tsx'))
const VIEWS = [
  ['arrangements', '编排'],
  ['screens', '屏幕'],
] as const
type View = (typeof VIEWS)[number][0]

/** The scenes of walls, and the walls themselves; a scanned code opens the pairing at once. */
export default function BoardSettingPage() {
  const page = usePage()
  const scanned = useParam('pair')
  const [pairing, setPairing] = useState(false)
  const [mark, setMark] = useState(0)
  const view: View = useParam('view') === 'screens' || scanned ? 'screens' : 'arrangements'
  function showAs(to: View) {
    const search = new URLSearchParams(page.search)
    for (const name of ['view', 'pair', 'sort', 'pageNo']) search.delete(name)
    if (to === 'screens') search.set('view', to)
    page.go(`${page.path}?${search.toString()}`, { replace: true })
  }
  const views = (
    <>
      <span className="switch" role="group" aria-label="显示">
        {VIEWS.map(([v, label]) => (
          <button key={v} aria-pressed={view === v} onClick={() => showAs(v)}>
            {label}
          </button>
        ))}
      </span>
    </>
  )
  const pair = (
    <Granted needs="board:pair">
      <button className="button primary" onClick={() => setPairing(true)}>
        配对屏幕
      </button>
    </Granted>
  )
  return (
    <>
      {view === 'screens' ? (
        <Screens views={views} pair={pair} mark={mark} />
      ) : (
        <Arrangements views={views} />
      )}
      <Granted needs="board:pair">
        {(pairing || scanned) && (
          <PairDrawer
            code={scanned ?? ''}
            onClose={() => {
              setPairing(false)
              if (scanned) showAs('screens')
            }}
            onDone={() => setMark((n) => n + 1)}
          />
        )}
      </Granted>
    </>
  )
}
