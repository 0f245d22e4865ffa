import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { openCluster } from '../../server/testing/global-setup.ts'
import type { Ask, Told } from './teller.ts'

/** Projects of stories without a browser. */
export const PROJECTS = ['contract', 'server', 'web', 'structure']
/** The longest that a story may take. */
export const STORY_MS = 1_200_000
const AGES_MS = 20 * 60_000
/**
 * A process that tells stories of a copy one after the other, with one cluster that was set up once: as much as a run
 * of `npm test` has. The demo of the cluster must not grow old.
 */
export class Telling {
  readonly #copy: string
  #open: { child: ChildProcess; until: number; close(): Promise<void> } | undefined
  #changed: string[] = []
  constructor(copy: string) {
    this.#copy = copy
  }
  async #begin() {
    const { close, ...setUp } = await openCluster(`planted${basename(this.#copy).slice(-6).toLowerCase()}`)
    const file = join(this.#copy, 'cluster.json')
    writeFileSync(file, JSON.stringify(setUp))
    const child = fork(join(this.#copy, 'tools', 'goals', 'teller.ts'), PROJECTS, {
      cwd: this.#copy,
      stdio: 'ignore',
      env: { ...process.env, NODE_NO_WARNINGS: '1', TEST_CLUSTER: file },
    })
    await once(child, 'message')
    return { child, until: Date.now() + AGES_MS, close }
  }
  /** Tells one story; a process that ends over it says nothing. */
  async tell({ story, touches }: { story: readonly string[]; touches: string[] }): Promise<Told> {
    if (!this.#open || Date.now() > this.#open.until) {
      await this.close()
      this.#open = await this.#begin()
    }
    const { child } = this.#open
    const ask: Ask = { story, changed: [...new Set([...this.#changed, ...touches])] }
    this.#changed = touches
    child.send(ask)
    const waits = new AbortController()
    const { signal } = waits
    const patience = setTimeout(() => waits.abort(), STORY_MS)
    const said = await Promise.race([
      once(child, 'message', { signal }).then(([told]) => told as Told),
      once(child, 'exit', { signal }).then(() => undefined),
    ]).catch(() => undefined)
    clearTimeout(patience)
    waits.abort()
    if (!said) {
      child.kill('SIGKILL')
      await this.close()
    }
    return said ?? { passed: 0, failed: 0, why: '' }
  }
  async close(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    if (!open) return
    if (open.child.exitCode === null && open.child.signalCode === null) {
      const ended = once(open.child, 'exit')
      open.child.disconnect()
      await ended
    }
    await open.close()
  }
}
