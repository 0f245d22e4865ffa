import { join } from 'node:path'

import react from '@vitejs/plugin-react'
import { build } from 'vite'

/** Builds the floor's pages into `outDir`. */
export const buildFloor = (outDir: string) =>
  build({
    root: import.meta.dirname,
    base: './',
    configFile: false,
    logLevel: 'silent',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: ['index.html', 'recycled.html', 'alarms.html', 'pictures.html', 'sheet.html'].map((f) =>
          join(import.meta.dirname, f),
        ),
      },
    },
  })
