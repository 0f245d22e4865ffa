import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import pdfmake from 'pdfmake'
import type { Content, ContentTable, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js'

import { giveWay } from './give-way.ts'
import type { Drawn, Paper, PaperPart, PaperPictures, PaperSigns, PaperSteps, PaperTable } from './paper.ts'

/** Ships with the product: every machine draws the same words. */
const font = (name: string): string =>
  createRequire(import.meta.url).resolve(`@expo-google-fonts/noto-sans-sc/${name}.ttf`)
const FONTS = {
  NotoSansSC: {
    normal: font('400Regular/NotoSansSC_400Regular'),
    bold: font('600SemiBold/NotoSansSC_600SemiBold'),
  },
}
const FILES = new Set(Object.values(FONTS.NotoSansSC))

const MARGIN = 36
const SOFT = '#5c6470'
const LINE = '#c9ced6'
const FAINT = '#f3f5f8'
const INK = '#1c2330'
const HAIR = 0.5

const PAD = 4
const WIDTH = 595 - 2 * MARGIN
/** Every column has a width, so that what is too long for it goes on below and not beside. */
function widthsOf(given: readonly (number | undefined)[]): number[] {
  const left = WIDTH - given.reduce<number>((all, w) => all + (w ?? 0) + 2 * PAD, 0)
  const each = left / given.filter((w) => w === undefined).length
  return given.map((w) => w ?? each)
}

const rules = {
  hLineWidth: () => HAIR,
  vLineWidth: () => 0,
  hLineColor: () => LINE,
  paddingLeft: () => PAD,
  paddingRight: () => PAD,
  paddingTop: () => 3,
  paddingBottom: () => 3,
}
function headOf({ head, title, number, facts }: Paper): Content[] {
  const half = Math.ceil(facts.length / 2)
  const column = (some: Paper['facts']): ContentTable => ({
    layout: 'noBorders',
    table: {
      widths: [60, '*'],
      body: some.length
        ? some.map(([name, value]) => [{ text: name, color: SOFT }, value || '--'])
        : [['', '']],
    },
  })
  return [
    {
      columns: [
        {
          stack: [
            { text: head.name, bold: true, fontSize: 12 },
            {
              text: [head.address, head.phone && `电话 ${head.phone}`].filter(Boolean).join('　'),
              color: SOFT,
            },
          ],
        },
        {
          width: 'auto',
          stack: [
            { text: title, bold: true, fontSize: 16, alignment: 'right' },
            { text: number, color: SOFT, alignment: 'right' },
          ],
        },
      ],
      columnGap: 24,
    },
    {
      canvas: [{ type: 'line', x1: 0, y1: 6, x2: WIDTH, y2: 6, lineWidth: 1, lineColor: INK }],
      margin: [0, 0, 0, 8],
    },
    {
      columns: [column(facts.slice(0, half)), column(facts.slice(half))],
      columnGap: 16,
      margin: [0, 0, 0, 8],
    },
  ]
}

function stepsOf({ steps }: PaperSteps): Content {
  const last = steps.length - 1
  return {
    margin: [0, 4, 0, 12],
    layout: { ...rules, hLineWidth: () => 0, vLineWidth: () => 0 },
    table: {
      widths: widthsOf(steps.map(() => undefined)),
      body: [
        steps.map(([name, amount], i) => ({
          fillColor: FAINT,
          stack: [
            { text: name, color: SOFT, fontSize: 8 },
            { text: amount, bold: i === last, fontSize: i === last ? 11 : 10 },
          ],
        })),
      ],
    },
  }
}

function tableOf({ title, columns, rows, sums = [] }: PaperTable): Content {
  const alignment = (right: boolean | undefined) => (right ? 'right' : 'left')
  const cell = (text: string, i: number): TableCell => ({
    text: text,
    alignment: alignment(columns[i]?.right),
  })
  const sumRow = (name: string, amount: string, more: object): TableCell[] => [
    { text: name, colSpan: columns.length - 1, alignment: 'right', ...more },
    ...columns.slice(2).map(() => ''),
    { text: amount, alignment: 'right', ...more },
  ]
  const foot = sums.map(([name, amount]) => sumRow(name, amount, { bold: true }))
  // The heading is a row of the table: it never stands alone at the foot of a page, and is said again on the next.
  const heading: TableCell[] = [
    { text: title, bold: true, fontSize: 10, colSpan: columns.length, margin: [-PAD, 4, 0, 1] },
    ...columns.slice(1).map(() => ''),
  ]
  return [
    {
      margin: [0, 0, 0, 10],
      layout: { ...rules, hLineWidth: (i) => (i === 0 ? 0 : HAIR) },
      table: {
        headerRows: 2,
        keepWithHeaderRows: 1,
        dontBreakRows: true,
        widths: widthsOf(columns.map((c) => c.width)),
        body: [
          heading,
          columns.map((c) => ({
            text: c.title,
            color: SOFT,
            fillColor: FAINT,
            alignment: alignment(c.right),
          })),
          ...rows.map((row) =>
            'subtotal' in row ? sumRow(row.subtotal, row.amount, { fillColor: FAINT }) : row.map(cell),
          ),
          ...foot,
        ],
      },
    },
  ]
}

const SIGN_HEIGHT = 34
function signsOf({ signs, text }: PaperSigns): Content {
  const place = (who: string): Content => {
    const width = (WIDTH - (signs.length - 1) * 24) / signs.length
    return {
      stack: [
        { text: who, color: SOFT, margin: [0, 0, 0, SIGN_HEIGHT] },
        { canvas: [{ type: 'line', x1: 0, y1: 0, x2: width, y2: 0, lineWidth: HAIR, lineColor: INK }] },
        { text: '日期：　　　　年　　　月　　　日', color: SOFT, margin: [0, 4, 0, 0] },
      ],
    }
  }
  return {
    unbreakable: true,
    stack: [
      { text, margin: [0, 8, 0, 10] },
      { columns: signs.map(place), columnGap: 24 },
    ],
  }
}

const PICTURE: [number, number] = [250, 188]
function picturesOf({ pictures, title }: PaperPictures): Content {
  const cell = (p: PaperPictures['pictures'][number] | undefined): Content => {
    if (!p) return ''
    const caption: Content = { text: p.caption, color: SOFT, fontSize: 8, margin: [0, 2, 0, 8] }
    return p.jpeg
      ? { stack: [{ image: `data:image/jpeg;base64,${p.jpeg}`, fit: PICTURE }, caption] }
      : caption
  }
  const rows = Array.from({ length: Math.ceil(pictures.length / 2) }, (_, i) => [
    cell(pictures[2 * i]),
    cell(pictures[2 * i + 1]),
  ])
  return [
    { text: title, bold: true, fontSize: 10, margin: [0, 4, 0, 4] },
    { layout: 'noBorders', table: { dontBreakRows: true, widths: ['*', '*'], body: rows } },
  ]
}

function partOf(part: PaperPart): Content {
  if (part.kind === 'steps') return stepsOf(part)
  if (part.kind === 'table') return tableOf(part)
  if (part.kind === 'pictures') return picturesOf(part)
  if (part.kind === 'signs') return signsOf(part)
  return [
    { text: part.title, bold: true, fontSize: 10, margin: [0, 4, 0, 4] },
    { text: part.text, margin: [0, 0, 0, 10] },
  ]
}

const definition = (paper: Paper): TDocumentDefinitions => ({
  info: { title: `${paper.title} ${paper.number}`, author: paper.head.name },
  pageSize: 'A4',
  pageMargins: [MARGIN, 48, MARGIN, 44],
  defaultStyle: { font: 'NotoSansSC', fontSize: 8.5, lineHeight: 1, color: INK },
  header: (page) =>
    page === 1
      ? ''
      : {
          columns: [paper.head.name, { text: `${paper.title} ${paper.number}`, alignment: 'right' }],
          color: SOFT,
          fontSize: 8,
          margin: [MARGIN, 24, MARGIN, 0],
        },
  footer: (page, pages) => ({
    columns: [paper.foot, { text: `第 ${page} / ${pages} 页`, alignment: 'right', width: 'auto' }],
    color: SOFT,
    fontSize: 8,
    margin: [MARGIN, 12, MARGIN, 0],
  }),
  content: [headOf(paper), ...paper.parts.map(partOf)],
})

async function main(paper: Paper): Promise<Drawn> {
  try {
    pdfmake.setFonts(FONTS)
    pdfmake.setUrlAccessPolicy(() => false)
    pdfmake.setLocalAccessPolicy((path) => FILES.has(path))
    const file = await pdfmake.createPdf(definition(paper)).getBuffer()
    return { file: new Uint8Array(file) }
  } catch (error) {
    return { error: (error as Error).stack ?? String(error) }
  }
}
giveWay()
parentPort?.postMessage(await main(workerData as Paper))
