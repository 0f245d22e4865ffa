import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

import sharp from 'sharp'

export interface Hostile {
  name: string
  bytes: Buffer
}
const text = (name: string, content: string): Hostile => ({ name, bytes: Buffer.from(content) })

/** A PNG that says it is this large and holds almost nothing. */
function pixelBomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([1, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(Math.min(4_000_000, Math.ceil(width / 8) * height)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const SECRET_EXIF = 'GPS-CANARY-30.2741'

/** Pictures that are none, or more than one thing, or too much; `real` are pictures with something hidden in them. */
export async function hostilePictures(): Promise<{ none: Hostile[]; real: Hostile[] }> {
  const base = sharp({ create: { width: 60, height: 40, channels: 3, background: 'navy' } })
  const [jpg, png, webp] = await Promise.all([
    base
      .clone()
      .withExif({ IFD0: { ImageDescription: SECRET_EXIF } })
      .jpeg()
      .toBuffer(),
    base.clone().png().toBuffer(),
    base.clone().webp().toBuffer(),
  ])
  const html = '<html><script>alert(1)</script></html>'
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
  const head = (bytes: number[], rest: string) => Buffer.concat([Buffer.from(bytes), Buffer.from(rest)])
  const none: Hostile[] = [
    text('svg.jpg', svg),
    text('svg with a declaration.png', `<?xml version="1.0"?>${svg}`),
    text('svg that reads a file.jpg', `<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>`),
    text('html.jpg', html),
    text('html with a space.jpg', `  \n${html}`),
    text('script.js.jpg', 'alert(1)'),
    text('shell.php.jpg', '<?php system($_GET["c"]); ?>'),
    text('executable.jpg', 'MZ\x90\0'),
    text('linux program.png', '\x7fELF\x02\x01\x01'),
    text('zip.jpg', 'PK\x03\x04'),
    text('pdf.jpg', '%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>'),
    text('postscript.jpg', '%!PS\n(/etc/passwd) (r) file'),
    text('magick.jpg', 'push graphic-context\nfill url(https://127.0.0.1/|id)\npop graphic-context'),
    text('playlist.jpg', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd'),
    text('gif.gif', 'GIF89a\x01\0\x01\0\0\0\0;'),
    text('gif and script.jpg', 'GIF89a/*\0*/=1;alert(1)'),
    text('bmp.jpg', `BM${'\0'.repeat(60)}`),
    text('tiff.jpg', 'II*\0\x08\0\0\0\xff\xff'),
    text('heic.jpg', '\0\0\0\x18ftypheic\0\0\0\0mif1'),
    text('video.jpg', '\0\0\0\x18ftypmp42\0\0\0\0isom'),
    text('one byte.jpg', '\xff'),
    text('zeros.jpg', '\0'.repeat(5_000)),
    { name: 'head of a jpeg and html', bytes: head([0xff, 0xd8, 0xff, 0xe0], html) },
    { name: 'head of a png and html', bytes: head([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], html) },
    { name: 'head of a webp and html', bytes: Buffer.from(`RIFF\x00\x00\x00\x00WEBPVP8 ${html}`) },
    { name: 'jpeg of its head only', bytes: jpg.subarray(0, 20) },
    { name: 'png of its head only', bytes: png.subarray(0, 30) },
    { name: 'webp of its head only', bytes: webp.subarray(0, 20) },
    { name: 'pixel bomb 30,000²', bytes: pixelBomb(30_000, 30_000) },
    { name: 'pixel bomb 100,000²', bytes: pixelBomb(100_000, 100_000) },
    { name: 'pixel bomb of one line', bytes: pixelBomb(2_000_000_000, 1) },
    { name: 'picture without size', bytes: pixelBomb(0, 0) },
  ]
  const real: Hostile[] = [
    { name: 'jpeg with exif', bytes: jpg },
    { name: 'jpeg followed by html', bytes: Buffer.concat([jpg, Buffer.from(html)]) },
    { name: 'png followed by a zip', bytes: Buffer.concat([png, zipOf({ 'x.html': html })]) },
    {
      name: 'webp followed by a script',
      bytes: Buffer.concat([webp, Buffer.from('<script>alert(1)</script>')]),
    },
  ]
  return { none, real }
}
export const HIDDEN = [SECRET_EXIF, '<script>', '<html>', 'PK\x03\x04']

/** A zip of these files, as it would be written, or bent. */
export function zipOf(
  files: Record<string, string | Buffer>,
  bend: { crc?: number; claims?: number; method?: number; entries?: number } = {},
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as string)
    const packed = deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(bend.method ?? 8, 4)
    fields.writeUInt32LE(bend.crc ?? crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(bend.claims ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), fields, tail, Buffer.from(name)]))
    parts.push(local)
    at += local.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(bend.entries ?? directory.length, 8)
  end.writeUInt16LE(bend.entries ?? directory.length, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, index, end])
}
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const LINKS = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
/** The smallest workbook, with a sheet of the caller's. */
const book = (sheet: string | Buffer, more: Record<string, string | Buffer> = {}) => ({
  'xl/workbook.xml': `<workbook ${MAIN} ${LINKS}><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>`,
  'xl/worksheets/sheet1.xml': sheet,
  ...more,
})
const rows = (inner: string) => `<worksheet ${MAIN}><sheetData>${inner}</sheetData></worksheet>`

/** Workbooks that are none, or would take all memory, all time, or a place outside. */
export function hostileBooks(): Hostile[] {
  const big = Buffer.alloc(220_000_000, '<row/>')
  const attributes = Array.from({ length: 200_000 }, (_, i) => `a${i}="x"`).join(' ')
  const entities = `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`).join('')}]>`
  const of = (name: string, files: Record<string, string | Buffer>, bend = {}): Hostile => ({
    name,
    bytes: zipOf(files, bend),
  })
  const whole = zipOf(book(rows('<row r="1"><c t="inlineStr"><is><t>工号</t></is></c></row>')))
  return [
    of('zip bomb in the sheet', book(big)),
    of('zip bomb in the words', book(rows(''), { 'xl/sharedStrings.xml': big })),
    of('size that lies', book(big.subarray(0, 210_000_000)), { claims: 10 }),
    of('entities in entities', book(`${entities}<worksheet><row><c><v>&j;</v></c></row></worksheet>`)),
    of(
      'entity of a file',
      book(`<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]>${rows('<row><c><v>&x;</v></c></row>')}`),
    ),
    of('entity of an address', book(`<!DOCTYPE w SYSTEM "http://127.0.0.1:9/x">${rows('')}`)),
    of('unclosed tags', book(rows('<row><c>'.repeat(300_000)))),
    of('a tag without an end', book(`<worksheet><sheetData><row ${'x'.repeat(5_000_000)}`)),
    of('200,000 attributes', book(rows(`<row ${attributes}/>`))),
    of('deep nesting', book('<a>'.repeat(1_000_000))),
    of(
      'a very long cell',
      book(rows(`<row><c t="inlineStr"><is><t>${'长'.repeat(8_000_000)}</t></is></c></row>`)),
    ),
    of('a very far cell', book(rows('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'))),
    of('a cell beyond all', book(rows('<row r="99999999999"><c r="ZZZZZZZZ9"><v>1</v></c></row>'))),
    of('a row before the first', book(rows('<row r="-5"><c r="A-5"><v>1</v></c></row>'))),
    of('words that are not there', book(rows('<row r="1"><c t="s"><v>999999999</v></c></row>'))),
    of('wrong sum', book(rows('')), { crc: 7 }),
    of('unknown packing', book(rows('')), { method: 99 }),
    of('more entries than there are', book(rows('')), { entries: 60_000 }),
    of('names outside', { '../../../etc/cron.d/x': 'x', '/etc/passwd': 'x', '..\\..\\x': 'x' }),
    of('names outside beside a sheet', book(rows(''), { '../../escaped.html': '<script>' })),
    of('a target outside', {
      ...book(rows('')),
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Target="../../../../etc/passwd"/></Relationships>`,
    }),
    of('a target on the network', {
      ...book(rows('')),
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" TargetMode="External" Target="http://127.0.0.1:9/x"/></Relationships>`,
    }),
    of('no sheet', { 'a.txt': 'x' }),
    of('prototype', { __proto__: 'x', constructor: 'x', 'xl/workbook.xml': '<workbook/>' }),
    { name: 'cut in half', bytes: whole.subarray(0, whole.length / 2) },
    { name: 'end without a beginning', bytes: whole.subarray(whole.length - 22) },
    {
      name: 'old workbook',
      bytes: Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)]),
    },
    text('csv', '工号,姓名\n=cmd|calc,x'),
  ]
}

/** A workbook as anybody would write it. */
export const honestBook = (lines: string[][]): Buffer =>
  zipOf(
    book(
      rows(
        lines
          .map((cells, i) => {
            const all = cells.map((c) => `<c t="inlineStr"><is><t>${c}</t></is></c>`).join('')
            return `<row r="${i + 1}">${all}</row>`
          })
          .join(''),
      ),
    ),
  )
