import { rankingsApi } from '@zhuguan/contract/features/rankings/rankings.api.ts'
import { weightedReason, type WeightRow } from '@zhuguan/contract/features/rankings/rankings.record.ts'
import { useState } from 'react'

import { NumberField, ReasonField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'

type Props = DrawerProps & { branch: string; weight: WeightRow; onDone: () => void }

/** By hand, or learning again. */
export default function WeightDrawer(p: Props) {
  const [freeing, setFreeing] = useState(false)
  const choice = p.weight.pinned && (
    <span className="switch lead" role="group" aria-label="怎样定">
      {[false, true].map((free) => (
        <button key={String(free)} aria-pressed={freeing === free} onClick={() => setFreeing(free)}>
          {free ? '恢复学习' : '改固定值'}
        </button>
      ))}
    </span>
  )
  return freeing ? <Freeing {...p} choice={choice} /> : <Fixing {...p} choice={choice} />
}
type Part = Props & { choice: React.ReactNode }

function Fixing({ branch, weight, choice, ...p }: Part) {
  const { reason: kind, version } = weight
  const form = useForm(rankingsApi.setWeight, {
    bc_id: branch,
    kind,
    version,
    weight: weight.weight,
    reason: '',
  })
  return (
    <FormDrawer {...p} narrow form={form} title={`权重：${weightedReason.label(kind)}`} done="已固定">
      {choice}
      <p className="quiet lead">固定以后不再按效果学习，直到恢复学习。从明天早上的名单起生效。</p>
      <NumberField of={form} name="weight" hint="0.2–3，1 为一般" />
      <ReasonField of={form} name="reason" example="隐蔽工程必须看" />
    </FormDrawer>
  )
}
function Freeing({ branch, weight, choice, ...p }: Part) {
  const { reason: kind, version } = weight
  const form = useForm(rankingsApi.freeWeight, { bc_id: branch, kind, version, reason: '' })
  return (
    <FormDrawer {...p} narrow form={form} title={`恢复学习：${weightedReason.label(kind)}`} done="已恢复学习">
      {choice}
      <p className="quiet lead">从现在的 {weight.weight.toFixed(2)} 起，每周按效果小步调整。</p>
      <ReasonField of={form} name="reason" example="先固定过，看看效果" />
    </FormDrawer>
  )
}
