import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { absencesApi } from '@zhuguan/contract/features/users/absences.api.ts'

import { hourOf } from '../database/seed/stories.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Speakers } from './demo-speakers.ts'
import type { Story } from './demo-timeline.ts'

/** Of each branch the steward was away, and the manager will be; who leads the branch stands in. */
export async function* absencesOf({ cast }: Speakers, until: Date): Story {
  const today = shanghaiDay(until)
  const { id: deputy_id } = await cast.gm.call(sessionApi.userdata)
  const on = (first: number, last: number) => ({
    body: { from: addDays(today, first), to: addDays(today, last), deputy_id },
  })
  yield hourOf(addDays(today, -12), 9)
  await cast.steward.call(absencesApi.away, on(-11, -9))
  yield hourOf(addDays(today, -1), 17)
  await cast.manager.call(absencesApi.away, on(1, 4))
}
