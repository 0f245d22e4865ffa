import { deflateRawSync } from 'node:zlib'

import { workersImport } from '@zhuguan/contract/features/workers/workers.import.ts'

import { zip } from '../../server/testing/zip.ts'
import { dice, type Result, signIn } from './client.ts'
import { setStage } from './stage.ts'

const MOST_BYTES = 100_000
const LONGEST_STOP_MS = 100
/** Anybody who may import. */
const PEOPLE = ['branch_gm', 'branch_gm2']
const SENTENCE = /[\u4e00-\u9fff]/

/** A workbook in which one thing is far more, longer or deeper than any program writes; packed it is small. */
function hostile({ below, pick }: ReturnType<typeof dice>): { what: string; bytes: Buffer } {
  const many = 10 ** (2 + below(4)) * (1 + below(6))
  const odd = () =>
    pick(['[', '"', '\\\\', '&', '&#0;', '_x0041_', ']', ' ', '\u3000', '字', '😀', ')', '-', '0', 'E'])
  const runs = odd().repeat(many)
  const text = runs.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const attribute = (name: string) => `${name}="${text}"`
  const cell = (inner: string) => `<row r="1"><c r="A1" ${inner}</c></row>`
  const nested = pick(['c', 'row', 'is', 't', 'rPh', 'x'])
  const sheets: Record<string, () => [sheet: string, styles?: string, strings?: string]> = {
    'format code': () => [cell('s="0"><v>46000</v>'), `<numFmt numFmtId="200" ${attribute('formatCode')}/>`],
    reference: () => [`<row r="1"><c ${attribute('r')}><v>1</v></c></row>`],
    type: () => [`<row r="1"><c r="A1" ${attribute('t')}><v>1</v></c></row>`],
    'row number': () => [`<row r="${'9'.repeat(many % 400)}"><c><v>1</v></c></row>`],
    column: () => [`<row r="1"><c r="${'Z'.repeat(1 + below(3))}1"><v>1</v></c></row>`],
    text: () => [cell(`t="inlineStr"><is><t>${text}</t></is>`)],
    formula: () => [cell(`><f>${text}</f><v>1</v>`)],
    number: () => [cell(`><v>${runs.replaceAll(/[&<]/g, '')}</v>`)],
    'shared text': () => [cell('t="s"><v>0</v>'), '', `<si><t>${text}</t></si>`],
    'shared texts': () => [cell('t="s"><v>0</v>'), '', '<si><t>x</t></si>'.repeat(many)],
    unclosed: () => [`<${nested}>`.repeat(many)],
    deep: () => [`<${nested}>`.repeat(many) + `</${nested}>`.repeat(many)],
    cells: () => [`<row r="1">${'<c/>'.repeat(many)}</row>`],
    rows: () => ['<row><c><v>1</v></c></row>'.repeat(many)],
    attributes: () => [`<row ${Array.from({ length: many % 100_000 }, (_, i) => `a${i}="x"`).join(' ')}/>`],
    brackets: () => ['<'.repeat(many)],
    comment: () => [`<!--${'-'.repeat(many)}`],
    data: () => [`<![CDATA[${']'.repeat(many)}`],
    doctype: () => [`<!DOCTYPE x [${'<!ENTITY a "b">'.repeat(many % 10_000)}]>`],
  }
  const what = pick(Object.keys(sheets))
  const [sheet, styles = '', strings = ''] = sheets[what]!()
  const bytes = zip(
    {
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><sheets><sheet name="一" sheetId="1" r:id="rId3"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId3" Type="x/worksheet" Target="worksheets/a.xml"/></Relationships>',
      'xl/worksheets/a.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
      'xl/styles.xml': `<styleSheet><numFmts>${styles}</numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
      'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    },
    below(20) === 0
      ? (b) => Buffer.concat([b.subarray(0, below(b.length)), deflateRawSync(Buffer.from('x'))])
      : undefined,
  )
  return { what: `${what} × ${many}`, bytes }
}

/**
 * G-21: workbooks below 100 kB that are made to be slow, at the door of imports: each is answered in words, and the
 * server's loop stands still for none, in the loop's own processor time. The control is a stop that is made.
 */
export async function workbooks(seed: number, files: number): Promise<Result> {
  const stage = await setStage()
  try {
    const served = await stage.serve()
    const { url } = served
    const people = await Promise.all(PEOPLE.map((name) => signIn(url, name)))
    const wrong: string[] = []
    let longest = { ms: 0, beside: '' }
    await served.stop()
    // One after the other: a server answers each question once.
    let looking = Promise.resolve()
    const look = async (beside: string) => {
      const ms = await served.stop()
      // Of two at once it is one of both.
      if (ms > longest.ms) longest = { ms, beside }
    }
    const random = dice(seed)
    let left = files
    let small = 0
    await Promise.all(
      people.map(async (who) => {
        while (left > 0) {
          const one = hostile(random)
          if (one.bytes.length > MOST_BYTES) continue
          left -= 1
          small += 1
          const answer = await fetch(`${url}${workersImport.api.upload.path}?name=x.xlsx`, {
            method: 'POST',
            headers: { ...who.headers, 'content-type': 'application/octet-stream' },
            body: new Uint8Array(one.bytes),
          })
          const said = (await answer.json()) as { code: number; msg: string }
          if (answer.status >= 500 || (said.code !== 200 && !SENTENCE.test(said.msg)))
            wrong.push(`${one.what}: ${answer.status} ${said.code} ${said.msg}`)
          looking = looking.then(() => look(one.what))
          await looking
        }
      }),
    )
    // The control: a loop that really stands still is seen.
    await served.spin(2 * LONGEST_STOP_MS)
    const isSeen = (await served.stop()) > LONGEST_STOP_MS
    for (const line of wrong.slice(0, 5)) console.error(line)
    return {
      value:
        `${small} workbooks below 100 kB: ${wrong.length} wrong, longest stop ` +
        `${Math.round(longest.ms)} ms of processor time (beside ${longest.beside}); ` +
        `control ${isSeen ? 'found' : 'NOT FOUND'}`,
      ok: wrong.length === 0 && longest.ms <= LONGEST_STOP_MS && isSeen,
    }
  } finally {
    await stage.close()
  }
}
