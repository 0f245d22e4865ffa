import { OWNERS } from '../database/owners.ts'

/**
 * Tables that are no tenant's, and why they may be. Everything else is one tenant's, and every statement about it says
 * whose (docs/decisions/0181).
 */
export const SHARED: Readonly<Record<string, string>> = {
  tenants: 'the list of tenants',
  account_names: 'the directory: a name finds its tenant',
  serial_numbers: 'the directory: a number finds its tenants',
  backups: 'when the installation was last kept whole',
  demo_answers: 'of a demo that is being made',
  demo_steps: 'of a demo that is being made',
  device_nonces: 'by device ids, which are random; only a release before 156 writes it',
  device_receipts: 'by device ids, which are random; only a release before 156 writes it',
  device_seen: 'by a digest of a device’s id and what it said',
  hearing: 'when somebody listened: the machine’s own',
  installation: 'which key the installation works with',
  jobs: 'what a night of the installation has done',
  login_failures: 'counted before anybody knows who it is',
  oidc_states: 'begun before anybody knows who it is',
  screen_codes: 'shown before anybody knows whose it will be',
  schema_migrations: 'the schema’s own',
}
const TENANTED = new Set(
  Object.values(OWNERS)
    .flat()
    .filter((table) => !(table in SHARED)),
)

/**
 * How a statement says whose rows it is about, by its worst relation: `said` by one value, `joined` only by another
 * relation, `many` by a list of rows that may be several tenants', `none` not at all.
 */
const GRADES = ['said', 'joined', 'many', 'none'] as const
type Grade = (typeof GRADES)[number]
const worse = (a: Grade, b: Grade): boolean => GRADES.indexOf(a) > GRADES.indexOf(b)

const WORD =
  'ON|SET|WHERE|ORDER|GROUP|LIMIT|LEFT|RIGHT|INNER|CROSS|JOIN|UNION|FOR|USING|VALUES|SELECT|AS|RETURNING|OFFSET'
const RELATION = new RegExp(
  String.raw`\b(FROM|JOIN|UPDATE|USING|INTO)\s+(?:ONLY\s+)?([a-z_]+)\b(?!\s*\.)` +
    String.raw`(?:\s+(?:AS\s+)?(?!(?:${WORD}|HAVING|WITH|DO|AND|OR)\b)([a-z_][a-z_0-9]*))?`,
  'gi',
)
const VALUE = String.raw`\(?\s*(?:SELECT\s+)?\$\d+`

function gradeOfRelation(
  text: string,
  into: boolean,
  table: string,
  alias: string,
  others: Set<string>,
): Grade {
  const finds = (pattern: string) => new RegExp(pattern, 'i').test(text)
  if (finds(String.raw`\b${alias}\.tenant_id\s*=\s*${VALUE}`)) return 'said'
  if (into && finds(String.raw`\bINTO ${table}\b[^(]*\([^)]*\btenant_id\b`)) return 'said'
  const isAlone = alias === table || others.size === 1
  if (isAlone && finds(String.raw`(?<![.\w])tenant_id\s*=\s*${VALUE}`)) return 'said'
  const pairs = [
    ...text.matchAll(new RegExp(String.raw`\b${alias}\.tenant_id\s*=\s*(\w+)\.\w+`, 'gi')),
    ...text.matchAll(new RegExp(String.raw`\b(\w+)\.tenant_id\s*=\s*${alias}\.tenant_id`, 'gi')),
  ].map(([, other]) => other!)
  if (pairs.some((other) => others.has(other))) return 'joined'
  if (finds(String.raw`\bUSING \(tenant_id\b`)) return 'joined'
  return pairs.length ? 'many' : 'none'
}

/** By the words alone, so an approximation: it may take a statement for better or worse where one alias means two. */
export function gradeOf(written: string): Grade {
  const text = written.replace(/--[^\n]*/g, ' ').replace(/\s+/g, ' ')
  const relations = [...text.matchAll(RELATION)]
    .filter(([, , table]) => TENANTED.has(table!))
    .map(([, word, table, alias]) => ({ into: /into/i.test(word!), table: table!, alias: alias ?? table! }))
  const aliases = new Set(relations.map(({ alias }) => alias))
  return relations
    .map(({ into, table, alias }) => gradeOfRelation(text, into, table, alias, aliases))
    .reduce<Grade>((worst, grade) => (worse(grade, worst) ? grade : worst), 'said')
}

/** Statements of the stories themselves, and of the seed, which tells what nobody lived. */
export const OF_STORIES = /^(test|rls|reach|demo|seed)\.|\.explain$/
/**
 * Who is calling: a token, a name, an address, a company account, a serial number and a wall’s cookie find their
 * tenant; for ever.
 */
const LOOKUPS = [
  'session.access',
  'session.accesses',
  // The same text, of one person of one tenant.
  'session.accessofperson',
  'session.account',
  'identities.account',
  'ingest.device',
  'signin.networks',
  'screens.bearer',
  // A number of a request finds its group; whoever works at the machine says no group.
  'cli.person',
]
const CHANGES_SCHEMA = /\bensure_months\(|^\s*(CREATE|DROP|ALTER)\b/i
/** A month is opened in a transaction that writes: a database over several machines would not have it. */
const OPENS_MONTHS = ['clock.months', 'ingest.months', 'makeup.month']

/** How far a statement is from saying whose rows it is about; those that may be are not. */
export const owes = (family: string, text: string): number =>
  OF_STORIES.test(family) || LOOKUPS.includes(family) ? 0 : GRADES.indexOf(gradeOf(text))
/** Tables made or altered in a transaction of people's or devices' work. */
export const changesSchema = (family: string, text: string): boolean =>
  !OF_STORIES.test(family) && !OPENS_MONTHS.includes(family) && CHANGES_SCHEMA.test(text)
