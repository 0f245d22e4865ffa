import type { HomeVisit } from '@zhuguan/contract/features/owners/home-page.record.ts'
import { receptionPurpose, receptionState } from '@zhuguan/contract/features/receptions/receptions.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { SCORE_DAYS } from '@zhuguan/contract/kit/score.ts'

import { bool, float8, int2, row, text, uuid } from '../../kit/row.ts'
import { staffOf } from '../../kit/staff-of.ts'
import { epoch } from '../../kit/statement.ts'
import type { Tx } from '../../kit/tx.ts'

/** So long what is over stays in sight of the home. */
const SHOWN_DAYS = 30
const { arrived, cancelled, done, missed, planned } = receptionState.code

/** Visits of a home since it is theirs: what is arranged, and what became of it; of records only why nobody came. */
export async function visitsTo(
  tx: Tx,
  tenant: string,
  of: { site_id: string; since: Date },
  id: string | null = null,
): Promise<HomeVisit[]> {
  const { rows } = await tx.query(
    'receptions.home',
    row({
      id: uuid,
      at: float8,
      purpose: text.of(receptionPurpose),
      state: text.of(receptionState),
      endedAt: float8.null,
      why: text,
      post: int2.of(principalPost).null,
      host: text,
      score: int2.null,
      typed: bool,
      mayScore: bool,
    }),
    `SELECT r.id, ${epoch('r.at')} AS at, r.purpose, r.state, ${epoch('r.ended_at')} AS "endedAt",
       CASE WHEN r.state IN ('${missed}', '${cancelled}') THEN r.record ELSE '' END AS why,
       CASE r.host_id WHEN w.steward_id THEN ${principalPost.code.steward}::smallint
         WHEN w.manager_id THEN ${principalPost.code.manager}::smallint ELSE u.post END AS post,
       coalesce(u.nickname, '') AS host,
       r.score, r.scored_by <> '' AS typed,
       r.state = '${done}' AND (r.score IS NULL OR r.scored_by <> '')
         AND :now < r.ended_at + interval '${SCORE_DAYS} days' AS "mayScore"
     FROM receptions r
     JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id
     WHERE r.tenant_id = $1 AND r.site_id = $2 AND r.entered_at >= $3 AND ($4::uuid IS NULL OR r.id = $4)
       AND (r.state IN ('${planned}', '${arrived}') OR r.ended_at > :now - interval '${SHOWN_DAYS} days')
     ORDER BY r.ended_at DESC NULLS FIRST, r.at, r.id
     LIMIT 20`,
    [tenant, of.site_id, of.since, id],
  )
  return rows.map(({ host, post, ...visit }) => ({
    ...visit,
    host: staffOf(post === null ? '工作人员' : principalPost.label(post), host),
  }))
}
