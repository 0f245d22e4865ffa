/**
 * Every machine of the contract against a table written by hand from the document of states, not from the code: a
 * situation, then where each command arrives; a command that is not named is refused there and changes nothing. A
 * machine, a code or a command without a line here is a problem, so that a new one cannot stay unjudged.
 */
export type Lines = Record<string, Record<string, string>>

export const ALARM: Lines = {
  '1': { assign: '2 assigned', cancel: '4' },
  '2 assigned mine': { assign: '2 assigned', start: '2 doing', submit: '2 submitted', dispute: '2' },
  '2 assigned theirs': { assign: '2 assigned', cancel: '4' },
  '2 doing mine': { assign: '2 assigned', submit: '2 submitted', dispute: '2' },
  '2 doing theirs': { assign: '2 assigned', cancel: '4' },
  // Who corrected does not judge it, and the clock runs until somebody did.
  '2 submitted mine': {},
  '2 submitted theirs': { pass: '3', back: '2 doing', cancel: '4' },
  // Nor who corrected an earlier round of it.
  '2 submitted theirs, before mine': { back: '2 doing', cancel: '4' },
  '3 lately': { reopen: '2' },
  '3 long ago': {},
  '4 lately': { reopen: '1' },
  '4 long ago': {},
}
export const SITE: Lines = {
  '2 staffed': { start: '1', terminate: '3' },
  '2 without manager': { terminate: '3' },
  '2 without steward': { terminate: '3' },
  '1 all accepted': { finish: '4', terminate: '3' },
  '1 half accepted': { terminate: '3' },
  '1 with corrections': { terminate: '3' },
  '1 all accepted, to be mended': { terminate: '3' },
  '3 ended': {},
  '4 ended': {},
}
export const DEVICE: Lines = {
  '6 free': { distribute: '5 free', enable: '5 free', remove: 'gone' },
  '5 free': { bind: '3 bound', distribute: '5 free', recover: '6 free', remove: 'gone' },
  '3 bound': { fault: '4 bound', unbind: '5 free', recover: '6 free' },
  '1 bound': { fault: '4 bound', unbind: '5 free', recover: '6 free' },
  '2 bound': { fault: '4 bound', unbind: '5 free', recover: '6 free' },
  '4 bound': { unbind: '4 free', recover: '6 free' },
  '4 free': { repair: '5 free', recover: '6 free' },
}
/** What a heartbeat does to each: it enables and brings back, and nothing else. */
export const HEARTBEAT: Record<string, string> = {
  '3 bound': '1 bound',
  '1 bound': '1 bound',
  '2 bound': '1 bound',
  '4 bound': '4 bound',
  '4 free': '4 free',
  '5 free': '5 free',
  '6 free': '6 free',
}
export const STAGE: Lines = {
  '1 building': { begin: '2' },
  '2 building': { accept: '3' },
  '3 building': { redo: '2' },
  '1 last': {},
  '2 last': {},
  '1 last alone': { begin: '2' },
  '2 last alone': { accept: '3' },
  '1 not started': {},
  '2 terminated': {},
  '3 finished': {},
}
export const WORKER: Lines = { '1': { stop: '2' }, '2': { start: '1' } }
/** What a patrol or a check found is corrected as an alarm is; on a site that is over nothing is begun again. */
export const CORRECTION: Lines = { ...ALARM, '3 lately, site over': {}, '4 lately, site over': {} }
/** What waits is handled or objected to; who objected, handled or wrote it down does not judge. */
export const VIOLATION: Lines = {
  '1': { handle: '2', object: '3' },
  '2': {},
  '3': { uphold: '4', withdraw: '5' },
  '3 objected to by me': {},
  '3 handled by me': {},
  '3 written down by me': {},
  '4': {},
  '5': {},
}
/** Nobody is missed before the time that was agreed. */
export const RECEPTION: Lines = {
  planned: { arrive: 'arrived', host: 'planned', cancel: 'cancelled' },
  'planned late': { arrive: 'arrived', miss: 'missed', host: 'planned', cancel: 'cancelled' },
  // Entered at another home: whoever supervises takes it back.
  arrived: { finish: 'done', host: 'arrived', cancel: 'cancelled' },
  done: { score: 'done scored' },
  'done scored': {},
  'done scored low': { callback: 'done scored called' },
  'done scored low called': {},
  missed: {},
  cancelled: {},
}
/** By whoever may do everything; past its day is said of what is open, and of what was kept how long ago. */
export const PROMISE: Lines = {
  open: { keep: 'kept', extend: 'extended', withdraw: 'withdrawn' },
  'open overdue': { keep: 'kept', extend: 'extended', withdraw: 'withdrawn', break: 'broken' },
  extended: { keep: 'kept', extend: 'extended', withdraw: 'withdrawn' },
  'extended overdue': { keep: 'kept', extend: 'extended', withdraw: 'withdrawn', break: 'broken' },
  kept: { object: 'kept objected' },
  'kept long ago': {},
  'kept objected': { uphold: 'broken', dismiss: 'kept' },
  // Nobody judges what the owner says of them.
  'kept objected mine': {},
  broken: {},
  withdrawn: {},
}
/** What was asked once more is not asked a third time in its place; of a site that is over nobody is asked anything. */
export const QUESTION: Lines = {
  open: { record: 'answered', withdraw: 'withdrawn' },
  'open overdue': { record: 'answered', withdraw: 'withdrawn' },
  answered: { again: 'answered' },
  'answered anew': {},
  'answered, site over': {},
  withdrawn: { again: 'withdrawn' },
  'withdrawn anew': {},
}
/** Whose ball it is takes it, as often as they like; closed it is over. */
export const WARNING: Lines = {
  open: { close: 'closed' },
  'open goods': { take: 'handling', close: 'closed' },
  'open urgent': { close: 'closed' },
  'handling goods': { take: 'handling', close: 'closed' },
  closed: {},
}
/**
 * Marked once; its steward is told once, and not by the steward. A mark as a worker that says nobody is completed by a
 * new worker; of one that says who the picture becomes a face.
 */
export const VISIT: Lines = {
  '1': { mark: '2', tell: '1', enrol: '2' },
  '1 told': { mark: '2', enrol: '2' },
  '1 without steward': { mark: '2', enrol: '2' },
  '1 of my site': { mark: '2', enrol: '2' },
  '2': {},
  '2 a worker': { enrol: '2' },
  '2 a worker of ours': { face: '2' },
  '2 a worker of ours without picture': {},
}
/** Who may excuse may also give up somebody else's. */
export const PATROL: Lines = {
  '1 mine': { submit: '2', abandon: '3' },
  '1 theirs': { abandon: '3' },
  '2': {},
  '3': {},
}
/** Until it is handed in it stays due; a look through a camera is begun and handed in at once. */
export const TASK: Lines = {
  '1 mine': {},
  '2 mine': { begin: '2' },
  '2 theirs': {},
  '2 remote mine': { watch: '3' },
  '2 remote theirs': {},
  '3 mine': {},
  '4 mine': {},
  '5 mine': { excuse: '6' },
  '5 theirs': { excuse: '6' },
  '6 mine': {},
}
export const PLAN: Lines = { '1': { edit: '1', stop: '2' }, '2': {} }
export const TEMPLATE: Lines = {
  '1': { edit: '1', stop: '2' },
  '1 in use': { edit: '1' },
  '2': { start: '1' },
}
/** What a person pinned stays; unpinned it is what it was last, until its verdicts say otherwise. */
export const TRUST: Lines = {
  notify: { pinNotify: 'alwaysNotify', pinReview: 'alwaysReview' },
  review: { pinNotify: 'alwaysNotify', pinReview: 'alwaysReview' },
  alwaysNotify: { pinReview: 'alwaysReview', unpin: 'notify' },
  alwaysReview: { pinNotify: 'alwaysNotify', unpin: 'review' },
}
/** What is past its day is neither submitted nor made a contract of; judging is no command of its own. */
export const QUOTATION: Lines = {
  '1 valid': { edit: '1', submit: '2', void: '6' },
  '1 expired': { edit: '1', void: '6' },
  '2 valid': { withdraw: '1' },
  '3 valid': { revise: '1', contract: '5', void: '6' },
  '3 expired': { revise: '1', void: '6' },
  '4 valid': { revise: '1', void: '6' },
  // After a deposit later versions may follow; of what is signed nothing more is written.
  '5 valid': { revise: '1' },
  '5 signed': {},
  '6 valid': {},
}
/** Never one's own, and what was taken back is nobody's any more. */
export const EXAMINE: Lines = {
  '0 theirs': { pass: '1', reject: '2' },
  '0 mine': {},
  '0 withdrawn': {},
  '1': {},
  '2': {},
}
/** Sold or not, a product can be described and priced anew. */
export const PRODUCT: Lines = {
  '1': { edit: '1', price: '1', withdraw: '2' },
  '2': { edit: '2', price: '2', offer: '1' },
}
/** Of a package one version is written and one is sold; what was published stays as it is. */
export const PACKAGE: Lines = {
  '1': { edit: '1', publish: '2' },
  '2 alone': { renew: '2', stop: '3' },
  '2 with a draft': { stop: '3' },
  '3 alone': { renew: '3' },
  '3 with a draft': {},
}
const TAKEN = { pay: '3', deposit: '3' }
const GIVEN = { refund: '3 refunding', giveBack: '3 refunding' }
const WRITTEN = { change: '3', plan: '3', attach: '3' }
const GIVEN_AT_END = { refund: '3 finishing refunding', giveBack: '3 finishing refunding' }
/** Of a finished home what is owed is still paid, and given back. */
const SETTLED = { ...GIVEN_AT_END, pay: '3 finishing', deposit: '3 finishing', attach: '3 finishing' }
/**
 * A contract is bought into, signed and lived with; what waits for an examiner holds up the rest. 收定金 and 收款 are one
 * call, and so are 退定 and 退款: where the contract stands says which.
 */
export const CONTRACT: Lines = {
  '1': { deposit: '2', pay: '2', sign: '3', plan: '1', attach: '1', void: '1 void' },
  '2': { deposit: '2', pay: '2', sign: '3', giveBack: '2 refunding', plan: '2', attach: '2' },
  '2 refunding': { plan: '2', attach: '2' },
  '3': { ...TAKEN, ...GIVEN, ...WRITTEN, void: '3 asked', terminate: '3 ending' },
  '3 refunding': { ...TAKEN, ...WRITTEN, void: '3 asked', terminate: '3 ending' },
  '3 asked': { attach: '3', keep: '3' },
  '3 building': { ...TAKEN, ...GIVEN, ...WRITTEN, terminate: '3 ending' },
  '3 finished': { ...TAKEN, ...GIVEN, ...WRITTEN },
  '3 finishing': {
    ...SETTLED,
    change: '3 finishing',
    bill: '3 finishing billed',
  },
  '3 finishing billed': {
    ...SETTLED,
    change: '3 finishing billed',
    bill: '3 finishing billed',
    signBill: '3 finishing billed signed',
  },
  // Both have signed: nothing of it is changed any more, and it ends when nothing is owed either way.
  '3 finishing signed': { ...SETTLED },
  '3 finishing signed even': { ...GIVEN_AT_END, attach: '3 finishing', close: '3 settled' },
  '3 finishing signed but the warranty': { ...SETTLED, close: '3 settled' },
  '3 settled': { attach: '3 settled' },
  '3 settled but the warranty': { pay: '3 settled', deposit: '3 settled', attach: '3 settled' },
  '3 void': { refund: '3 void refunding', giveBack: '3 void refunding', attach: '3 void' },
  '3 ending': { pay: '3 ending', deposit: '3 ending', attach: '3 ending' },
  '3 ending even': { attach: '3 ending', close: '3 ended' },
  // Only what was paid beyond the settlement goes back.
  '3 ending over': {
    refund: '3 ending refunding',
    giveBack: '3 ending refunding',
    attach: '3 ending',
  },
  '3 ended': { attach: '3 ended' },
}
/** Only its author takes a change back; what was approved is reversed by another. */
export const CHANGE: Lines = {
  '1': { edit: '1', submit: '2', drop: '5' },
  '2 mine': { withdraw: '1' },
  '2 theirs': {},
  '3': {},
  '4': { edit: '1', drop: '5' },
  '5': {},
}
export const REFUND: Lines = { '1 mine': { withdraw: '4' }, '1 theirs': {}, '2': {}, '3': {}, '4': {} }
