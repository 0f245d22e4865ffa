import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'fixtures', 'films')
/** How long each of them is. */
export const FILM_S = 3
export const filmPath = (name: string): string => join(FOLDER, `${name}.mp4`)
/** Films of three seconds as recorders write them; `ts` is an MPEG-TS that calls itself an MP4. */
export const filmBytes = (name: 'h264' | 'fragments' | 'h265' | 'mpeg4' | 'ts'): Buffer =>
  readFileSync(filmPath(name))
