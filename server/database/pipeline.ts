import pg from 'pg'

import type { Row } from '../kit/row.ts'

export interface Statement {
  /** A prepared statement's name on its connection; without it the text is parsed every time. */
  name?: string | undefined
  text: string
  values?: readonly unknown[] | undefined
}
/** One of a transaction's own statements: its family, its text as it was written, and the columns that it declares. */
export interface Declared extends Statement {
  family: string
  written: string
  columns?: Row<object> | undefined
}
type Fields = pg.FieldDef[]
interface Protocol {
  stream: { write(bytes: Buffer): void; readonly writable: boolean }
  close(m: { type: 'S'; name: string }): void
  parse(m: { name: string; text: string }): void
  bind(m: { statement: string; values: unknown[] }): void
  describe(m: { type: 'S'; name: string }): void
  execute(m: object): void
  sync(): void
}
type Parsed = pg.QueryResult & {
  addFields(f: Fields): void
  parseRow(row: unknown[]): object
  addRow(row: object): void
  addCommandComplete(m: { text: string }): void
}
const { Result, utils } = pg as unknown as {
  Result: new () => Parsed
  utils: { prepareValue(v: unknown): unknown }
}

/**
 * Statements that each connection has prepared, and the columns of their rows: described once, not with every call.
 */
const prepared = new WeakMap<Protocol, Map<string, Fields | null>>()
const preparedOn = (connection: Protocol): Map<string, Fields | null> =>
  prepared.get(connection) ?? prepared.set(connection, new Map()).get(connection)!

/** A query object of `pg` that carries several statements behind one Sync: after a failed one the others are not run. */
class Pipeline {
  private at = 0
  private known!: Map<string, Fields | null>
  private readonly results: Parsed[] = []
  private readonly statements: readonly (Statement & { values: unknown[] })[]
  private readonly done: (error: Error | null, results: Parsed[]) => void
  private failure: Error | null = null

  constructor(statements: readonly Statement[], done: (error: Error | null, results: Parsed[]) => void) {
    this.statements = statements.map((s) => ({ ...s, values: (s.values ?? []).map(utils.prepareValue) }))
    this.done = done
  }

  submit(connection: Protocol): void {
    this.known = preparedOn(connection)
    // A dozen statements are forty messages: joined they are one write, and one buffer in it.
    const messages: Buffer[] = []
    const stream = { writable: true, write: (bytes: Buffer) => messages.push(bytes) }
    const joining = Object.create(connection, { stream: { value: stream } }) as Protocol
    for (const { name = '', text, values } of this.statements) {
      if (!name || !this.known.has(name)) {
        // Whether a statement that failed had been prepared is not known: closing what is not there is no error.
        if (name) joining.close({ type: 'S', name })
        joining.parse({ name, text })
        joining.describe({ type: 'S', name })
        if (name) this.known.set(name, null)
      }
      joining.bind({ statement: name, values })
      joining.execute({})
    }
    joining.sync()
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages))
  }

  private current(): Parsed {
    const begun = this.results[this.at]
    if (begun) return begun
    const result = (this.results[this.at] = new Result())
    const fields = this.known.get(this.statements[this.at]!.name ?? '')
    if (fields) result.addFields(fields)
    return result
  }
  handleRowDescription({ fields }: { fields: Fields }): void {
    const { name } = this.statements[this.at]!
    if (name) this.known.set(name, fields)
    this.current().addFields(fields)
  }
  handleDataRow({ fields }: { fields: unknown[] }): void {
    const result = this.current()
    result.addRow(result.parseRow(fields))
  }
  handleCommandComplete(message: { text: string }): void {
    this.current().addCommandComplete(message)
    this.at += 1
  }
  handleEmptyQuery(): void {
    this.at += 1
  }
  /** From the connection when it dies, or from the server; then Sync is still answered, and not to us. */
  handleError(error: Error): void {
    if (this.failure) return
    this.failure = error
    for (const { name } of this.statements.slice(this.at)) if (name) this.known?.delete(name)
    this.done(error, [])
  }
  handleReadyForQuery(): void {
    if (!this.failure) this.done(null, this.results)
  }
}

/** Sends the statements in one network write; answers one result for each, or throws what the first failed one said. */
export const sendAll = (client: pg.ClientBase, statements: readonly Statement[]): Promise<pg.QueryResult[]> =>
  new Promise((resolve, reject) =>
    client.query(
      new Pipeline(statements, (error, results) => (error ? reject(error) : resolve(results))) as never,
    ),
  )
