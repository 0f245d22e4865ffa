import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { writeWhole } from './whole-file.ts'

export const keyFile = (dataDir: string): string => join(dataDir, 'secret.key')
/** The key as it lies there; nothing where there is none. An empty file is what a power cut left of none. */
export async function findSecretKey(dataDir: string): Promise<Buffer | undefined> {
  const file = keyFile(dataDir)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  if (text === '') return undefined
  const key = Buffer.from(text.trim(), 'hex')
  if (key.length !== 32) throw new Error(`${file} 已损坏：应为 64 位十六进制`)
  return key
}
/** The installation's own key, made at the first start and kept 0600 in the data folder. */
export async function readSecretKey(dataDir: string): Promise<Buffer> {
  const found = await findSecretKey(dataDir)
  if (found) return found
  await mkdir(dataDir, { recursive: true })
  const file = keyFile(dataDir)
  if ((await readFile(file, 'utf8').catch(() => undefined)) === '') await rm(file)
  await writeWhole(file, randomBytes(32).toString('hex'), { once: true })
  return (await findSecretKey(dataDir))!
}

/** A database's word about the key that it works with. */
export const printOf = (key: Buffer): string =>
  createHmac('sha256', key).update('installation').digest('base64url')
export const otherKey = (dataDir: string): Error =>
  new Error(
    `${keyFile(dataDir)} 不是这个库的密钥：设备的密钥会读不出来，操作日志会被判为篡改。请把原来的 secret.key 拷到这里（几台服务器共用一个库时要用同一份），或从备份恢复`,
  )
/** The key that a database is worked with, by what it says of it; never made, and no other. */
export async function heldKey(print: string | undefined, dataDir: string): Promise<Buffer> {
  const found = await findSecretKey(dataDir)
  if (!found)
    throw new Error(
      print === undefined
        ? `${keyFile(dataDir)} 不在，这个库也还没有启动过服务。请先启动一次服务`
        : `这个库的密钥 ${keyFile(dataDir)} 不在。请把原来的 secret.key 放到这里，或用 DATA_DIR 指向有它的文件夹，或从备份恢复`,
    )
  if (print !== undefined && printOf(found) !== print) throw otherKey(dataDir)
  return found
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
