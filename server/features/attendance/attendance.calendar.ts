import type { CalendarLife } from '../../kit/calendar-life.ts'

/** The running day rests, or works, as the calendar says now; a day that is over stays what it was. */
export const attendanceCalendar: CalendarLife = {
  async changed(tx, call, { bcs }) {
    await tx.run(
      'attendance.calendar',
      `UPDATE site_days k SET rest = NOT k.rest
       WHERE k.tenant_id = $1 AND k.day >= (:now AT TIME ZONE 'Asia/Shanghai')::date AND k.bc_id = ANY ($2::uuid[])
         AND k.rest <> rest_day(k.tenant_id, k.bc_id, k.day)`,
      [call.user.tenant, bcs],
    )
  },
}
