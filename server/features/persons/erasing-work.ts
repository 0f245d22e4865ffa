import type {
  PersonBar,
  PersonKind,
  PersonPlanLine,
} from '@zhuguan/contract/features/persons/persons.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { Caller } from '../../kit/serve.ts'

/** The record in which somebody was found. */
export interface Subject {
  kind: PersonKind
  id: string
}
/** Ids of every record of one person, by kind. */
export type PersonIds = Readonly<Record<string, readonly string[]>>
/** The person whom somebody is called and reached by, in each of their records. */
export interface PersonName {
  name: string
  phone: string
  /** Of somebody who never signed: nothing else keeps where they live. */
  address: string
}
export interface Person {
  ids: PersonIds
  names: readonly PersonName[]
}
export interface Erased {
  /** What went, kind by kind. */
  done: PersonPlanLine[]
  /** What keeps the rest. */
  bars: readonly PersonBar[]
  /** Names that stand nowhere any more, for as long as something keeps the rest. */
  aside: readonly PersonName[]
}
export interface Told {
  /** By kind, a line each. */
  lines: { data: PersonPlanLine['data']; text: string }[]
  pictures: string[]
  /** Names of other people of the same homes: not the person's to know. */
  others: string[]
}
/** What knows where persons stand: server/app/erasing.ts. */
export interface Erasing {
  find(tx: Tx, tenant: string, subject: Subject): Promise<Person>
  /** What would go and what would stay now. */
  plan(tx: Tx, tenant: string, person: Person): Promise<PersonPlanLine[]>
  /** What may go goes, links and consents first; what is kept is set aside or stays. */
  erase(tx: Tx, call: Caller, id: string, person: Person): Promise<Erased>
  /** Once more for who is restricted: names come from what was set aside. */
  finish(tx: Tx, tenant: string, id: string, subject: Subject, aside: readonly PersonName[]): Promise<Erased>
  /** What a person is told who asks. */
  collect(tx: Tx, tenant: string, person: Person): Promise<Told>
}
