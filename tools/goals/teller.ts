import { relative } from 'node:path'

import { createVitest, type TestSpecification } from 'vitest/node'

/**
 * Tells stories of the copy of the project in which it stands, one after the other, in one process: what the sources
 * say is read once, and what a fault changed is read again. A story costs 2 s beside its own time, a new process 11.
 */

/** A story to tell: the words that vitest's command would get, and the files that changed since the last. */
export interface Ask {
  story: readonly string[]
  changed: readonly string[]
}
/** How many of its cases were told, and how many of them were red. */
export interface Told {
  passed: number
  failed: number
  /** The first red case and its error. */
  why: string
}

const vitest = await createVitest(
  'test',
  { project: process.argv.slice(2), watch: true, bail: 1, reporters: [{}], includeTaskLocation: false },
  { server: { watch: null } },
)
const files = new Map<string, TestSpecification[]>()
const NOTHING: Told = { passed: 0, failed: 0, why: '' }

async function tell({ story, changed }: Ask): Promise<Told> {
  const [file, , name] = story
  for (const path of changed) for (const id of [path, `${process.cwd()}/${path}`]) vitest.invalidateFile(id)
  const found =
    files.get(file!) ??
    (await vitest.globTestSpecifications([file!])).filter(({ moduleId }) =>
      relative(process.cwd(), moduleId).startsWith(file!),
    )
  files.set(file!, found)
  if (found.length === 0) return NOTHING
  // A pattern that is set for all does not reach the workers of a later run: it goes with each file.
  const asked = found.map(({ project, moduleId }) =>
    project.createSpecification(moduleId, name ? { testNamePattern: new RegExp(name) } : undefined),
  )
  await vitest.runTestSpecifications(asked)
  // What a run answers holds the files of all runs before it, with their reds: only those that were asked count.
  const cases = asked.flatMap(({ testModule }) => [...(testModule?.children.allTests() ?? [])])
  const ended = (state: string) => cases.filter((one) => one.result().state === state)
  const [red] = ended('failed')
  const why = red ? `${red.name}: ${red.result().errors?.[0]?.message}` : ''
  return { passed: ended('passed').length, failed: ended('failed').length, why }
}

process.on('message', (ask: Ask) => {
  void tell(ask).then((told) => process.send!(told))
})
process.on('disconnect', () => {
  void vitest.close().finally(() => process.exit())
})
process.send!('ready')
