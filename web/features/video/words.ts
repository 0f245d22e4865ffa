/** 98.5% */
export const percent = (rate: number | null): string => (rate === null ? '--' : `${rate}%`)
/** 12.5 小时; of less than an hour, its minutes. */
export const hours = (minutes: number): string =>
  minutes < 60 ? `${minutes} 分钟` : `${Math.round(minutes / 6) / 10} 小时`
