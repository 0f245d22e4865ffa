import type { Tx } from '../../database/connect.ts'
import type { Call } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'
import { addCorrectionLog, type CorrectionChange, type LockedCorrection } from './corrections.queries.ts'

/** A change as everybody reads it: in its own log, on the site's timeline, in the journal and live. */
export async function tellChange(
  tx: Tx,
  call: Call,
  c: LockedCorrection,
  to: CorrectionChange,
  said: {
    label: string
    text: string
    pictures?: string[]
    followed?: Followed | undefined
    /** The person who has it from now on; the journal knows it by its own field. */
    whom?: string
  },
): Promise<void> {
  const { nickname: actor, tenant } = call.user
  const { label, text, pictures = [], whom = '', followed } = said
  await addCorrectionLog(tx, {
    tenant,
    id: call.newId(),
    correction: c.id,
    actor,
    action: label,
    text: text || whom,
    pictures,
  })
  tell(tx, call, {
    topic: c.source === 'alarm' ? 'alarm' : 'correction',
    bc: c.bc_id,
    site: c.site_id,
    id: c.id,
    except: c.hidden_from,
    line: { kind: 'correction', title: `${c.problem}：${label}`, picture: pictures[0] ?? null },
  })
  await logState(tx, call, c, {
    label,
    before: state(c),
    after: { ...state(to), ...(text ? { text } : {}) },
    followed,
  })
}

export const state = (c: { correctionStatus: number; step: string | null; assignee_id: string | null }) => ({
  correctionStatus: c.correctionStatus,
  step: c.step,
  assignee_id: c.assignee_id,
})
export interface Followed {
  before: { verdict: string }
  after: { verdict: string }
}
/** The journal knows an alarm as an alarm. */
export function logState(
  tx: Tx,
  call: Call,
  c: Pick<LockedCorrection, 'id' | 'source' | 'site_id' | 'problem'>,
  line: {
    label: string
    before?: ReturnType<typeof state>
    after: ReturnType<typeof state> & { text?: string }
    followed?: Followed | undefined
  },
) {
  const { before, after, followed, label } = line
  if (c.source === 'alarm')
    return call.log(tx, {
      action: label,
      object: 'alarm',
      objectId: c.id,
      before: { ...before, ...followed?.before },
      after: { ...after, ...followed?.after },
    })
  const about = { problem: c.problem, site_id: c.site_id, source: c.source }
  return call.log(tx, {
    action: label,
    object: 'correction',
    objectId: c.id,
    ...(before && { before: { ...about, ...before } }),
    after: { ...about, ...after },
  })
}
