import type { Tone } from '../State.tsx'

/** Things, in the order in which they are drawn: five and no more; green, amber and red are kept for states. */
const THINGS = {
  light: ['#409eff', '#6a5acd', '#0f9fb5', '#7b8794', '#b04a98'],
  dark: ['#58aaff', '#a396f5', '#40c4d4', '#9aa7b5', '#df83c8'],
}
const STATES: Record<'light' | 'dark', Record<Tone, string>> = {
  light: { ok: '#1e8e3e', wait: '#d98300', bad: '#d93025', grey: '#a3aebb' },
  dark: { ok: '#57b374', wait: '#f0a73a', bad: '#ef6f65', grey: '#6f7c8b' },
}
/** From nothing to much, for the calendar. */
const HEAT = {
  light: ['#edf3fa', '#bcd9f8', '#77b6f7', '#2f86e0', '#10579f'],
  dark: ['#222c38', '#1f4063', '#2a629c', '#3f8ddb', '#8cc4ff'],
}
export const MOST_SERIES = 5

export interface Colours {
  of: (thing: { tone?: Tone | undefined; hue?: number | undefined }, i: number) => string
  heat: string[]
  ink: string
  soft: string
  line: string
  card: string
}
/** Colours of the theme that is on. `hue` pins a thing to one colour wherever it appears. */
export function coloursOf(dark: boolean): Colours {
  const set = dark ? 'dark' : 'light'
  return {
    of: ({ tone, hue }, i) => (tone ? STATES[set][tone] : THINGS[set][(hue ?? i) % THINGS[set].length]!),
    heat: HEAT[set],
    ...(dark
      ? { ink: '#e5eaf1', soft: '#a3aebc', line: '#2c3542', card: '#1b222c' }
      : { ink: '#1f2937', soft: '#52606f', line: '#e6e8ee', card: '#ffffff' }),
  }
}
/** The colour of a thing by its number, grey where it has none. */
export const hueOf = (hue: number | null, dark: boolean): string =>
  coloursOf(dark).of(hue === null ? { tone: 'grey' } : { hue }, 0)
