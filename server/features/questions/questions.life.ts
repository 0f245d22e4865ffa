import { int4, row } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { follows, foreseen, type LivingSite, type SiteLife } from '../../kit/site-life.ts'
import type { Tx } from '../../kit/tx.ts'
import { lapseQuestions } from './questions.service.ts'
import { openOf } from './undecided.reads.ts'

async function openNow(tx: Tx, call: Call, site: LivingSite): Promise<number> {
  const { rows } = await tx.query('questions.open', row({ n: int4 }), `SELECT ${openOf('$2')} AS n`, [
    call.user.tenant,
    site.id,
  ])
  return rows[0]!.n
}
/** They go along into another branch; what nobody has decided when the site ends needs no decision any more. */
export const questionsLife: SiteLife = {
  ...follows('questions'),
  ending: {
    async foresee(tx, call, site) {
      const open = await openNow(tx, call, site)
      return foreseen([open > 0 && `${open} 个待业主决定的问题由系统撤回`])
    },
    async end(tx, call, site, how) {
      await lapseQuestions(tx, call, site.id, how === 'finish' ? '工地完工' : '工地终止')
    },
  },
}
