import { int4, row } from '../../kit/row.ts'
import { follows, foreseen, type SiteLife } from '../../kit/site-life.ts'

const along = follows('attendance_events', 'attendance_days', 'site_days')
/** Days and punches stand under the branch in which the site is now, so that lists, counts and exports always agree. */
export const attendanceLife: SiteLife = {
  goesAlong: along.goesAlong,
  moving: {
    ...along.moving,
    async foresee(tx, call, site, to) {
      const { rows } = await tx.query(
        'attendance.moving',
        row({ days: int4 }),
        'SELECT count(*)::int AS days FROM site_days WHERE tenant_id = $1 AND site_id = $2',
        [call.user.tenant, site.id],
      )
      const days = rows[0]!.days
      return foreseen([days > 0 && `${days} 天的考勤和出勤统计记到${to.bc_name}名下`])
    },
  },
}
