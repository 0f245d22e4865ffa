import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'fixtures', 'films')
/** How long each of them is. */
export const FILM_S = 3
export const filmPath = (name: string): string => join(FOLDER, `${name}.mp4`)
/** Films of three seconds as recorders write them; `ts` is an MPEG-TS that calls itself an MP4. */
export const filmBytes = (name: 'h264' | 'fragments' | 'h265' | 'mpeg4' | 'ts'): Buffer =>
  readFileSync(filmPath(name))

/** Where a box of this kind stands in a film that has one of it. */
function boxIn(film: Buffer, kind: string): number {
  const at = film.indexOf(kind, 0, 'latin1')
  if (at < 0) throw new Error(`no ${kind}`)
  return at
}
/**
 * A film that lasts so many whole seconds, its pictures shown as slowly as that takes, with these bytes in a box behind
 * them that nobody reads: two films differ by them, and one is as large as a story wants it.
 */
export function filmLasting(seconds: number, more = Buffer.alloc(0)): Buffer {
  const film = Buffer.from(filmBytes('h264'))
  // ISO/IEC 14496-12: mdhd holds units a second, stts one entry (count, units a picture).
  const stts = boxIn(film, 'stts')
  film.writeUInt32BE(film.readUInt32BE(stts + 12), boxIn(film, 'mdhd') + 16)
  film.writeUInt32BE(seconds, stts + 16)
  for (const shift of ['ctts', 'edts']) {
    const at = film.indexOf(shift, 0, 'latin1')
    if (at > 0) film.write('free', at, 'latin1')
  }
  const head = Buffer.alloc(8)
  head.writeUInt32BE(more.length + 8, 0)
  head.write('free', 4, 'latin1')
  return Buffer.concat([film, head, more])
}
