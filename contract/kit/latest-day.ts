const YEARS_AHEAD = 2
/** The last day that goods may be expected or promised for, as a day: what is later was mistyped. */
export const latestDay = (today: string): string =>
  `${Number(today.slice(0, 4)) + YEARS_AHEAD}${today.slice(4).replace('-02-29', '-02-28')}`
