import {
  contractAttribute,
  type LineFacts,
  type QuotationContent,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'

import { dropDraft, keepDraft, readDraft } from '../../parts/drafts.ts'
import type { Line, Written } from './document.ts'

/** Unsaved entries, with what they were begun from: a closed tab loses nothing. */
export interface Unsaved {
  version: number
  base: QuotationContent
  written: Written
}

function bare(line: LineFacts): LineFacts {
  const { cost: _, ...rest } = line
  return rest
}
/** Costs never stay in the browser. */
const withoutCosts = ({ version, base, written }: Unsaved): Unsaved => ({
  version,
  base: { ...base, lines: base.lines.map(bare) },
  written: { ...written, lines: written.lines.map((line) => ({ ...line, cost: null })) },
})
/** The costs again as the server has told them now. */
export function withCosts({ version, base, written }: Unsaved, lines: readonly Line[], seesCosts: boolean) {
  const costs = new Map(lines.map((line) => [line.id, line.cost]))
  const costOf = ({ id }: { id: string }) => costs.get(id) ?? null
  const says = (line: LineFacts) => seesCosts && line.contractAttribute === contractAttribute.code.special
  return {
    version,
    base: {
      ...base,
      lines: base.lines.map((line) => (says(line) ? { ...line, cost: costOf(line) } : line)),
    },
    written: { ...written, lines: written.lines.map((line) => ({ ...line, cost: costOf(line) })) },
  }
}

export const readUnsaved = (id: string, user: string): Promise<Unsaved | undefined> => readDraft(user, id)
export const keepUnsaved = (id: string, user: string, unsaved: Unsaved): Promise<void> =>
  keepDraft(user, id, withoutCosts(unsaved))
export const dropUnsaved = (id: string, user: string): Promise<void> => dropDraft(user, id)
