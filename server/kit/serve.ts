import type { BodyOf, DataOf, Endpoint, QueryOf } from '@zhuguan/contract/kit/api.ts'
import type { LogObject, Told } from '@zhuguan/contract/logs.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Branches, Holding } from './reach.ts'
import type { Json } from './statement.ts'
import type { Scope, Tx } from './tx.ts'

/** The signed-in person as the server knows them. */
export interface SessionUser {
  id: string
  tenant: string
  userName: string
  nickname: string
  roles: string[]
  /** Operations that count in all of the scope. */
  permissions: string[]
  /** People who are away today and for whom they stand in. */
  standsFor: string[]
  pages: string[]
  /** The reach of the roles that allow the call that is being answered. */
  scope: Scope
  holdings: readonly Holding[]
  branchOf: Branches
  /** Holds a password that somebody else has seen: nothing but choosing another is open. */
  mustChange: boolean
  tokenHash: Buffer
  /** Changes when anything the browser has been told about roles, pages or powers changes. */
  version: string
  /** How far the database's log was when this was looked up: who may see something new finds it there. */
  knownAt: number
}

/** One line of the user log; before and after only where something was written, in the words of its object's fields. */
export interface LogLine<O extends LogObject = LogObject, B = unknown, A = unknown> {
  action: string
  object: O
  objectId: string
  before?: B
  after?: A
}

/** What a handler may use: everything that differs between calls comes from here, time and ids too. */
export interface Call {
  user: SessionUser
  ip: string
  agent: string
  now: () => Date
  newId: () => string
  /** The same call in another reach; only for what was found inside the caller's own first. */
  within: (scope: Scope) => Call
  read: <T>(fn: (tx: Tx) => Promise<T>) => Promise<T>
  /** One transaction: effects, log line and live events together. */
  write: <T>(fn: (tx: Tx) => Promise<T>) => Promise<T>
  /** What this process remembers of people's rights is asked anew. */
  forgetAccess: () => void
  log: <O extends LogObject, B extends object | null = null, A extends object | null = null>(
    tx: Tx,
    line: LogLine<O, Told<O, B>, Told<O, A>>,
  ) => Promise<void>
  /** A place among the exports until the answer is over, and a connection that is theirs. Who stops reading is cut. */
  beginExport: () => Promise<Call['read']>
  request: FastifyRequest
  reply: FastifyReply
}

/** A call, or the system's own work. */
export type Caller = Pick<Call, 'log' | 'newId' | 'now' | 'user'>

type Answer<E extends Endpoint> =
  | DataOf<E>
  | Json
  | (E['raw'] extends true ? void : null extends DataOf<E> ? void : never)
export type Handler<E extends Endpoint> = (
  input: { query: QueryOf<E>; body: BodyOf<E> },
  call: Call,
) => Promise<Answer<E>>
export type Handlers<A extends Record<string, Endpoint>> = { [K in keyof A]: Handler<A[K]> }

/** Any handler: its endpoint's schemas have made the input what it expects. A method, so that TypeScript lets them. */
interface Served {
  handle(input: { query: unknown; body: unknown }, call: Call): Promise<unknown>
}
/** Who sends a file without an account, by the headers alone: refused before a byte of the body is read. */
export type Prover = (call: Call) => Promise<string>
export interface Feature {
  api: Record<string, Endpoint>
  handlers: Record<string, Served['handle']>
  provers: Partial<Record<string, Prover>>
}
/** Ties an API to its handlers, one per key; a missing one does not compile. */
export const serve = <A extends Record<string, Endpoint>>(
  api: A,
  handlers: Handlers<A>,
  provers: { [K in keyof A]?: Prover } = {},
): Feature => ({ api, handlers, provers })
