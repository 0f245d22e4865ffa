import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { drawn, machinesIn } from './kit/machines.ts'
import { PERMISSIONS } from './permissions.ts'

const machines = machinesIn(
  Object.values(import.meta.glob<object>('./features/*/*.actions.ts', { eager: true })),
)
/** The tables of docs/states.md by the name that stands over them. */
const written: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...readFileSync(new URL('../docs/states.md', import.meta.url), 'utf8').matchAll(
      /^## (\w+)\n\n```\n([^]*?)```/gm,
    ),
  ].map(([, name = '', table = '']) => [name, table]),
)

test('every table of actions is the one that docs/states.md shows, state by state', () => {
  expect(Object.keys(machines).sort()).toEqual(Object.keys(written).sort())
  for (const [name, machine] of Object.entries(machines)) expect(drawn(machine), name).toBe(written[name])
})

test('every state × every action is refused with a sentence where the table has no line', () => {
  const actor = { id: 'me', roles: [], permissions: ['*:*:*'] }
  let refused = 0
  for (const [name, machine] of Object.entries(machines))
    for (const from of machine.codes.values) {
      const line = written[name]!.split('\n').find((l) => l.startsWith(`${machine.codes.label(from)}: `))!
      for (const action of machine.names) {
        if (line.includes(machine.table[action]!.label)) continue
        const why = machine.refusal(action, { [machine.state]: from, user_ids: [] }, actor)
        expect(why, `${name} ${action} from ${String(from)}`).toMatch(/^当前为“.+”，不能/)
        refused += 1
      }
    }
  expect(refused).toBeGreaterThan(50)
})

test('every action asks for a permission that can be granted', () => {
  for (const machine of Object.values(machines))
    for (const label of machine.names.flatMap((name) => machine.needs(name)))
      if (label !== 'system') expect(PERMISSIONS).toHaveProperty([label])
})
