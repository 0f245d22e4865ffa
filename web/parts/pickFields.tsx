import { useEffect } from 'react'

import type { Look } from '../kit/form/Field.tsx'
import { OneField, PickField } from '../kit/form/fields.tsx'
import type { Draft, Fields, TextName } from '../kit/form/useForm.ts'
import { type Does, findPeople, findSites, personOf, siteOf, useBranches } from './places.tsx'
import { findWorkers, workerOf } from './workers.tsx'

interface Props<B> extends Look {
  of: Fields<B>
  name: TextName<B>
}
export const SiteField = <B,>(p: Props<B>) => <PickField {...p} find={findSites} nameOf={siteOf} />
/** A worker; those on a site come first. */
export const WorkerField = <B,>({ site, ...p }: Props<B> & { site?: string }) => (
  <PickField {...p} find={(text) => findWorkers(text, site)} nameOf={workerOf} />
)
/** People of a post, of those who may see a site. */
export const PersonField = <B,>({
  site,
  bc,
  post,
  correct,
  ...p
}: Props<B> & {
  site?: string
  bc?: string
  post?: number
  correct?: Does
}) => <PickField {...p} find={(text) => findPeople(text, { site, post, bc, correct })} nameOf={personOf} />
/** A branch; who sees only one has it chosen already. */
export function BranchField<B>({
  but,
  clear,
  placeholder,
  ...p
}: Props<B> & {
  but?: string
  clear?: boolean
  placeholder?: string
  /** The other fields that change with the branch. */
  also?: (id: string) => Draft<B>
}) {
  const branches = useBranches().filter((b) => b.bc_id !== but)
  const { raw } = p.of
  const only = branches.length === 1 && !clear ? branches[0]!.bc_id : null
  useEffect(() => {
    if (only && !raw.get(p.name) && !raw.frozen) raw.preset(p.name, only)
  }, [only, raw.frozen])
  const options = branches.map((b) => ({ value: b.bc_id, label: b.bc_name }))
  return <OneField {...p} clear={clear} placeholder={placeholder} options={options} />
}
