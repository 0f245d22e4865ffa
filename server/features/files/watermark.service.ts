import { createRequire } from 'node:module'

import { loadSharp } from '../../kit/native.ts'

/** Ships with the product: a machine without Chinese fonts, or without any, writes the same words. */
const FONT = createRequire(import.meta.url).resolve(
  '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
)
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }
const TILT = -24
const QUALITY = 82
const escaped = (text: string) =>
  text.replace(/[<>&]/g, (c) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;' })[c]!)

/** The picture with these words across it again and again; cropping leaves some of them. */
export async function watermarked(bytes: Buffer, words: string): Promise<Buffer> {
  const sharp = await loadSharp()
  const label = await sharp({
    text: {
      text: `<span foreground="white" alpha="42%" size="15pt">${escaped(words)}</span>`,
      font: 'Noto Sans SC',
      fontfile: FONT,
      rgba: true,
      dpi: 110,
    },
  })
    .extend({ top: 60, bottom: 60, left: 50, right: 50, background: CLEAR })
    .png()
    .toBuffer()
  const tile = await sharp(label).rotate(TILT, { background: CLEAR }).png().toBuffer()
  const { width, height } = await sharp(bytes).metadata()
  // A tile larger than the picture cannot be laid on it.
  const fitting = await sharp(tile)
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
  return sharp(bytes)
    .composite([{ input: fitting, tile: true, blend: 'over' }])
    .jpeg({ quality: QUALITY })
    .toBuffer()
}
