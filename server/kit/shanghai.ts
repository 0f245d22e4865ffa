const OFFSET_MS = 8 * 3_600_000

/** The Asia/Shanghai day an instant falls in, YYYY-MM-DD (China keeps +08:00 all year). */
export const shanghaiDay = (at: Date): string => new Date(at.getTime() + OFFSET_MS).toISOString().slice(0, 10)
export const startOfDay = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) - OFFSET_MS)
export const addDays = (day: string, n: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + n * 86_400_000).toISOString().slice(0, 10)
/** 2026-11-20 14:05, for sentences that people read. */
export const shanghaiTime = (at: Date): string =>
  new Date(at.getTime() + OFFSET_MS).toISOString().slice(0, 16).replace('T', ' ')
