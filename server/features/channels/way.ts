import { seal, unseal } from '../../kit/secret.ts'

/** The address of a channel; that of a robot is a secret by itself. */
export interface Way {
  address: string
  secret: string
}
/** As it lies in the database. */
export const sealWay = (secretKey: Buffer, way: Way): string => seal(secretKey, JSON.stringify(way))
/** Nothing where another key sealed it. */
export function wayOf(secretKey: Buffer, sealed: string): Way | undefined {
  try {
    return JSON.parse(unseal(secretKey, sealed)) as Way
  } catch {
    return undefined
  }
}
