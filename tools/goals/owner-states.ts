import type { Lines } from './states.ts'

/**
 * The machines of owners and merchants, written by hand from the documents of states as states.ts is.
 */

/** It comes back while all that it asks for is there: the newest answer, the works, a camera of the home. */
export const GRANT: Lines = {
  active: { stop: 'stopped' },
  stopped: { resume: 'active' },
  'stopped, consent withdrawn': {},
  'stopped, consent refused': {},
  'stopped, works not begun': {},
  'stopped, works over': {},
  'stopped, camera elsewhere': {},
  'stopped, contact gone': {},
  ended: {},
}

/** Whoever has it, at this level, and a supervisor in their place. Behind the state stands from whom it is kept. */
const handled = (level: number, kept = 'shown') => ({
  answer: `2 ${kept} level ${level}`,
  correct: `2 ${kept} level ${level}`,
  transfer: `2 ${kept} level ${level}`,
  escalate: `2 ${kept} level ${level} climbed`,
  raise: `2 ${kept} level ${level + 1}`,
})
/** What a supervisor does beside it. */
const judged = (level: number, kept = 'shown') => ({
  lower: `2 ${kept} level ${level - 1}`,
  cancel: `4 ${kept} level ${level}`,
})
const without = (lines: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(lines).filter(([name]) => !names.includes(name)))
const ENTERED = { accept: '2 shown level 2', cancel: '4 shown level 2' }
const THEIRS = { ...handled(2), ...judged(2) }
const MINE = { ...THEIRS, pause: '2 shown level 2 paused' }
const CLOSED = { reopen: '2 shown level 3 fresh', score: '3 shown level 2 scored' }
/**
 * What an owner said. Level 2 where nothing is said of it; by a supervisor, but where `steward` stands. Whom it is
 * about judges nothing of it; only the assignee pauses it; nothing is closed over a correction or without an answer.
 */
export const FEEDBACK: Lines = {
  '1 complaint': ENTERED,
  '1 repair': ENTERED,
  '1 praise': { ...ENTERED, thank: '3 shown level 2' },
  '1 suggestion': { ...ENTERED, thank: '3 shown level 2' },
  '1 complaint about me': {},
  '1 praise about me': {},
  '1 complaint hidden': {
    accept: '2 hidden level 2',
    cancel: '4 hidden level 2',
    release: '1 shown level 2',
  },
  '2 theirs': THEIRS,
  '2 theirs answered': { ...THEIRS, close: '3 shown level 2' },
  '2 mine': MINE,
  '2 mine answered': { ...MINE, close: '3 shown level 2' },
  '2 mine answered correcting': MINE,
  '2 mine paused': { ...THEIRS, ...judged(2), escalate: '2 shown level 2 paused', resume: '2 shown level 2' },
  // It was paused for as many days as it may be.
  '2 mine paused enough': THEIRS,
  '2 mine at level 1': without({ ...handled(1), ...judged(1), pause: '2 shown level 1 paused' }, 'lower'),
  '2 mine at level 3': without({ ...handled(3), ...judged(3), pause: '2 shown level 3 paused' }, 'raise'),
  '2 theirs at the top': without(THEIRS, 'escalate'),
  '2 theirs about me': without({ ...handled(2), ...judged(2) }, 'lower', 'cancel'),
  '2 theirs about me answered': without({ ...handled(2), ...judged(2) }, 'lower', 'cancel'),
  '2 mine hidden': {
    ...handled(2, 'hidden'),
    ...judged(2, 'hidden'),
    pause: '2 hidden level 2 paused',
    release: '2 shown level 2',
  },
  // Who has it closes it at level 1, and nobody else's.
  '2 steward answered at level 1': {
    ...handled(1),
    pause: '2 shown level 1 paused',
    close: '3 shown level 1',
  },
  '2 steward answered': { ...handled(2), pause: '2 shown level 2 paused' },
  '2 steward paused': { ...handled(2), escalate: '2 shown level 2 paused', resume: '2 shown level 2' },
  '2 of another answered at level 1, steward': {},
  '3 lately': CLOSED,
  '3 lately at level 3': { reopen: '2 shown level 3 fresh', score: '3 shown level 3 scored' },
  // After seven days nobody types a score for the owner either.
  '3 long ago': without(CLOSED, 'reopen', 'score'),
  '3 lately scored well': without(CLOSED, 'score'),
  '3 lately scored low': { ...without(CLOSED, 'score'), callback: '3 shown level 2 scored called' },
  '3 lately scored low called': without(CLOSED, 'score'),
  '3 lately about me': without(CLOSED, 'score'),
  '3 lately hidden': {
    reopen: '2 hidden level 3 fresh',
    score: '3 hidden level 2 scored',
    release: '3 shown level 2',
  },
  '4': {},
  '4 hidden': { release: '4 shown level 2' },
}

/**
 * A month of a merchant: the buyer sends and takes back, the receiver answers, line by line where something is wrong;
 * a hand line that nobody has examined holds it up.
 */
export const STATEMENT: Lines = {
  draft: { send: 'sent round 1', drop: 'dropped round 1' },
  'draft with nothing in it': { drop: 'dropped round 1' },
  'draft, a line by hand waits': { drop: 'dropped round 1' },
  sent: { recall: 'draft round 1', agree: 'agreed round 1', dispute: 'disputed round 1' },
  // The person who stands on both sides does not answer what they sent.
  'sent by who answers': { recall: 'draft round 1' },
  disputed: { revise: 'draft round 2' },
  agreed: { pay: 'agreed round 1 paid' },
  'agreed and paid': {},
  dropped: {},
}
