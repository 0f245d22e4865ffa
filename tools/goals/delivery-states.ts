import type { Lines } from './states.ts'

/**
 * The machines of delivery, written by hand from the document of states as states.ts is. Behind a state's code stands
 * where it leaves the pieces.
 */

/**
 * Nobody answers a request of their own; what has shipped is not withdrawn. Closed is what remains: of what has all
 * shipped nothing does.
 */
export const ORDER: Lines = {
  '0': {
    split: '0 asked',
    accept: '2 ship',
    reject: '1 held',
    recall: '1 recalled open',
    urge: '0 asked',
  },
  '0 urged today': { split: '0 asked', accept: '2 ship', reject: '1 held', recall: '1 recalled open' },
  '1': { resubmit: '0 asked', release: '1 released open' },
  '1 recalled': {},
  '1 released': {},
  '1 withdrawn': {},
  '2': { withdraw: '2 withdraw? ship', urge: '2 ship' },
  '2 withdrawal asked': { agree: '1 withdrawn open', decline: '2 ship', urge: '2 withdraw? ship' },
  // Who asked may take it back; what ships lets it lapse.
  '2 withdrawal asked by me': { decline: '2 ship', urge: '2 withdraw? ship' },
  '2 withdrawal asked, then shipped': { urge: '2 way' },
  '2 partly shipped': { close: '2 close? ship way', urge: '2 ship way' },
  '2 shipped': { urge: '2 way' },
  '2 close asked': { agree: '2 closed way', decline: '2 ship way', urge: '2 close? ship way' },
  '2 close asked by me': { decline: '2 ship way', urge: '2 close? ship way' },
  '2 closed': {},
  '2 arrived': { urge: '2 waiting' },
  '2 all accepted': {},
}
/** A finished or terminated site is sent nothing more; a cancelled note's goods wait for another one. */
export const DISPATCH: Lines = {
  '0': { ship: '2 way', cancel: '1 ship' },
  '0 of a finished site': { cancel: '1 ship' },
  '0 of a terminated site': { cancel: '1 ship' },
  '0 for what was short': { ship: '2 change-way', cancel: '1 change' },
  '1': {},
  '2': { deliver: '3 waiting', handOver: '2 waiting way', sendBack: '5 ship' },
  '2 of a closed order': { deliver: '3 waiting', handOver: '2 waiting way', sendBack: '5 open' },
  '2 collected with its code': { deliver: '3 waiting', handOver: '2 waiting way', sendBack: '5 ship' },
  '2 collected with another code': { sendBack: '5 ship' },
  '2 lost': { deliver: '3 waiting', handOver: '2 waiting way', sendBack: '5 ship' },
  '2 for what was short': {
    deliver: '3 waiting',
    handOver: '2 change-way waiting',
    sendBack: '5 change-ship',
  },
  '3': {},
  '4': {},
  '5': {},
}
/** What goes out is moved by its note; what comes back is signed for by whoever gets it. */
export const LOGISTICS: Lines = {
  '1 out': { node: '1' },
  '1 out, gone back': {},
  '2 out': {},
  '3 out': {},
  '0 back': { node: '1' },
  '1 back': { node: '1', sign: '2' },
  '2 back': {},
  '3 back': {},
  '0 of an exchange': { node: '1' },
  '1 of an exchange': { node: '1', sign: '2' },
  '3 unsent': {},
}
/** The person who asked withdraws, while nobody has judged; what comes instead has one note. */
export const GOODS: Lines = {
  open: { answer: 'open', withdraw: 'withdrawn waiting' },
  'open answered': { withdraw: 'withdrawn waiting' },
  'open of another author': { answer: 'open' },
  'open late': { answer: 'open', withdraw: 'withdrawn accepted' },
  'open approved': {},
  'open approved, note cancelled': { send: 'open change-ship' },
  'open approved return': {},
  closed: {},
  unsolved: {},
  withdrawn: {},
  rejected: {},
}

/**
 * A piece on the site. What is complained of later stays accepted until the examiner approves it, and inside the
 * branch's days only; an examiner's no, or taking it back, puts it before the acceptor once more.
 */
export const PIECE: Lines = {
  '0 way': {},
  '1 waiting': { accept: '2 accepted', short: '3 change', wrong: '4 change', refuse: '5 change' },
  '2 accepted': {
    lateShort: '2 accepted complained',
    lateWrong: '2 accepted complained',
    lateRefuse: '2 accepted complained',
  },
  '2 accepted long ago': {},
  '2 late shortage asked': { pass: '3 change-ship', reject: '2 accepted' },
  '2 late exchange asked': { pass: '4 change-ship', reject: '2 accepted' },
  '2 late return asked': { pass: '5 change', reject: '2 accepted' },
  '3 asked': { pass: '3 change-ship', reject: '1 waiting' },
  '4 asked': { pass: '4 change-ship', reject: '1 waiting' },
  '5 asked': { pass: '5 change', reject: '1 waiting' },
  '3 approved': {},
  '4 under way': {},
  // Judged on the note of what came instead, in the next round.
  '1 what came instead': {
    accept: '2 accepted',
    short: '3 change',
    wrong: '4 change',
    refuse: '5 change',
  },
  '5 approved': {},
  '5 gone back': {},
}
/** What goes back: taken along, signed for, graded; damaged is disputed once. */
export const WAY_BACK: Lines = {
  '0': { collect: '1' },
  '1': { collect: '2' },
  '2': { grade: '3' },
  '3 good': {},
  '3 damaged': { dispute: '3' },
  '3 disputed': {},
}
