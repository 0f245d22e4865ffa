import { message } from '../../kit/notices.ts'
import { saveAs } from '../../kit/save.ts'
import { full } from '../../kit/time.ts'
import { burnIn, burnt } from './burnIn.ts'
import type { Player } from './usePlayer.ts'

/** The seconds that are seen as a picture. */
export function snap({ video, at }: Player, who: string, sn: string): void {
  const element = video.current
  if (!element?.videoWidth || at === null) return message.error('没有画面可以截图')
  const canvas = document.createElement('canvas')
  canvas.width = element.videoWidth
  canvas.height = element.videoHeight
  const pen = canvas.getContext('2d')!
  pen.drawImage(element, 0, 0)
  burnIn(pen, burnt(at, sn, who, '截图'))
  canvas.toBlob(
    (blob) => blob && saveAs(blob, `${sn} ${full(Math.floor(at)).replaceAll(':', '')}.jpg`),
    'image/jpeg',
    0.9,
  )
}
