import type { PaperPictures } from '../../kit/paper.ts'
import { unlessAway } from '../../kit/refuse.ts'
import { type FileStore, smaller } from './files.service.ts'
import { watermarked } from './watermark.service.ts'

/** So many pictures are in a paper; it says how many there are. */
const MOST_PICTURES = 24

/** Pictures of a paper, small, each once, marked with who takes them out of the house; one that is gone is named. */
export async function paperPictures(
  files: FileStore,
  named: readonly { key: string; caption: string }[],
  mark: string,
): Promise<PaperPictures> {
  const all = named.filter(({ key }, i) => named.findIndex((p) => p.key === key) === i)
  const shown = []
  // One after the other: a picture's pixels are many times its file.
  for (const { caption, key } of all.slice(0, MOST_PICTURES)) {
    const bytes = await smaller(files, key, 'medium').catch(unlessAway)
    if (bytes) shown.push({ caption, jpeg: (await watermarked(bytes, mark)).toString('base64') })
    else shown.push({ caption: `${caption}（照片已不在）`, jpeg: '' })
  }
  const more =
    all.length > MOST_PICTURES ? `（共 ${all.length} 张，前 ${MOST_PICTURES} 张）` : `（${all.length} 张）`
  return { kind: 'pictures', title: `照片${more}`, pictures: shown }
}
