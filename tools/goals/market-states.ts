import type { Lines } from './states.ts'

/** The machines of customers, cases and walls, written by hand from the documents of states as states.ts is. */

/** By whoever leads the store and may claim as well: they stand in the consultant's place. */
export const CUSTOMER: Lines = {
  pool: { claim: 'assigned', assign: 'assigned', lose: 'lost', refuse: 'pool', merge: 'merged' },
  'pool refuses': { claim: 'assigned', assign: 'assigned', lose: 'lost', accept: 'pool', merge: 'merged' },
  assigned: { hand: 'assigned', lose: 'lost', refuse: 'assigned', merge: 'merged' },
  'assigned refuses': { hand: 'assigned', lose: 'lost', accept: 'assigned', merge: 'merged' },
  // Money binds both sides.
  'assigned bound': { hand: 'assigned', refuse: 'assigned', merge: 'merged' },
  lost: { revive: 'assigned', refuse: 'lost', merge: 'merged' },
  'lost refuses': { revive: 'assigned', accept: 'lost', merge: 'merged' },
  merged: {},
}
/** It is done when it was, put off, or taken back; after that nothing. */
export const FOLLOW: Lines = {
  planned: { done: 'done', move: 'planned', cancel: 'cancelled' },
  'planned overdue': { done: 'done', move: 'planned', cancel: 'cancelled' },
  done: {},
  cancelled: {},
}
/** Nobody is asked for what has no picture, nothing is shown before another person released one. */
export const CASE: Lines = {
  candidate: { edit: 'candidate', ask: 'asked' },
  'candidate without pictures': { edit: 'candidate' },
  asked: { revise: 'candidate', withdraw: 'withdrawn' },
  consented: { revise: 'candidate', withdraw: 'withdrawn', publish: 'published' },
  'consented, nothing released': { revise: 'candidate', withdraw: 'withdrawn' },
  published: { takeDown: 'consented', withdraw: 'withdrawn' },
  refused: {},
  expired: {},
  withdrawn: {},
}
/** One call saves: what was sent is revised by it. Sent anew it is sent. */
export const PREVIEW: Lines = {
  draft: { edit: 'draft', revise: 'draft', send: 'sent', end: 'ended' },
  sent: { edit: 'revised', revise: 'revised', send: 'sent', end: 'ended' },
  revised: { edit: 'revised', revise: 'revised', send: 'sent', end: 'ended' },
  ended: {},
}
/** A screen that another browser takes over stays the same one, and is silent until that one has painted. */
export const SCREEN: Lines = {
  paired: { send: 'paired', replace: 'silent', revoke: 'revoked' },
  silent: { send: 'silent', replace: 'silent', revoke: 'revoked' },
  revoked: {},
}
/** Whoever verified a person does not act on it as well; a restricted request stays until its last bar falls. */
export const PERSON: Lines = {
  received: { verify: 'verified', refuse: 'refused' },
  'received collect': { verify: 'verified', refuse: 'refused' },
  verified: { execute: 'executed', refuse: 'refused' },
  'verified mine': { refuse: 'refused' },
  'verified collect': { collect: 'executed', refuse: 'refused' },
  'verified collect mine': { refuse: 'refused' },
  restricted: { reveal: 'restricted' },
  executed: {},
  'executed collect': { collect: 'executed' },
  refused: {},
}
export const CHANNEL: Lines = { active: { stop: 'stopped' }, stopped: { start: 'active' } }
/** What waits goes by itself; a stopped channel takes nothing. */
export const MESSAGE: Lines = {
  queued: {},
  sent: { replay: 'queued' },
  dropped: { replay: 'queued' },
  givenUp: { replay: 'queued' },
  'givenUp, channel stopped': {},
}
/** By whoever names the steward as well as by the steward; without one nothing is confirmed for nobody. */
export const HANDOVER: Lines = {
  waiting: { confirm: 'confirmed', ask: 'asked' },
  'waiting without steward': {},
  asked: { answer: 'waiting' },
  'asked without steward': { answer: 'waiting' },
  confirmed: {},
}
