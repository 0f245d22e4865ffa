import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin, type UserConfig } from 'vite'

const shared = {
  root: import.meta.dirname,
  base: './',
  // The browser needs methods, paths and codes of the contract, of its schemas only what forms ask for: the server
  // checks every input (docs/decisions/0003).
  resolve: { alias: { zod: join(import.meta.dirname, 'kit', 'no-schemas.ts') } },
} satisfies UserConfig
const written = {
  target: 'es2022',
  modulePreload: { polyfill: false },
  // Limits of weight are held by stories (e2e/weight.test.ts), not by Vite's word about a chunk.
  chunkSizeWarningLimit: 2_000,
} satisfies UserConfig['build']

/** What an outsider opens is a bundle of its own: an owner's telephone fetches nothing of the back office. */
const linkApp = (): Plugin => ({
  name: 'link-app',
  apply: 'build',
  async buildStart() {
    const built = await build({
      ...shared,
      configFile: false,
      logLevel: 'warn',
      plugins: [react()],
      build: {
        ...written,
        write: false,
        rolldownOptions: {
          input: join(import.meta.dirname, 'app', 'LinkApp.tsx'),
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: 'LinkApp', tags: ['$initial'] },
                // A file of a few codes weighs less than the head of its answer.
                { name: 'Shared', minShareCount: 2 },
              ],
            },
          },
        },
      },
    })
    for (const part of (Array.isArray(built) ? built : [built]).flatMap((b) =>
      'output' in b ? b.output : [],
    ))
      this.emitFile({
        type: 'asset',
        fileName: part.fileName,
        source: part.type === 'chunk' ? part.code : part.source,
      })
  },
})

/** index.html asks for the application itself, once its form is painted: it only needs the names of the built files. */
const start = (): Plugin => ({
  name: 'start',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      const app = Object.values(bundle ?? {}).find(
        (c) => c.type === 'chunk' && c.moduleIds.some((id) => /app.App\.tsx$/.test(id)),
      )
      const style = app?.type === 'chunk' ? [...(app.viteMetadata?.importedCss ?? [])][0] : undefined
      const ofLinks = (end: string) =>
        Object.keys(bundle ?? {}).find((name) => /(^|\/)LinkApp-/.test(name) && name.endsWith(end))
      const [link, linkStyle] = [ofLinks('.js'), ofLinks('.css')]
      if (!link || !linkStyle) throw new Error('what links open is not in the bundle')
      if (!app || !style) throw new Error('the application is not in the bundle')
      // The bundler sees that the page belongs to the application and would load it before the form is painted.
      const bare = html.replace(
        /\s*<script[^>]*\bsrc="[^"]*"[^>]*><\/script>|\s*<link rel="(stylesheet|modulepreload)"[^>]*>/g,
        '',
      )
      return bare
        .replace('./app/App.tsx', `./${app.fileName}`)
        .replace('data-style=""', `data-style="./${style}"`)
        .replace('./app/LinkApp.tsx', `./${link}`)
        .replace('data-link-style=""', `data-link-style="./${linkStyle}"`)
    },
  },
})

/**
 * Compiled whole while a name is typed, beside the thread that paints, instead of function by function at the first
 * call (docs/decisions/0670). For what everybody needs in the first minute alone.
 */
const compiledAhead = (): Plugin => ({
  name: 'compiled-ahead',
  apply: 'build',
  // When it is written: what the bundler itself puts first would come before the line.
  writeBundle(_, bundle) {
    for (const part of Object.values(bundle))
      if (part.type === 'chunk' && part.name === 'App') {
        const file = join(import.meta.dirname, 'dist', part.fileName)
        writeFileSync(file, `//# allFunctionsCalledOnLoad\n${readFileSync(file, 'utf8')}`)
      }
  },
})

/** The server sends what was compressed once, at the best level. */
const compressed = (): Plugin => ({
  name: 'compressed',
  writeBundle() {
    const walk = (folder: string): string[] =>
      readdirSync(folder).flatMap((f) =>
        statSync(join(folder, f)).isDirectory() ? walk(join(folder, f)) : [join(folder, f)],
      )
    for (const file of walk(join(import.meta.dirname, 'dist')).filter((f) =>
      /\.(js|css|html|svg|json)$/.test(f),
    )) {
      const bytes = readFileSync(file)
      writeFileSync(
        `${file}.br`,
        brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
      )
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
})

/** The server beside the pages of `npm run dev`. */
const SERVER = `http://127.0.0.1:${process.env.PORT ?? 8080}`

export default defineConfig({
  ...shared,
  plugins: [react(), linkApp(), start(), compiledAhead(), compressed()],
  build: {
    ...written,
    outDir: 'dist',
    emptyOutDir: true,
    rolldownOptions: {
      input: [join(import.meta.dirname, 'index.html'), join(import.meta.dirname, 'app', 'App.tsx')],
      // Few requests: what the shell and a first list need is one file because App is an entry of its own.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'App', tags: ['$initial'] },
            // What most pages share is one file too: a browser asks for six at a time. Records that many only name, but
            // a first list does not show, come with whoever shows them.
            { name: 'Common', minShareCount: 34, test: (id) => !id.includes('/contract/features/') },
          ],
        },
      },
    },
  },
  // `npm run dev` (tools/start.mjs): pages from their sources, everything else from the server beside them. The address
  // was said to people before, so another port is refused rather than taken.
  server: {
    port: Number(process.env.PAGES_PORT ?? 5173),
    strictPort: true,
    proxy: {
      '^/(user|osmcore|dsmcore|mkscore|open|healthz|readyz|metrics)(/|$)': SERVER,
    },
  },
})
