/** Surnames of two characters; every other has one. */
const COMPOUND = /^(欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|司徒|夏侯|令狐|端木|长孙)/

/** Staff as owners read them: post and surname. */
export const staffOf = (post: string, name: string): string =>
  `${post} ${COMPOUND.exec(name)?.[0] ?? Array.from(name)[0] ?? ''}`.trim()
