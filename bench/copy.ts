import type pg from 'pg'

/** COPY … FROM STDIN through pg's own protocol: `text` is what psql would send. */
export function copyIn(client: pg.ClientBase, statement: string, text: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    interface Wire {
      query(text: string): void
      sendCopyFromChunk(chunk: Buffer): void
      endCopyFrom(): void
    }
    let failure: Error | undefined
    const query = {
      submit: (wire: Wire) => wire.query(statement),
      handleCopyInResponse(wire: Wire) {
        for (let at = 0; at < text.length; at += 65_536)
          wire.sendCopyFromChunk(text.subarray(at, at + 65_536))
        wire.endCopyFrom()
      },
      handleError(error: Error) {
        failure = error
        reject(error)
      },
      handleCommandComplete() {},
      handleReadyForQuery: () => !failure && resolve(),
    }
    client.query(query as never)
  })
}

/** COPY … TO STDOUT: hands every chunk on as it comes. */
export function copyOut(
  client: pg.ClientBase,
  statement: string,
  onChunk: (chunk: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined
    const query = {
      submit: (wire: { query(text: string): void }) => wire.query(statement),
      handleCopyData: ({ chunk }: { chunk: Buffer }) => onChunk(chunk),
      handleError(error: Error) {
        failure = error
        reject(error)
      },
      handleCommandComplete() {},
      handleReadyForQuery: () => !failure && resolve(),
    }
    client.query(query as never)
  })
}
