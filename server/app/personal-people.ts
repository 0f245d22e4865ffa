import { ERASED_WORKER } from '@zhuguan/contract/features/persons/persons.record.ts'
import { violationType } from '@zhuguan/contract/features/violations/violations.record.ts'
import { documentKind } from '@zhuguan/contract/features/workers/documents.record.ts'

import { word } from '../features/exports/exports.service.ts'
import { among, behind, HOME, TEAM, gone, told, type Place } from './personal-places.ts'

const NO_CUSTOMER = {
  name: gone,
  phone: `''`,
  address: `''`,
  why: `''`,
  refuses: 'true',
  answer_due: 'NULL',
  back_due: 'NULL',
  version: 'p.version + 1',
}
const CUSTOMER_TOLD = told('p.created_at', 'p.name', 'p.phone', 'p.community', 'p.address')
const LAW = '《会计档案管理办法》：合同和收付款凭证保存 30 年；姓名和电话只留在合同里'
export const CUSTOMER_PLACES: readonly Place[] = [
  {
    data: 'lead',
    table: 'customers',
    of: among('p.id', 'leads'),
    // Nobody follows up whom we do not know; that is no loss of today's.
    set: {
      ...NO_CUSTOMER,
      held: `CASE WHEN p.held IN ('pool', 'assigned') THEN 'lost' ELSE p.held END`,
      lost_reason: `CASE WHEN p.held IN ('pool', 'assigned') THEN 'other' ELSE p.lost_reason END`,
    },
    tell: CUSTOMER_TOLD,
  },
  {
    data: 'lead',
    table: 'customers',
    of: among('p.id', 'signed'),
    set: NO_CUSTOMER,
    bars: HOME,
    identity: true,
    tell: CUSTOMER_TOLD,
  },
  {
    data: 'lead',
    table: 'customer_contacts',
    of: among('p.id', 'furthers'),
    gone: true,
    tell: told('p.created_at', 'p.name', 'p.phone'),
  },
  {
    data: 'lead',
    table: 'follow_ups',
    of: among('p.customer_id', 'customers'),
    set: {
      content: `''`,
      result: `''`,
      state: `CASE WHEN p.state = 'planned' THEN 'cancelled' ELSE p.state END`,
      closed_at: `coalesce(p.closed_at, :now)`,
      version: 'p.version + 1',
    },
    tell: told('p.at', 'p.content', 'p.result'),
  },
  {
    data: 'lead',
    table: 'customer_events',
    of: among('p.customer_id', 'customers'),
    set: { text: `''` },
    tell: told('p.at', 'p.text'),
  },
  {
    data: 'lead',
    table: 'customer_briefs',
    of: among('p.customer_id', 'customers'),
    set: { taste: `''`, people: `''`, fears: `''`, given: `''` },
    tell: told('p.changed_at', 'p.taste', 'p.people', 'p.fears', 'p.given'),
  },
  {
    data: 'lead',
    table: 'customer_promises',
    of: among('p.customer_id', 'customers'),
    set: { content: gone, text: `''` },
    tell: told('p.made_at', 'p.content'),
  },
  {
    data: 'lead',
    table: 'handovers',
    // Whoever builds the home needs it until it is built.
    of: among('p.customer_id', 'customers'),
    set: { taste: `''`, people: `''`, fears: `''`, given: `''`, version: 'p.version + 1' },
    bars: HOME,
    tell: told('p.made_at', 'p.taste', 'p.people', 'p.fears', 'p.given'),
  },
  {
    data: 'lead',
    table: 'handover_questions',
    of: behind('p.handover_id', 'handovers', among('x.customer_id', 'customers')),
    set: { text: gone, answer: `''` },
    bars: HOME,
    tell: told('p.asked_at', 'p.text', 'p.answer'),
  },
  {
    data: 'lead',
    table: 'quotation_lines',
    of: `p.version_id IN (SELECT v.id FROM quotation_versions v JOIN quotations x
      ON x.tenant_id = $1 AND x.id = v.quotation_id WHERE v.tenant_id = $1 AND ${among('x.customer_id', 'customers')})`,
    words: ['remark'],
  },
  {
    data: 'lead',
    table: 'quotations',
    of: among('p.customer_id', 'customers'),
    words: ['void_reason'],
  },
  {
    data: 'lead',
    table: 'quotation_versions',
    of: behind('p.quotation_id', 'quotations', among('x.customer_id', 'customers')),
    words: ['remark', 'reason'],
  },
  {
    data: 'lead',
    table: 'examine_requests',
    of: `(${among('p.object_id', 'contracts')}
      OR ${behind('p.object_id', 'quotations', among('x.customer_id', 'customers'))})`,
    words: ['summary', 'reason'],
  },
  {
    data: 'lead',
    table: 'previews',
    of: among('p.customer_id', 'customers'),
    words: ['title', 'words'],
  },
  {
    data: 'contract',
    table: 'contracts',
    of: among('p.id', 'contracts'),
    law: LAW,
    tell: `concat_ws(' ', p.code, p.signed_on)`,
  },
  {
    data: 'contract',
    table: 'contract_receipts',
    of: among('p.contract_id', 'contracts'),
    law: LAW,
    tell: `concat_ws(' ', p.code, p.paid_on, p.payer, p.amount)`,
  },
]

export const WORKER_PLACES: readonly Place[] = [
  {
    data: 'face',
    table: 'workers',
    of: `${among('p.id', 'workers')} AND p.w_face IS NOT NULL`,
    set: { w_face: 'NULL' },
    pictures: 'ARRAY[p.w_face]',
    bars: TEAM,
    tell: `'登记的人脸'`,
  },
  {
    data: 'worker',
    table: 'workers',
    // Others of a team that bears the name.
    of: `p.team IN (SELECT x.team FROM workers x WHERE x.tenant_id = $1 AND ${among('x.id', 'workers')})`,
    words: ['team'],
    bars: TEAM,
  },
  {
    data: 'worker',
    table: 'workers',
    of: among('p.id', 'workers'),
    set: { w_name: `'${ERASED_WORKER}'`, w_contact: `''`, status: '2', version: 'p.version + 1' },
    bars: TEAM,
    identity: true,
    tell: `concat_ws(' ', p.w_id, p.w_name, p.w_contact, p.team)`,
  },
  {
    data: 'paper',
    table: 'worker_documents',
    of: among('p.worker_id', 'workers'),
    pictures: 'ARRAY[p.picture]',
    gone: true,
    bars: TEAM,
    tell: `concat_ws(' ', ${word('p.kind', documentKind)}, p.number)`,
  },
  {
    data: 'face',
    table: 'attendance_events',
    of: `${among('p.worker_id', 'workers')} AND p.picture IS NOT NULL`,
    set: { picture: 'NULL' },
    pictures: 'ARRAY[p.picture]',
    bars: TEAM,
    tell: told('p.at', `CASE p.direction WHEN 'in' THEN '进场' ELSE '离场' END`),
  },
  {
    data: 'violation',
    table: 'violations',
    of: among('p.worker_id', 'workers'),
    words: ['remark', 'changed_by'],
    bars: TEAM,
    tell: told('p.at', word('p.type', violationType), 'p.remark'),
  },
  {
    data: 'violation',
    table: 'violations',
    of: among('p.worker_id', 'workers'),
    law: '扣分和罚款的依据，保存到工资结清、不再有争议',
    tell: told('p.at', word('p.type', violationType)),
  },
  {
    data: 'attendance',
    table: 'attendance_days',
    of: among('p.worker_id', 'workers'),
    law: '工资结算的依据，留在“已删除工人”名下',
    tell: `concat(p.day, ' ', to_char(p.first_at AT TIME ZONE 'Asia/Shanghai', 'HH24:MI'), ' 至 ',
      to_char(p.last_at AT TIME ZONE 'Asia/Shanghai', 'HH24:MI'))`,
  },
  {
    data: 'violation',
    table: 'violation_logs',
    of: behind('p.violation_id', 'violations', among('x.worker_id', 'workers')),
    words: ['actor', 'text'],
    bars: TEAM,
  },
  {
    data: 'visit',
    table: 'visits',
    of: `(${among('p.id', 'visits')} OR ${among('p.worker_id', 'workers')})`,
    set: { picture: 'NULL', remark: `''`, similarity: 'NULL', version: 'p.version + 1' },
    pictures: 'ARRAY[p.picture]',
    tell: told('p.at', 'p.remark'),
  },
]

/** What goes by itself in days, but not soon enough: whatever holds one of the numbers. */
export const TOLD_PLACES: readonly Place[] = [
  {
    data: 'told',
    table: 'notifications',
    of: `(${among('p.of_site', 'sites')} OR p.cause_id IN (
      SELECT v FROM jsonb_each($2::jsonb) e, jsonb_array_elements_text(e.value) v)
      OR p.cause_id IN (SELECT x.id::text FROM quotations x
        WHERE x.tenant_id = $1 AND ${among('x.customer_id', 'customers')}))`,
    words: ['title'],
  },
  { data: 'told', table: 'named_views', of: 'true', words: ['search', 'title'] },
  {
    data: 'told',
    table: 'saved_views',
    of: 'has_word(p.value::text, $3)',
    set: { value: 'without_words(p.value::text, $3)::jsonb' },
  },
  { data: 'told', table: 'imports', of: 'true', words: ['file_name'] },
  // What was said of somebody where others stand.
  {
    data: 'told',
    table: 'follow_ups',
    of: `has_word(concat(p.content, ' ', p.result), $4)`,
    words: ['content', 'result'],
  },
  {
    data: 'told',
    table: 'import_rows',
    of: 'has_word(p.cells::text, $4)',
    set: {
      cells: 'without_words(p.cells::text, $3)::jsonb',
      twins: 'without_words(p.twins::text, $3)::jsonb',
    },
  },
  { data: 'told', table: 'idempotency', of: 'has_word(p.answer, $4)', gone: true },
]
