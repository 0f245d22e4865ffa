import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

import { filmFormat, type FilmFormat } from '@zhuguan/contract/features/recordings/recordings.record.ts'

import { bound } from '../../kit/bound.ts'
import type { FileStore } from '../files/files.service.ts'
import { brokenVideo } from './whole-video.ts'

/** A film's own words about itself. */
export interface Film {
  /** An MPEG-TS, whatever its name says. */
  isStream: boolean
  codec: string
  seconds: number
}

/** The tables of 512 MB are read in a second; what takes this long is no film that anybody sent in good faith. */
const LONGEST_MS = 15_000
const MOST_MB = 256
/** The sources run as they are, the product as bundles that lie side by side. */
const WORKER = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? 'film-worker.ts' : 'film-worker.js',
)
const readers = bound({
  name: 'films',
  atOnce: 2,
  each: 2,
  waiting: 400,
  waitMs: 60_000,
  full: '服务器正忙，请稍后重传',
  yours: '服务器正忙，请稍后重传',
})

/**
 * Reads a film in a thread of its own, with limits of time and memory, so that whatever is in it nobody else waits.
 * Nothing where it says nothing of itself.
 */
export const readFilm = (path: string): Promise<Film | undefined> =>
  readers.run('film', () => {
    const thread = new Worker(WORKER, {
      workerData: path,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
      // The reader complains of codecs that it does not know.
      stdout: true,
      stderr: true,
    })
    return new Promise<Film | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), LONGEST_MS)
      thread.once('message', resolve)
      // Whatever made it end was in the file.
      thread.once('error', () => resolve(undefined))
      thread.once('exit', () => resolve(undefined))
      void thread.once('exit', () => clearTimeout(timer))
    }).finally(() => void thread.terminate())
  })

/** The codecs that browsers of offices play in an MP4. */
const PLAYED = ['avc', 'vp8', 'vp9', 'av1']
/** The reason why browsers do not play it; nothing where they do. */
export function formatOf({ isStream, codec }: Film): FilmFormat | null {
  const { code } = filmFormat
  if (codec === 'hevc') return code.hevc
  if (codec === 'mp4v') return code.mpeg4
  if (!PLAYED.includes(codec)) return code.other
  return isStream ? code.ts : null
}

/** What is kept of a film beside its file. */
export interface KeptFilm {
  seconds: number
  format: FilmFormat | null
}
/**
 * What is kept of a film that has just been put away: none where it is cut off, damaged or without a picture, which
 * would count as recorded time. Where it is not kept, or there is no room to read it, the file goes again.
 */
export async function filmOf(files: FileStore, key: string): Promise<KeptFilm | undefined> {
  const unnamed = (error: unknown) => files.unnamed(key, error)
  const film = await files.asFile(key, readFilm).catch(unnamed)
  // Only an MP4 says how long its parts are; a stream is as long as it is.
  const isWhole =
    film && film.seconds > 0 && (film.isStream || !(await brokenVideo(files, key).catch(unnamed)))
  if (isWhole) return { seconds: film.seconds, format: formatOf(film) }
  await files.remove(key)
  return undefined
}
