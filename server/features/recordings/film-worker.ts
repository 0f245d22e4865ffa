import { parentPort, workerData } from 'node:worker_threads'

import { FilePathSource, Input, MP4, MPEG_TS, QTFF } from 'mediabunny'

import { giveWay } from '../../kit/give-way.ts'
import type { Film } from './read-film.ts'

/** Unix-style path → what stands in the film's own tables; nothing is decoded. */
async function read(path: string): Promise<Film | undefined> {
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF, MPEG_TS] })
  try {
    const isStream = (await input.getFormat()) === MPEG_TS
    const track = await input.getPrimaryVideoTrack()
    if (!track) return undefined
    const seconds = (await track.computeDuration()) - (await track.getFirstTimestamp())
    return { isStream, seconds, codec: track.codec ?? String(track.internalCodecId) }
  } finally {
    input.dispose()
  }
}
giveWay()
parentPort!.postMessage(await read(workerData as string).catch(() => undefined))
