/** Numbers of PostgreSQL's advisory locks: of those that do the same kind of work, one waits for the other. */
export const LOCKS = {
  /** The login of a session that migrates, restores or takes in a group. */
  migration: 724_000,
  // 724_001: the order of live messages, taken by a trigger (0001).
  log: 724_002,
  roles: 724_003,
  settings: 724_004,
  offer: 724_005,
  // 724_009: databases of stories.
  pieces: 724_010,
  statements: 724_011,
  recordings: 724_012,
  imports: 724_013,
  views: 724_014,
  links: 724_015,
} as const
