import { createServer } from 'node:net'

interface Place {
  port: number
  host: string
}
type ListenError = NodeJS.ErrnoException & { port?: number; address?: string }

/** Why nobody can be let in where the server was told to listen; nothing where the error says something else. */
export function listenWords({ code, port, address }: ListenError): string | undefined {
  if (code === 'EADDRINUSE') return `端口 ${port ?? ''} 已被占用，请用 PORT 换一个`
  if (code === 'EADDRNOTAVAIL')
    return `这台机器没有地址 ${address ?? ''}，请用 LISTEN_HOST 换一个，例如 0.0.0.0`
  if (code === 'EACCES' && port) return `没有权限使用端口 ${port}，请用 PORT 换一个 1024 以上的`
  return undefined
}

/** Whoever cannot be reached in the end learns it before a database is made. */
export async function refuseTakenPlace({ port, host }: Place): Promise<void> {
  const tried = createServer()
  await new Promise<void>((resolve, reject) => {
    tried.once('error', reject)
    tried.listen(port, host, resolve)
  })
  await new Promise((resolve) => tried.close(resolve))
}
