interface Part {
  why: string
  files: string[]
}
/** What the outside PostgreSQL is asked with every push, and what it is never asked (outside.mjs). */
export const OUTSIDE: Part[]
export const ONCE: Part[]
export const LOOKS: string[]
export function filesOf(parts: Part[]): string[]
