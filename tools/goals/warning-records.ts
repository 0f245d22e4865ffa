import { api } from '@zhuguan/contract/api.ts'

import type { Caller } from './client.ts'
import type { Machine, Place } from './machine-records.ts'
import type { Stage } from './stage.ts'
import { WARNING } from './states.ts'

/** A warning that a site was given once, then put where the table says. */
export async function warningMachine(stage: Stage, admin: Caller, of: Place): Promise<Machine> {
  const one = async <R = { id: string }>(text: string, values: unknown[]) =>
    (await stage.owner.query(text, values)).rows[0] as R
  const warning = await one(
    `INSERT INTO warnings (tenant_id, id, bc_id, site_id, rule, cause, about, deviation, level, told_level, ball,
       opened_at, changed_by, changed_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, 'failed', '阴角垂直', '阴角垂直', 2, 1, 1, 'manager', now(), '', now()
     FROM sites WHERE id = $1 RETURNING id`,
    [of.site],
  )
  const tomorrow = new Date(Date.now() + 36 * 3_600_000).toISOString().slice(0, 10)
  return {
    lines: WARNING,
    reasons: ['close'],
    async put(situation) {
      const [state] = situation.split(' ')
      await stage.owner.query(
        `UPDATE warnings SET state = $2, version = 7, silent = false,
           ball = CASE WHEN $3 LIKE '%goods' THEN 'goods' ELSE 'manager' END,
           level = CASE WHEN $3 LIKE '%urgent' THEN 3 ELSE 1 END,
           until = CASE WHEN $2 = 'handling' THEN current_date END,
           taken_by = CASE WHEN $2 = 'handling' THEN $4::uuid END,
           closed_at = CASE WHEN $2 = 'closed' THEN now() END,
           ended = CASE WHEN $2 = 'closed' THEN 'done' END
         WHERE id = $1`,
        [warning.id, state, situation, of.manager],
      )
    },
    ask(command, reason) {
      const seen = { id: warning.id, version: 7 }
      return command === 'take'
        ? admin.ask(api.warnings.take, { body: { ...seen, text: '明天加两个人', until: tomorrow } })
        : admin.ask(api.warnings.close, { body: { ...seen, reason } })
    },
    stands: async () =>
      (await one<{ at: string }>('SELECT state AS at FROM warnings WHERE id = $1', [warning.id])).at,
  }
}
