import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'

import { pdfText } from '../../server/testing/pdf-text.ts'
import { cellsOf } from '../../server/testing/sheets.ts'
import type { Caller } from './client.ts'
import type { Stage } from './stage.ts'

/** Thirty-eight before the point and two behind it: as many as a number may have. */
const FORTY = '98765432109876543210987654321098765432.19'
/** Ten thousand times this. */
const PRICE = '9876543210987654321098765432109876.543219'
const digits = (text: string) => text.replaceAll(/[^\d.]/g, '')

/** Where a total of forty digits has been changed on its way to a person: nowhere, or the places' names. */
export async function lostDigits(stage: Stage, url: string, gm: Caller, bc: string): Promise<string[]> {
  const phone = '13800000040'
  const customer = await gm.ask(api.customers.add, { body: { bc_id: bc, name: '长数字', phone } })
  const line = {
    id: randomUUID(),
    attribute: 3,
    contractAttribute: 2,
    name: '一件很贵的东西',
    unit: '件',
    quantity: '10000',
    price: PRICE,
  }
  const content = { area: '0', taxPercent: '0', validUntil: '2099-01-01', lines: [line] }
  const { id: customer_id } = customer.data as { id: string }
  const made = await gm.ask(api.quotations.add, { body: { customer_id, content } })
  if (made.code !== 200) throw new Error(`${customer.msg} ${made.msg}`)
  const { id } = made.data as { id: string }
  const file = async (endpoint: Endpoint) => {
    const headers = { ...gm.headers, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${endpoint.path}?id=${id}`, { method: endpoint.method, headers })
    if (answer.headers.get('content-type')?.includes('json')) throw new Error(await answer.text())
    return Buffer.from(await answer.arrayBuffer())
  }
  const { rows } = await stage.owner.query(
    `SELECT v.total::text AS total, l.price::text AS price, l.amount::text AS amount
     FROM quotation_versions v JOIN quotation_lines l ON l.version_id = v.id WHERE v.quotation_id = $1`,
    [id],
  )
  const { sum, lines } = (await gm.ask(api.quotations.details, { query: { id } })).data as {
    sum: { total: string }
    lines: { amount: string; price: string }[]
  }
  const cells = (await cellsOf(await file(api.quotations.sheet))).flat()
  const paper = (await pdfText(await file(api.quotations.pdf))).join('')
  const places: [string, boolean][] = [
    ['database', rows.length === 1 && rows[0].total === FORTY && rows[0].amount === FORTY],
    ['answer', sum.total === FORTY && lines[0]!.amount === FORTY && lines[0]!.price === PRICE],
    ['xlsx', cells.includes(FORTY)],
    ['pdf', digits(paper).includes(FORTY)],
    // One digit more is refused, not cut.
    [
      'refusal',
      (
        await gm.ask(api.quotations.add, {
          body: { customer_id, content: { ...content, lines: [{ ...line, price: `1${PRICE}` }] } },
        })
      ).code === 400,
    ],
  ]
  return places.filter(([, whole]) => !whole).map(([place]) => place)
}
