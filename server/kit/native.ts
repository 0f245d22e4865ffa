/**
 * Packages with code for the machine are loaded when they are first needed: a server that starts has neither a picture
 * to read nor a password to judge, and its memory stays a fifth smaller until it has.
 */
export const loadSharp = async () => (await import('sharp')).default
const argon2 = () => import('@node-rs/argon2')

export const verify = async (stored: string, travelled: string): Promise<boolean> =>
  (await argon2()).verify(stored, travelled)
export const hash = async (travelled: string, cost: Costs): Promise<string> =>
  (await argon2()).hash(travelled, cost)
interface Costs {
  memoryCost: number
  timeCost: number
  parallelism: number
}
