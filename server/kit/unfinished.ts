import { rmSync } from 'node:fs'

/** What a command has begun to write and nobody may use yet: whoever interrupts it takes this along. */
const begun = new Set<string>()

export const beginAt = (path: string) => void begun.add(path)
/** It is whole now, or gone, or another start finishes it. */
export const doneAt = (path: string) => void begun.delete(path)
export function removeUnfinished(): void {
  for (const path of begun) rmSync(path, { recursive: true, force: true })
}
