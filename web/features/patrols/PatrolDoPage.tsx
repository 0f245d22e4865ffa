import { withControls } from '../../kit/Controls.tsx'
import { useParam } from '../../kit/page.tsx'
import { PatrolSheet } from './PatrolSheet.tsx'
import { PatrolStart } from './PatrolStart.tsx'

import './patrolDo.css'

/** A patrol on the site, on a phone: what is to be done, or the one that is being done. */
function PatrolDoPage() {
  const id = useParam('id')
  return id ? <PatrolSheet key={id} id={id} /> : <PatrolStart />
}

export default withControls(PatrolDoPage)
