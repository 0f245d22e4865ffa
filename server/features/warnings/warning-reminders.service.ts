import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { warningRule, warningState } from '@zhuguan/contract/features/warnings/warnings.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { int4, row, text, uuid, uuids } from '../../kit/row.ts'
import { dayBegins, TODAY } from '../../kit/statement.ts'
import type { ReminderSource } from '../notifications/reminders.service.ts'
import { restDaySql } from '../settings/settings.reads.ts'
import { linkOf, wordsOf } from './warning-words.ts'

const MORNING = 8

/** Whoever took it said until when: on that morning, or on the first working day after it, it is asked for again. */
export const warningReminders: ReminderSource = {
  kind: 'warning',
  many: (n) => ({
    title: `${n} 条预警到了原定的日子还在，请处理`,
    link: linkTo('WarningList', { state: [warningState.code.handling] }),
  }),
  async due(tx, tenant) {
    const { rows } = await tx.query(
      'warnings.remind',
      row({
        id: uuid,
        site_id: uuid,
        siteName: text,
        rule: text.of(warningRule),
        stage: text.of(siteStage).null,
        about: text,
        deviation: int4,
        until: text,
        people: uuids,
      }),
      `SELECT v.id, v.site_id, w.ws_name AS "siteName", v.rule, v.stage, v.about, v.deviation, v.until::text AS until,
         array_remove(ARRAY[v.taken_by, w.manager_id, w.steward_id], NULL) AS people
       FROM warnings v
       JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
       WHERE v.tenant_id = $1 AND v.state = '${warningState.code.handling}' AND v.until <= ${TODAY}
         AND :now >= ${dayBegins(TODAY)} + interval '${MORNING} hours' AND NOT ${restDaySql('$1', 'v.bc_id', TODAY)}
         AND NOT EXISTS (
           SELECT 1 FROM reminders m
           WHERE m.tenant_id = $1 AND m.cause_kind = 'warning' AND m.cause_id = v.id::text
             AND m.step = 'until:' || v.until::text)
       ORDER BY v.until, v.id
       LIMIT 500
       FOR UPDATE OF v SKIP LOCKED`,
      [tenant],
    )
    return rows.map((w) => ({
      id: w.id,
      step: `until:${w.until}`,
      user: w.people,
      title: `${w.siteName} 的预警原定 ${w.until} 处理好，现在还在：${wordsOf(w)}`,
      link: linkOf(w),
      site: w.site_id,
    }))
  },
}
