import { message } from '../../kit/notices.ts'
import { saveAs } from '../../kit/save.ts'
import { full, nowSeconds } from '../../kit/time.ts'
import type { Player } from './usePlayer.ts'

/** What is seen as a picture, with who took it and when burnt in: what goes round can be traced. */
export function snap({ video, at }: Player, who: string, sn: string): void {
  const element = video.current
  if (!element?.videoWidth || at === null) return message.error('没有画面可以截图')
  const canvas = document.createElement('canvas')
  canvas.width = element.videoWidth
  canvas.height = element.videoHeight
  const pen = canvas.getContext('2d')!
  pen.drawImage(element, 0, 0)
  const size = Math.max(10, Math.round(canvas.width / 50))
  const lines = [`回放 ${full(Math.floor(at))} ${sn}`, `${who} 截图于 ${full(nowSeconds())}`]
  pen.font = `${size}px sans-serif`
  pen.fillStyle = '#000000a6'
  pen.fillRect(0, canvas.height - size * 3.2, canvas.width, size * 3.2)
  pen.fillStyle = '#fff'
  lines.forEach((line, i) =>
    pen.fillText(line, size / 2, canvas.height - size * (1.9 - i * 1.4), canvas.width - size),
  )
  canvas.toBlob(
    (blob) => blob && saveAs(blob, `${sn} ${full(Math.floor(at)).replaceAll(':', '')}.jpg`),
    'image/jpeg',
    0.9,
  )
}
