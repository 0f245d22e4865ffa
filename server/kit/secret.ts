import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The installation's own key, made at the first start and kept 0600 in the data folder. */
export async function readSecretKey(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'secret.key')
  await mkdir(dataDir, { recursive: true })
  if (!existsSync(file))
    await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' }).catch(() => {})
  const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'hex')
  if (key.length !== 32) throw new Error(`${file} 已损坏：应为 64 位十六进制`)
  return key
}

/** AES-256-GCM: nonce, tag and text in one base64url string. */
export const seal = (key: Buffer, text: string): string => sealWith(key, randomBytes(12), text)
/** The same for the same text, so that a player knows what it has: the nonce is a keyed hash of the text. */
export const sealSame = (key: Buffer, text: string): string =>
  sealWith(key, createHmac('sha256', key).update('nonce').update(text).digest().subarray(0, 12), text)
function sealWith(key: Buffer, nonce: Buffer, text: string): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}
export function unseal(key: Buffer, sealed: string): string {
  const b = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, b.subarray(0, 12))
  decipher.setAuthTag(b.subarray(12, 28))
  return Buffer.concat([decipher.update(b.subarray(28)), decipher.final()]).toString('utf8')
}
