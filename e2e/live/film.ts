import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

/** Eight seconds of a test picture (ffmpeg's testsrc, H.264): the head, then four parts. */
const MOVIE = readFileSync(join(import.meta.dirname, 'live.m4s'))
const HEAD = 811
const PARTS = [2803, 2427, 2403, 2247]
export const PLAYLIST = [
  '#EXTM3U',
  '#EXT-X-VERSION:7',
  '#EXT-X-TARGETDURATION:2',
  `#EXT-X-MAP:URI="live.m4s",BYTERANGE="${HEAD}@0"`,
  ...PARTS.flatMap((bytes, i) => [
    '#EXTINF:2.0,',
    `#EXT-X-BYTERANGE:${bytes}@${HEAD + PARTS.slice(0, i).reduce((a, b) => a + b, 0)}`,
    'live.m4s',
  ]),
].join('\n')

/** Answers as a gateway of HLS does: the playlist, or the part of the film that is asked for. */
export function answerFilm(request: IncomingMessage, reply: ServerResponse): void {
  if (request.url!.endsWith('.m3u8')) {
    reply.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(PLAYLIST)
    return
  }
  const range = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '')
  const from = Number(range?.[1] ?? 0)
  const to = Math.min(Number(range?.[2] || MOVIE.length - 1), MOVIE.length - 1)
  reply
    .writeHead(range ? 206 : 200, {
      'content-type': 'video/mp4',
      'content-range': `bytes ${from}-${to}/${MOVIE.length}`,
    })
    .end(MOVIE.subarray(from, to + 1))
}
