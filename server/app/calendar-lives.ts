import { alarmsCalendar } from '../features/alarms/alarms.calendar.ts'
import { attendanceCalendar } from '../features/attendance/attendance.calendar.ts'
import { correctionsCalendar } from '../features/corrections/corrections.calendar.ts'
import { examineCalendar } from '../features/examine/examine.calendar.ts'
import { feedbackCalendar } from '../features/feedback/feedback.calendar.ts'
import { goodsCalendar } from '../features/goods/goods.calendar.ts'
import { ordersCalendar } from '../features/orders/orders.calendar.ts'
import { patrolsCalendar } from '../features/patrols/patrols.calendar.ts'
import { threadsCalendar } from '../features/threads/threads.calendar.ts'
import type { CalendarLife } from '../kit/calendar-life.ts'

/** The clocks and days that a changed calendar moves, one line a feature. */
export const CALENDAR_LIVES: readonly CalendarLife[] = [
  correctionsCalendar,
  alarmsCalendar,
  examineCalendar,
  ordersCalendar,
  goodsCalendar,
  feedbackCalendar,
  threadsCalendar,
  patrolsCalendar,
  attendanceCalendar,
]
