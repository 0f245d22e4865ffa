import { Refused } from '../../kit/refuse.ts'

/** Parts of a second and promises of them, for low latency; without them it is an ordinary playlist. */
const DROPPED = /^#EXT-X-(PART|PART-INF|PRELOAD-HINT|SERVER-CONTROL|RENDITION-REPORT|SKIP)\b/
const URI = /URI="([^"]*)"/
const MAX_LINES = 5_000

const noList = () => new Refused('视频网关给出的不是直播画面', 502, 502)

/** A playlist in which every name is what `address` makes of it: lines, and the URI of a tag. */
export function rewritePlaylist(text: string, address: (name: string) => string): string {
  const lines = text.split(/\r?\n/)
  if (!lines[0]?.replace(/^\uFEFF/, '').startsWith('#EXTM3U') || lines.length > MAX_LINES) throw noList()
  return lines
    .filter((line) => !DROPPED.test(line))
    .map((line) => {
      if (line.trim() === '') return ''
      if (!line.startsWith('#')) return address(line.trim())
      if (!line.startsWith('#EXT')) return ''
      // A tag names one thing; what names more is nothing that a camera's playlist needs.
      if (line.split('URI=').length > 2) throw noList()
      return line.replace(URI, (_whole, name: string) => `URI="${address(name)}"`)
    })
    .join('\n')
}

/** Whether bytes are what a playlist names: video in one of its containers, subtitles, a key. Never a page. */
export const isMarkup = ({ bytes, type }: { bytes: Buffer; type: string }): boolean =>
  /html|javascript|svg/i.test(type) ||
  /^\s*<(!doctype|html|\?xml|svg|script)/i.test(bytes.toString('latin1', 0, 200))
