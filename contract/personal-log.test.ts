import { expect, test } from 'vitest'

import type { LoggedFields } from './kit/logged.ts'
import { logged } from './kit/logged.ts'
import { LOGS } from './logs.ts'

/** Kinds of things whose lines are about people outside of the office, or what such people said and were told. */
const OF_PEOPLE = [
  'contact customer followUp handover worker document visit reception thread question feedback promise homeVideo',
  'homeDevice preview case violation user',
].flatMap((line) => line.split(' '))
/** A field called so holds somebody's name, number or address wherever it stands. */
const BY_NAME =
  /^(nickname|w_name|owner|person|customer|contact|w_contact|phone|\w+Phone|address|mail|payer|payee|signer|driver|plate|principal|lng|lat|deputy)$/
/** What somebody typed may name anybody. */
const TYPED = /^(reason|remark|msg)$/
/** In lines about people these are about them, too. */
const OF_THEM = /^(name|text|words|content|result|why|merged|title)$/
/** And whatever it is called, this is what its reader is told that it is. */
const BY_TITLE = /姓名|昵称|电话|联系|地址|^业主$|业主姓名|客户|司机|签约人|付款人|收款人|签字人|联系人/
/** What looks like it and is about nobody. */
const ABOUT_NOBODY: Readonly<Record<string, string>> = {
  'channel.host': 'the host of a robot of our own',
  'channel.way': 'says that an address is another, never which',
  'setting.customerSources': 'names of sources',
  'setting.leadHours': 'a number of hours',
  'setting.unmaskDaily': 'how many a day',
  'customer.refuses': 'yes or no',
  'company.address': 'of an office',
  'company.lat': 'of an office',
  'company.lng': 'of an office',
  'store.address': 'of an office',
  'store.lat': 'of an office',
  'store.lng': 'of an office',
}

/** Fields of a log that hold words of their own: no code, no moment, no number of a thing. */
function freeFields(
  object: string,
  fields: LoggedFields,
): [name: string, title: string, personal: boolean][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (typeof field === 'string') return [[`${object}.${name}`, field, false]]
    const [title, how] = field
    if (how === 'personal') return [[`${object}.${name}`, title, true]]
    if (typeof how === 'string' || typeof how.label === 'function') return []
    return freeFields(`${object}.${name}`, how as LoggedFields)
  })
}
const looksPersonal = (path: string, title: string): boolean => {
  const [object, name] = [path.split('.')[0]!, path.split('.').at(-1)!]
  if (Object.hasOwn(ABOUT_NOBODY, path)) return false
  if (BY_NAME.test(name) || TYPED.test(name) || BY_TITLE.test(title)) return true
  return OF_PEOPLE.includes(object) && OF_THEM.test(name)
}
/** Fields that look like words about people and are not declared so. */
const undeclared = (logs: Readonly<Record<string, { fields: LoggedFields }>>): string[] =>
  Object.entries(logs)
    .flatMap(([object, { fields }]) => freeFields(object, fields))
    .filter(([path, title, personal]) => !personal && looksPersonal(path, title))
    .map(([path]) => path)

test('whatever the log tells of people is declared as personal, so that it can be forgotten', () => {
  expect(undeclared(LOGS)).toEqual([])
  for (const path of Object.keys(ABOUT_NOBODY)) {
    const [object, name] = path.split('.') as [keyof typeof LOGS, string]
    expect(LOGS[object].fields, path).toHaveProperty(name)
  }
})

test('a field that nobody declared is found by its name, by its title and inside of lines', () => {
  const planted = {
    contact: logged('业主联系人', { name: '姓名', relation: '关系' }),
    order: logged('订单', { note: '收货人电话', ok: ['客户', 'personal'] }),
    site: logged('工地', { stages: ['阶段', { driver: '谁' }] }),
    company: logged('分公司', { address: '地址' }),
    package: logged('套餐', { name: '套餐' }),
  }
  expect(undeclared(planted)).toEqual(['contact.name', 'order.note', 'site.stages.driver'])
})

test('reasons, remarks and refusals of every kind are personal', () => {
  for (const [object, { fields }] of Object.entries(LOGS))
    for (const name of ['reason', 'remark', 'msg'] as const)
      expect(fields[name], `${object}.${name}`).toHaveProperty('1', 'personal')
})
