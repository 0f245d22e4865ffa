import type { Link } from '@zhuguan/contract/links.ts'

import type { Call } from './serve.ts'
import type { Tx } from './tx.ts'

export interface LivingSite {
  id: string
  ws_name: string
  bc_id: string
  manager_id: string | null
  steward_id: string | null
}
export interface Branch {
  bc_id: string
  bc_name: string
}
/** What a change will do, in words, and what must go first. */
export interface Foreseen {
  effects: string[]
  blocks: string[]
  /** The part of it that is done only for a reason that somebody gives. */
  reasons: string[]
  /** The part of it that goes on after a handover and is handed to who is named for that, with the list of it. */
  later: { words: string; link: Link }[]
}
export const foreseen = (
  effects: (string | false)[],
  blocks: (string | false)[] = [],
  reasons: (string | false)[] = [],
  later: (Foreseen['later'][number] | false)[] = [],
): Foreseen => ({
  effects: effects.filter((line) => line !== false),
  blocks: blocks.filter((line) => line !== false),
  reasons: reasons.filter((line) => line !== false),
  later: later.filter((one) => one !== false),
})

/** A finished site leaves nothing open; one that is terminated may. */
export type SiteEnd = 'finish' | 'terminate'
/** 售后: who answers for a home after it was handed over. */
export interface Aftercare {
  id: string
  nickname: string
}

/**
 * What one feature keeps of a site takes part in the site's life: it goes along when the site changes its branch and is
 * settled when the site ends, in the same transaction; or it says what must go first. Whoever asks is told in words before.
 */
export interface SiteLife extends Partial<SiteKeeping> {
  /** Tables whose rows of a site always carry the branch in which it stands. */
  goesAlong?: readonly string[]
  moving?: {
    foresee(tx: Tx, call: Call, site: LivingSite, to: Branch): Promise<Foreseen>
    move(tx: Tx, call: Call, site: LivingSite, to: Branch): Promise<void>
  }
  ending?: {
    foresee(tx: Tx, call: Call, site: LivingSite, how: SiteEnd): Promise<Foreseen>
    end(tx: Tx, call: Call, site: LivingSite, how: SiteEnd, aftercare: Aftercare | null): Promise<void>
  }
}

/** Hears who keeps a site from now on. */
export interface SiteKeeping {
  keeping(tx: Tx, call: Call, site: string, person: string): Promise<void>
}
/** Ends what is kept of a site with it. */
export interface SiteEnding {
  end(
    tx: Tx,
    call: Call,
    site: LivingSite,
    how: SiteEnd,
    reason: string,
    aftercare?: Aftercare | null,
  ): Promise<void>
}

/** Rows that carry the branch of their site and have nothing to say about it: they always belong where the site is. */
export const follows = (
  ...tables: readonly string[]
): SiteLife & Required<Pick<SiteLife, 'goesAlong' | 'moving'>> => ({
  goesAlong: tables,
  moving: {
    foresee: async () => foreseen([]),
    async move(tx, call, site, to) {
      for (const table of tables)
        await tx.run(
          'site.follows',
          `UPDATE ${table} SET bc_id = $3 WHERE tenant_id = $1 AND site_id = $2 AND bc_id <> $3`,
          [call.user.tenant, site.id, to.bc_id],
        )
    },
  },
})
