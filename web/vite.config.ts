import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

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
      if (!app || !style) throw new Error('the application is not in the bundle')
      // The bundler sees that the page belongs to the application and would load it before the form is painted.
      const bare = html.replace(
        /\s*<script[^>]*\bsrc="[^"]*"[^>]*><\/script>|\s*<link rel="(stylesheet|modulepreload)"[^>]*>/g,
        '',
      )
      return bare
        .replace('./app/App.tsx', `./${app.fileName}`)
        .replace('data-style=""', `data-style="./${style}"`)
    },
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

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), start(), compressed()],
  // The browser needs methods, paths and codes of the contract, of its schemas only what forms ask for: the server
  // checks every input (docs/decisions/0003).
  resolve: { alias: { zod: join(import.meta.dirname, 'kit', 'no-schemas.ts') } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
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
            { name: 'Common', minShareCount: 28, test: (id) => !id.includes('/contract/features/') },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/user': 'http://127.0.0.1:8080',
      '/osmcore': 'http://127.0.0.1:8080',
      '/dsmcore': 'http://127.0.0.1:8080',
      '/mkscore': 'http://127.0.0.1:8080',
    },
  },
})
