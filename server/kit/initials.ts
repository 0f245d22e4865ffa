import { pinyin } from 'pinyin-pro'

/** What somebody types who types first letters: 良渚文化村 18 幢 → lzwhc18z. What is no Chinese sign stays as it is. */
export const initials = (text: string): string =>
  pinyin(text, { pattern: 'first', toneType: 'none', type: 'array', nonZh: 'consecutive' })
    .join('')
    .replaceAll(/\s/g, '')
    .toLowerCase()
