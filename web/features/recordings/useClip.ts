import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import { useEffect, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { message } from '../../kit/notices.ts'
import { saveAs } from '../../kit/save.ts'
import { full, lasting } from '../../kit/time.ts'
import type { Purpose } from '../../parts/video/purpose.ts'

/** A stretch of the day that somebody has marked. */
export interface Cut {
  from?: number
  to?: number
}
const isWhole = (cut: Cut): cut is Required<Cut> => cut.from !== undefined && cut.to !== undefined

/** The stretch that is marked, and how far its download is. */
export function useClip(device: string | null, day: string, why: Purpose) {
  const [cut, setCut] = useState<Cut>({})
  const [part, setPart] = useState<number | null>(null)
  const making = useRef<AbortController>(undefined)
  useEffect(() => {
    setCut({})
    return () => making.current?.abort()
  }, [device, day])

  async function download(): Promise<void> {
    if (!isWhole(cut) || !device) return message.error('请先按 I 和 O 定好片段的开始和结束')
    const mine = new AbortController()
    making.current = mine
    setPart(0)
    try {
      const taken = await call(
        recordingsApi.clip,
        { body: { device_id: device, ...cut, ...why } },
        mine.signal,
      )
      const { makeClip } = await import('./makeClip.ts')
      const clip = await makeClip(taken, { signal: mine.signal, onProgress: setPart })
      saveAs(clip, `${taken.deviceSn} ${full(cut.from).replaceAll(':', '')}.mp4`)
      const lacking = cut.to - cut.from - taken.pieces.reduce((sum, p) => sum + p.to - p.from, 0)
      message.success(lacking > 0 ? `已下载，其中 ${lastingOf(lacking)}没有录像，已略去` : '已下载')
    } catch (error) {
      if (!mine.signal.aborted) message.error((error as Error).message)
    } finally {
      setPart(null)
    }
  }
  return {
    cut,
    part,
    /** An end that lies before the beginning begins anew, and the other way round. */
    begin: (at: number) =>
      setCut((was) => (was.to !== undefined && was.to > at ? { ...was, from: at } : { from: at })),
    end: (at: number) =>
      setCut((was) => (was.from !== undefined && was.from < at ? { ...was, to: at } : { to: at })),
    clear: () => setCut({}),
    cancel: () => making.current?.abort(),
    download,
  }
}
export type Clip = ReturnType<typeof useClip>
/** 45 秒, 12 分钟 */
export const lastingOf = (seconds: number): string => (seconds < 60 ? `${seconds} 秒` : lasting(seconds))
