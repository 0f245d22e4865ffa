import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { afterAll, expect, test, vi } from 'vitest'
import type { z } from 'zod'

import { shapeOf } from '../no-schemas.ts'
import { askedOf, faultOf } from './asked.ts'

afterAll(() => vi.doUnmock('../no-schemas.ts'))
const bodies = (of: typeof api): [string, z.ZodType][] =>
  Object.entries(of).flatMap(([feature, calls]) =>
    Object.entries(calls as Record<string, Endpoint>)
      .filter(([, call]) => call.body)
      .map(([name, call]): [string, z.ZodType] => [`${feature}.${name}`, call.body!]),
  )

test('what the browser reads of a field is what the server checks: every field of every call', async () => {
  // The same contract once more, with the schemas that the server has.
  vi.resetModules()
  vi.doMock('../no-schemas.ts', () => import('zod/v4'))
  const real = Object.fromEntries(bodies((await import('@zhuguan/contract/api.ts')).api))
  let fields = 0
  let longest = 0
  for (const [name, schema] of bodies(api)) {
    const shape = (real[name] as z.ZodObject).shape
    expect(Object.keys(shapeOf(schema)).sort(), name).toEqual(Object.keys(shape).sort())
    for (const [field, stub] of Object.entries(shapeOf(schema))) {
      const asked = askedOf(stub)
      const checks = shape[field] as z.ZodType
      const at = `${name}.${field}`
      fields += 1
      const { title } = checks.meta() ?? {}
      if (title) expect(asked.title, at).toBe(title)
      if (asked.nullable) expect(checks.safeParse(null).success, at).toBe(true)
      expect(asked.needed, at).toBe(!asked.nullable && !checks.safeParse(undefined).success)
      if (!asked.text || !asked.max) continue
      longest = Math.max(longest, asked.max.at)
      const beyond = 'x'.repeat(asked.max.at + 1)
      expect(checks.safeParse(beyond).success, at).toBe(false)
      expect(faultOf(asked, true, beyond), at).toBeTruthy()
    }
  }
  expect(fields).toBeGreaterThan(150)
  expect(longest).toBeGreaterThanOrEqual(200)
})

test('a fault is said in the contract’s words', () => {
  const site = shapeOf(api.sites.add.body)
  const fault = (field: string, value: unknown, needed = askedOf(site[field]).needed) =>
    faultOf(askedOf(site[field]), needed, value)
  expect(fault('ws_name', '')).toBe('工地名称至少 2 个字')
  expect(fault('ws_name', ' 江 ')).toBe('工地名称至少 2 个字')
  expect(fault('ws_name', '江南里')).toBeUndefined()
  expect(fault('bc_id', null)).toBe('请选择分公司')
  expect(fault('area', '八十')).toBe('面积应为数字，最多两位小数')
  expect(fault('area', '')).toBeUndefined()
  expect(fault('style', '')).toBeUndefined()
  expect(fault('style', '', true)).toBe('请填写风格')
})
