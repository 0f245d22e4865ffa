import { messageState } from '@zhuguan/contract/features/channels/channels.record.ts'
import { mailEvent, noticeWay, usualWay } from '@zhuguan/contract/features/mails/mails.record.ts'
import { causeKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'

import type { Tx } from '../../database/connect.ts'

const { dropped, queued } = messageState.code
/** Kinds of cause that somebody who has chosen nothing hears of at once, as a list of SQL. */
export const USUALLY_NOW: readonly string[] = causeKind.values.filter(
  (kind) => usualWay(kind) === noticeWay.code.now,
)

interface Told {
  tenant: string
  cause: { kind: string; id: string } | undefined
  site: string | undefined
  link: string
  page: string | null
  urgent: boolean
  told: readonly { id: string }[]
}
/** Who has just been told, and wants it at once, has a mail ready; what is told again while it is unread is none. */
export function mailAtOnce(tx: Tx, { cause, link, page, site, tenant, told, urgent }: Told): void {
  if (!cause || cause.kind === causeKind.code.mail || told.length === 0) return
  tx.send(
    'mails.queue',
    `INSERT INTO mails (tenant_id, id, user_id, event, kind, cause_id, notice_id, of_site, page, link, urgent, at,
       since, next_at)
     SELECT n.tenant_id, gen_random_uuid(), n.user_id, '${mailEvent.code.told}', $2, $3, n.id, w.id, $6, $5, $7, :now,
       :now, :now
     FROM notifications n
     JOIN mail_addresses a ON a.tenant_id = $1 AND a.user_id = n.user_id AND a.address <> ''
     LEFT JOIN notice_rules r ON r.tenant_id = $1 AND r.user_id = n.user_id
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = $4
     WHERE n.tenant_id = $1 AND n.id = ANY ($8::uuid[]) AND n.times = 1
       AND coalesce(r.ways ->> $2, CASE WHEN $2 = ANY ($9::text[]) THEN '${noticeWay.code.now}' END) =
         '${noticeWay.code.now}'
       AND (w.id IS NULL OR r.sites IS NULL OR r.sites = '{}' OR w.id = ANY (r.sites))
     ON CONFLICT (tenant_id, user_id, event, kind, cause_id) WHERE state = '${queued}' DO NOTHING`,
    [
      tenant,
      cause.kind,
      cause.id,
      site ?? null,
      link,
      page ?? '',
      urgent,
      told.map((t) => t.id),
      USUALLY_NOW,
    ],
  )
}
/** Somebody has acted: what was not sent yet is not sent any more. */
export function settleMails(tx: Tx, tenant: string, causes: readonly { kind: string; id: string }[]): void {
  tx.send(
    'mails.drop',
    `UPDATE mails m SET state = '${dropped}', said = '已经有人处理'
     FROM json_to_recordset($2::json) AS x(kind text, id text)
     WHERE m.tenant_id = $1 AND m.kind = x.kind AND m.cause_id = x.id AND m.state = '${queued}'`,
    [tenant, JSON.stringify(causes)],
  )
}
