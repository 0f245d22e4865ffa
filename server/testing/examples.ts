import type { Example, ExamplesOf, Records } from './example.ts'

/** What every `noun.examples.ts` exports: examples of one API, or of several. */
const EXAMPLES = Object.values(
  import.meta.glob<Record<string, ExamplesOf | ExamplesOf[]>>('../features/*/*.examples.ts', { eager: true }),
)
  .flatMap((module) => Object.values(module))
  .flat()

/** By path: each endpoint's examples, about these records. */
export function examples(records: Records): Record<string, Example[]> {
  const all: Record<string, Example[]> = {}
  for (const [path, example] of EXAMPLES.flatMap((of) => of(records))) (all[path] ??= []).push(example)
  return all
}
