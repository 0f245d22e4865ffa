import { connect, createServer, type Socket } from 'node:net'

/**
 * A network to the database that can freeze (bytes are lost, and no connection ends), be slow (every piece arrives later,
 * in order) and be cut (connections end, and none comes about).
 */
export async function networkTo(url: string): Promise<{
  url: (of: string) => string
  freeze: (on: boolean) => void
  slow: (ms: number) => void
  cut: (on: boolean) => void
  close: () => Promise<void>
}> {
  const real = new URL(url)
  const folder = real.searchParams.get('host')
  const reach = (): Socket =>
    folder
      ? connect(`${folder}/.s.PGSQL.${real.port || 5432}`)
      : connect(Number(real.port || 5432), real.hostname)
  let frozen = false
  let late = 0
  let gone = false
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    if (gone) return void near.on('error', () => {}).destroy()
    const far = reach()
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.on('data', (bytes) => {
        if (frozen) return
        if (late) setTimeout(() => to.writable && to.write(bytes), late)
        else to.write(bytes)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url(of) {
      const through = new URL(of)
      through.searchParams.delete('host')
      through.host = `127.0.0.1:${port}`
      return through.href
    },
    freeze: (on) => void (frozen = on),
    slow: (ms) => void (late = ms),
    cut(on) {
      gone = on
      if (on) for (const socket of sockets) socket.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
