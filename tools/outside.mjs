/**
 * What the outside PostgreSQL is asked with every push. The rule: a story stands here if another version, another owner
 * or another locale of the database could change what it shows; what only the product decides is told once, on the
 * embedded one. `ALL_STORIES=1 npm test` (nightly) tells there what is left, too. tools/structure/outside.test.ts keeps
 * the list honest.
 */
export const OUTSIDE = [
  {
    why: 'migrations, roles and their rules, poolers, room, backup and restore: what an operator has of a database',
    files: [
      'server/database/',
      'server/app/directories.test.ts',
      'server/app/installation.test.ts',
      'server/app/move-tenant.test.ts',
      'server/app/reach.test.ts',
      'server/app/retention.test.ts',
      'server/app/upgrade.test.ts',
      'server/cli.test.ts',
    ],
  },
  {
    why: 'locks and turns: who waits for whom, and what two see of each other',
    files: [
      'server/app/jobs.test.ts',
      'server/app/planned-once.test.ts',
      'server/app/repeats.test.ts',
      'server/app/taken-names.test.ts',
      'server/features/alarms/moved-camera.test.ts',
      'server/features/exports/cancel.test.ts',
      'server/features/goods/interleaved.test.ts',
      'server/features/owners/looks-end.test.ts',
      'server/ingest/move-while-reporting.test.ts',
      'server/ingest/stored-once.test.ts',
      'server/ingest/storing.test.ts',
    ],
  },
  {
    why: 'NOTIFY: what is told and in which order',
    files: ['server/app/live-order.test.ts', 'server/app/live-rows.test.ts', 'server/app/live.test.ts'],
  },
  {
    why: 'plans: which index is taken, how many rows are read and how often the database is asked',
    files: [
      'server/app/far-pages.test.ts',
      'server/features/attendance/growth.test.ts',
      'server/features/home/round-trips.test.ts',
      'server/features/search/search-index.test.ts',
      'server/features/userlogs/log-size.test.ts',
      'server/ingest/late-events.test.ts',
    ],
  },
  {
    why: 'orders of text and numbers: lists, cells, sums to the cent, imports',
    files: [
      'server/features/attendance/first-page.test.ts',
      'server/features/contracts/receipts.test.ts',
      'server/features/exports/typed-cells.test.ts',
      'server/features/imports/imports.test.ts',
      'server/features/products/products.test.ts',
      'server/features/rankings/rankings.test.ts',
      'server/features/statistics/figures.test.ts',
    ],
  },
  {
    why: 'days and zones: midnight, the 29th of February, days off',
    files: [
      'server/app/months.test.ts',
      'server/features/attendance/nights.test.ts',
      'server/features/attendance/site-days.test.ts',
      'server/features/orders/promises.test.ts',
      'server/features/settings/business-time.test.ts',
      'server/features/settings/calendar.test.ts',
    ],
  },
]

/** Stories for which it makes no difference which database answers: they are told once, also nightly. */
export const ONCE = [
  {
    why: 'a backup of the database that comes along, put back by programs of their own',
    files: ['server/app/erased-restored.test.ts'],
  },
  { why: 'no record is looked for', files: ['server/kit/', 'tools/openapi/', 'server/app/gate.test.ts'] },
  {
    why: 'who may make a call is known before its record; whose records it may touch is told on both',
    files: ['server/app/authorization-roles.test.ts'],
  },
  {
    why: 'a company’s sign-in that does not answer',
    files: ['server/features/session/slow-provider.test.ts'],
  },
  {
    why: 'bytes that flow through, fast or slow, from a gateway, a browser and the store of files',
    files: [
      'server/features/streams/',
      'server/features/files/slow-reader.test.ts',
      'server/app/slow-senders.test.ts',
    ],
  },
  {
    why: 'it brings databases of its own',
    files: ['server/database/replica.test.ts', 'server/start-stop.test.ts'],
  },
]
/** They open a connection of their own, but only to look or to spoil: nightly is enough. */
export const LOOKS = ['server/bundle.test.ts', 'server/demo-cut-off.test.ts', 'server/killed-call.test.ts']
export const filesOf = (list) => list.flatMap(({ files }) => files)
/** What vitest is told: which files, and which not. */
export const outside = (all) => ({
  only: all ? [] : filesOf(OUTSIDE),
  not: filesOf(ONCE).map((file) => (file.endsWith('/') ? `${file}**` : file)),
})
