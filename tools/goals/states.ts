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
