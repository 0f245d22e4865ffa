import { cruise, type ICruiseResult } from 'dependency-cruiser'

/** Who may import whom: a tree's floors, top first; nobody imports upward. Everything else here follows from this list. */
export const FLOORS: Record<string, readonly string[]> = {
  contract: ['(api|logs|pages|permissions|turns)\\.ts$', 'features/', 'kit/'],
  server: ['(main|cli)\\.ts$', 'app/', 'ingest/', 'features/', 'database/', 'kit/'],
  web: ['main\\.tsx$', 'app/', 'features/', 'parts/', 'kit/'],
}
const TREES = ['contract', 'server', 'web', 'simulator']
/** Stories, and what they are told with, may reach everywhere. */
const STORIES = '\\.test\\.tsx?$|^server/testing/'

interface Rule {
  name: string
  from: { path: string; pathNot?: string }
  to: { path: string; pathNot?: string | string[] }
}
const rule = (name: string, from: string, path: string, ...pathNot: string[]): Rule => ({
  name,
  from: { path: from, pathNot: STORIES },
  to: { path, ...(pathNot.length ? { pathNot } : {}) },
})

const upward = Object.entries(FLOORS).flatMap(([tree, floors]) =>
  floors.slice(1).map((floor, i) => {
    const above = floors.slice(0, i + 1).join('|')
    return rule(`upward in ${tree}: ${floor}`, `^${tree}/(${floor})`, `^${tree}/(${above})`)
  }),
)
export const RULES: readonly Rule[] = [
  ...upward,
  rule('contract stands alone', '^contract/', '^(server|web|simulator|tools|bench|e2e)/'),
  rule('server knows contract alone', '^server/', '^(web|simulator|tools|bench|e2e)/'),
  rule('web knows contract alone', '^web/', '^(server|simulator|tools|bench|e2e)/'),
  rule('simulator knows contract alone', '^simulator/', '^(server|web|tools|bench|e2e)/'),
  rule('kit knows no feature', '^(server|web)/kit/', '^contract/features/'),
  rule(
    'contract: another feature by its record alone',
    '^contract/features/([^/]+)/',
    '^contract/features/',
    '^contract/features/$1/',
    '(\\.record|quotations\\.(sum|compare))\\.ts$',
  ),
  rule(
    'server: another feature by reads or service alone',
    '^server/features/([^/]+)/',
    '^server/features/',
    '^server/features/$1/',
    '\\.(reads|service)\\.ts$',
  ),
  rule('web: never another feature', '^web/features/([^/]+)/', '^web/features/', '^web/features/$1/'),
]

export interface Arrow {
  from: string
  to: string
}
export interface Seen {
  modules: number
  arrows: Arrow[]
  /** `rule: from → to` */
  broken: string[]
}

/** Every import of the trees under a folder, type imports too, and the rules that are broken. */
export async function look(baseDir: string, trees: readonly string[] = TREES): Promise<Seen> {
  const { output } = await cruise(
    [...trees],
    {
      baseDir,
      exclude: { path: '(^|/)(node_modules|dist|data)/' },
      parser: 'swc',
      tsPreCompilationDeps: true,
      validate: true,
      ruleSet: { forbidden: RULES.map((r) => ({ ...r, severity: 'error' as const })) },
    },
    { extensions: ['.ts', '.tsx', '.mjs'] },
  )
  const { modules, summary } = output as ICruiseResult
  return {
    modules: modules.length,
    arrows: modules.flatMap((m) => m.dependencies.map((d) => ({ from: m.source, to: d.resolved }))),
    broken: summary.violations.map((v) => `${v.rule.name}: ${v.from} → ${v.to}`),
  }
}

const feature = (path: string) => /^server\/features\/[^/]+/.exec(path)?.[0]
/** Circles of the server's feature folders, each as the way round. */
export function circles(arrows: readonly Arrow[]): string[] {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of arrows) {
    const [a, b] = [feature(from), feature(to)]
    if (a && b && a !== b && !new RegExp(STORIES).test(from)) next.set(a, (next.get(a) ?? new Set()).add(b))
  }
  const found: string[] = []
  const done = new Set<string>()
  const walk = (at: string, way: readonly string[]): void => {
    const begun = way.indexOf(at)
    if (begun >= 0) found.push([...way.slice(begun), at].join(' → '))
    if (begun >= 0 || done.has(at)) return
    for (const to of next.get(at) ?? []) walk(to, [...way, at])
    done.add(at)
  }
  for (const at of next.keys()) walk(at, [])
  return found
}
