import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The server sends what was compressed once, at the best level. */
const compressed = (): Plugin => ({
  name: 'compressed',
  writeBundle() {
    const walk = (folder: string): string[] => readdirSync(folder).flatMap((f) => (statSync(join(folder, f)).isDirectory() ? walk(join(folder, f)) : [join(folder, f)]))
    for (const file of walk(join(import.meta.dirname, 'dist')).filter((f) => /\.(js|css|html|svg)$/.test(f))) {
      const bytes = readFileSync(file)
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
})

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), compressed()],
  // The browser needs methods, paths and codes of the contract, not its schemas: the server checks every input (docs/decisions/0003).
  resolve: { alias: { zod: join(import.meta.dirname, 'kit', 'no-schemas.ts') } },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false }, chunkSizeWarningLimit: 1500 },
  server: { proxy: { '/user': 'http://127.0.0.1:8080', '/osmcore': 'http://127.0.0.1:8080', '/dsmcore': 'http://127.0.0.1:8080', '/mkscore': 'http://127.0.0.1:8080' } },
})
