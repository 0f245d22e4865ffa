import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { PAGES } from '@zhuguan/contract/pages.ts'
import { expect, test } from 'vitest'

import { ROOT, sources } from './sources.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const PATHS = new Set(Object.values(PAGES).map((page) => page.path))
/** Addresses of pages that are written out. */
const writtenOut = (text: string): string[] =>
  [...text.matchAll(/['"`](\/[A-Za-z/]+)(?:\?[^'"`]*)?['"`]/g)]
    .map(([, path]) => path!)
    .filter((path) => PATHS.has(path))

test('a page is linked to by its name (contract/links.ts), never by an address', () => {
  expect(writtenOut("link: `/device/DeviceList?bindStatus=${two}`, to: '/nowhere'")).toEqual([
    '/device/DeviceList',
  ])
  const found = sources(/^(server|web\/(features|parts|kit))\/.*(?<!\.test)\.tsx?$/)
    .filter((path) => !path.startsWith('server/testing/'))
    .flatMap((path) => writtenOut(read(path)).map((address) => `${path}: ${address}`))
  expect(found).toEqual([])
})

/** Pages of several tables, and the files that have them. */
const BESIDE: Readonly<Record<string, RegExp>> = {
  BoardSetting: /screens\/(Arrangements|Screens)\.tsx$/,
  ReceiptList: /contracts\/(Dues|Flows)\.tsx$/,
}
test('what links say of a page’s list is the list that the page shows', () => {
  const named = [
    ...read('contract/links.ts').matchAll(/^ {2}(\w+): (typeof \w+\.\w+(?: \| typeof \w+\.\w+)*)$/gm),
  ]
  expect(named.length).toBeGreaterThan(20)
  const pages = sources(/^web\/features\/.*Page\.tsx$/)
  const wrong = named.flatMap(([, name, lists]) => {
    const text = pages
      .filter((path) => path.endsWith(`/${name}Page.tsx`))
      // A page of several tables has each in a file beside it.
      .flatMap((path) => (BESIDE[name!] ? sources(BESIDE[name!]!) : [path]))
      .map(read)
      .join()
    return [...lists!.matchAll(/typeof (\w+\.\w+)/g)]
      .map(([, list]) => list!)
      .filter((list) => !text.includes(`(${list}`) && !text.includes(` ${list}`))
      .map((list) => `${name}: ${list}`)
  })
  expect(wrong).toEqual([])
})
