import { consentKind } from '@zhuguan/contract/features/consents/consents.record.ts'
import {
  ERASED,
  ERASED_WORKER,
  type PersonBar,
  type PersonData,
} from '@zhuguan/contract/features/persons/persons.record.ts'
import { violationType } from '@zhuguan/contract/features/violations/violations.record.ts'
import { documentKind } from '@zhuguan/contract/features/workers/documents.record.ts'

import { word } from '../features/exports/exports.service.ts'

/**
 * Where something of a person stands: what erasure takes away, what a person who asks is told, and what keeps it. Ids
 * of the person's records come as $2, their words as $3, their numbers alone as $4; every
 * statement names its table `p`.
 */
export interface Place {
  data: PersonData
  table: string
  /** Which rows are the person's. */
  of: string
  /** Texts out of which the words of the person are taken; of these places only rows that have one. */
  words?: readonly string[]
  /** Columns that become something else. */
  set?: Readonly<Record<string, string>>
  /** Keys of pictures that go with it. */
  pictures?: string
  /** The rows go. */
  gone?: true
  /** What keeps it for a time. */
  bars?: readonly PersonBar[]
  /** Who the person is: set aside where it may not be used and may not go. */
  identity?: true
  /** It stays: by which law, how long. */
  law?: string
  /** As the person is told of it. */
  tell?: string
}

/** The person's ids of one kind, inside a statement. */
const ids = (kind: string) => `(SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> '${kind}') v)`
const among = (column: string, kind: string) => `${column} IN ${ids(kind)}`
/** Rows that hang on others that are the person's. */
const behind = (column: string, table: string, of: string) =>
  `${column} IN (SELECT x.id FROM ${table} x WHERE x.tenant_id = $1 AND ${of})`
const HOME: readonly PersonBar[] = ['works', 'complaint', 'money', 'hold']
const TEAM: readonly PersonBar[] = ['team']
const gone = `'${ERASED}'`
const time = (column: string) => `to_char(${column} AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI')`
const told = (column: string, ...what: string[]) =>
  `concat_ws(' ', ${[time(column), ...what.map((w) => `nullif(${w}, '')`)].join(', ')})`
const OF_SITES = among('p.site_id', 'sites')
const LINKS = `(x.kind = 'owner' AND ${among('x.target_id', 'contacts')} OR ${among('x.customer_id', 'customers')})`

const HOME_PLACES: readonly Place[] = [
  {
    data: 'home',
    table: 'home_contacts',
    of: among('p.id', 'contacts'),
    set: {
      name: `CASE WHEN p.name IS NULL THEN NULL ELSE ${gone} END`,
      phone: `CASE WHEN p.phone IS NULL THEN NULL ELSE '' END`,
      version: 'p.version + 1',
    },
    bars: HOME,
    identity: true,
    tell: `concat_ws(' ', p.name, p.phone)`,
  },
  {
    data: 'home',
    table: 'owners',
    of: among('p.id', 'owners'),
    set: { name: gone, phone: `''` },
    bars: HOME,
    identity: true,
    tell: `concat_ws(' ', p.name, p.phone)`,
  },
  {
    data: 'device',
    table: 'home_devices',
    of: among('p.contact_id', 'contacts'),
    // One row a link and device: the number of the row stands for the device.
    set: { device: 'p.id::text', name: gone, code: `''` },
    tell: told('p.asked_at', 'p.name'),
  },
  {
    data: 'device',
    table: 'links',
    of: LINKS.replaceAll('x.', 'p.'),
    set: { person: gone, title: 'without_words(p.title, $3)', revoked_at: 'coalesce(p.revoked_at, :now)' },
    tell: told('p.made_at', 'p.title'),
  },
  {
    data: 'device',
    table: 'link_acts',
    of: behind('p.link_id', 'links', LINKS),
    words: ['answer'],
  },
  {
    data: 'opening',
    table: 'link_openings',
    of: behind('p.link_id', 'links', LINKS),
    gone: true,
    tell: told('p.at', 'p.ip', 'p.agent'),
  },
  {
    data: 'thread',
    table: 'thread_messages',
    of: among('p.contact_id', 'contacts'),
    set: { words: gone, who: gone, pictures: `'{}'` },
    pictures: 'p.pictures',
    bars: HOME,
    tell: told('p.at', 'p.words'),
  },
  { data: 'thread', table: 'thread_messages', of: OF_SITES, words: ['words', 'who'], bars: HOME },
  {
    data: 'feedback',
    table: 'feedback',
    of: OF_SITES,
    words: ['words', 'entered_by', 'result', 'pause_text', 'changed_by'],
    bars: HOME,
    tell: told('p.entered_at', 'p.no', 'p.words'),
  },
  {
    data: 'feedback',
    table: 'feedback_events',
    of: behind('p.feedback_id', 'feedback', among('x.site_id', 'sites')),
    words: ['actor', 'words'],
    bars: HOME,
  },
  {
    data: 'promise',
    table: 'promises',
    of: OF_SITES,
    words: ['content', 'subject', 'changed_by'],
    bars: HOME,
    tell: told('p.made_at', 'p.content'),
  },
  {
    data: 'promise',
    table: 'promise_events',
    of: behind('p.promise_id', 'promises', among('x.site_id', 'sites')),
    words: ['actor', 'text'],
    bars: HOME,
  },
  {
    data: 'promise',
    table: 'questions',
    of: OF_SITES,
    words: ['words', 'withdrawn_for', 'changed_by'],
    bars: HOME,
  },
  {
    data: 'promise',
    table: 'question_answers',
    of: behind('p.question_id', 'questions', among('x.site_id', 'sites')),
    words: ['words', 'recorded_by'],
    bars: HOME,
    tell: told('p.at', 'p.words'),
  },
  {
    data: 'reception',
    table: 'receptions',
    of: OF_SITES,
    words: ['purpose', 'remark', 'record', 'score_words', 'scored_by', 'entered_by', 'changed_by'],
    bars: HOME,
    tell: told('p.at', 'p.purpose', 'p.record'),
  },
  {
    data: 'look',
    table: 'video_views',
    of: among('p.contact_id', 'contacts'),
    set: { user_name: gone, words: `''` },
    tell: told('p.at', `'业主查看'`),
  },
  {
    data: 'consent',
    table: 'consents',
    of: `(p.subject_type = 'contact' AND ${among('p.subject_id', 'contacts')}
      OR p.subject_type = 'worker' AND ${among('p.subject_id', 'workers')})`,
    words: ['recorded_by', 'withdrawn_by', 'withdrawn_why'],
    bars: [...HOME, ...TEAM],
  },
  {
    data: 'consent',
    table: 'consents',
    of: `(p.subject_type = 'contact' AND ${among('p.subject_id', 'contacts')}
      OR p.subject_type = 'worker' AND ${among('p.subject_id', 'workers')})`,
    law: '《个人信息保护法》：证明处理前曾取得同意，保存到不再有争议',
    tell: told('p.recorded_at', word('p.kind', consentKind), 'p.scope'),
  },
  { data: 'case', table: 'cases', of: OF_SITES, words: ['title', 'words', 'asked_by'] },
  {
    data: 'case',
    table: 'case_events',
    of: behind('p.case_id', 'cases', among('x.site_id', 'sites')),
    words: ['actor', 'text'],
  },
]

const SITE_PLACES: readonly Place[] = [
  {
    data: 'site',
    table: 'sites',
    of: among('p.id', 'sites'),
    words: ['ws_name', 'stop_remark', 'outside_contract'],
    bars: HOME,
  },
  {
    data: 'site',
    table: 'site_events',
    of: `(${OF_SITES} OR ${among('p.site_id', 'workSites')})`,
    words: ['title', 'actor'],
    bars: [...HOME, ...TEAM],
  },
  {
    data: 'site',
    table: 'correction_logs',
    of: behind('p.correction_id', 'corrections', among('x.site_id', 'sites')),
    words: ['actor', 'text'],
    bars: HOME,
  },
  { data: 'site', table: 'corrections', of: OF_SITES, words: ['problem'], bars: HOME },
  { data: 'site', table: 'patrols', of: OF_SITES, words: ['remark'], bars: HOME },
  {
    data: 'site',
    table: 'patrol_items',
    of: behind('p.patrol_id', 'patrols', among('x.site_id', 'sites')),
    words: ['remark', 'problem'],
    bars: HOME,
  },
  {
    data: 'goods',
    table: 'orders',
    of: OF_SITES,
    words: ['contact', 'contact_phone', 'remark', 'reason', 'ask_reason'],
    bars: HOME,
    tell: told('p.made_at', 'p.code', 'p.contact', 'p.contact_phone'),
  },
  {
    data: 'goods',
    table: 'dispatches',
    of: OF_SITES,
    words: ['contact', 'contact_phone', 'delivered_name', 'reason', 'damage'],
    bars: HOME,
    tell: told('p.made_at', 'p.code', 'p.contact', 'p.contact_phone'),
  },
  {
    data: 'goods',
    table: 'logistics',
    of: OF_SITES,
    words: ['signed_by', 'grade_reason', 'dispute'],
    bars: HOME,
  },
  {
    data: 'goods',
    table: 'goods_changes',
    of: OF_SITES,
    words: ['reason', 'answer_reason', 'outcome_reason'],
    bars: HOME,
  },
]

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
const CUSTOMER_PLACES: readonly Place[] = [
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

const WORKER_PLACES: readonly Place[] = [
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
const TOLD_PLACES: readonly Place[] = [
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

/** In this order: what is found by its words before the words are gone from where they stand. */
export const PLACES: readonly Place[] = [
  ...HOME_PLACES,
  ...SITE_PLACES,
  ...CUSTOMER_PLACES,
  ...WORKER_PLACES,
  ...TOLD_PLACES,
]
