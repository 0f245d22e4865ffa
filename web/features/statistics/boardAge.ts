/** Two rounds of asking, and as long again without an answer. */
const LIVE_S = 60
const OFFLINE_S = 120

export interface Age {
  state: 'live' | 'stale' | 'offline'
  words: string
}
/** The age of a board's figures; the last ones stay, whatever the network does. */
export function ageOf(at: number, now: number): Age {
  const seconds = Math.max(0, now - at)
  if (seconds <= LIVE_S) return { state: 'live', words: '实时' }
  const since = seconds < OFFLINE_S ? `${seconds} 秒` : `${Math.floor(seconds / 60)} 分钟`
  return seconds <= OFFLINE_S
    ? { state: 'stale', words: `${since}前的数据` }
    : { state: 'offline', words: `已断开，${since}前的数据` }
}
