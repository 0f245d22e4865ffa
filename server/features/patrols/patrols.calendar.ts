import type { CalendarLife } from '../../kit/calendar-life.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { dropRestTasks, makeDays } from './tasks.queries.ts'
import { settleTasks } from './tasks.service.ts'

/** What is not open yet of a day that rests now goes; a day that is worked now has what the plans want of it. */
export const patrolsCalendar: CalendarLife = {
  async changed(tx, call, { bcs }) {
    const { tenant } = call.user
    const today = shanghaiDay(call.now())
    const people = await dropRestTasks(tx, tenant, bcs)
    await makeDays(tx, { tenant, days: [today, addDays(today, 1)], plan: null, over: false })
    await settleTasks(tx, call, people)
  },
}
