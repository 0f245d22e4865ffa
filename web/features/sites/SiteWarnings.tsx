import {
  deviationWords,
  warningKind,
  warningLevel,
  type WarningRow,
  warningRule,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'

import { Fact } from '../../kit/Facts.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { State, type Tone } from '../../kit/State.tsx'

const { important, urgent } = warningLevel.code
const TONE: Partial<Record<WarningRow['level'], Tone>> = { [important]: 'wait', [urgent]: 'bad' }

/** Beside a stage: what is wrong with it, each a link to its record. */
export function StageWarnings({ warnings }: { warnings: readonly WarningRow[] }) {
  return warnings.map((w) => (
    <LinkTo key={w.id} page="WarningList" query={{ id: w.id }}>
      <span
        title={`${warningLevel.label(w.level)}：${warningRule.label(w.rule)}，${deviationWords(w.rule, w.deviation)}`}
      >
        <State tone={TONE[w.level] ?? 'grey'}>预警</State>
      </span>
    </LinkTo>
  ))
}

/** The number of each kind that a site has. */
export function WarningsFact({ site_id, warnings }: { site_id: string; warnings: readonly WarningRow[] }) {
  const kinds = warningKind.options
    .map((o) => ({ ...o, n: warnings.filter((w) => w.kind === o.value).length }))
    .filter(({ n }) => n > 0)
  if (kinds.length === 0) return null
  return (
    <Fact name="预警">
      {kinds.map((k) => (
        <LinkTo key={k.value} page="WarningList" query={{ site_id, kind: k.value, state: 'open,handling' }}>
          {`${k.label} ${k.n} 条 `}
        </LinkTo>
      ))}
    </Fact>
  )
}
