import { personActions } from '@zhuguan/contract/features/persons/persons.actions.ts'
import { personsApi } from '@zhuguan/contract/features/persons/persons.api.ts'
import type { PersonRow } from '@zhuguan/contract/features/persons/persons.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call, callForBytes } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { saveAs } from '../../kit/save.ts'
import { useActor } from '../../parts/session.ts'

export type Revealed = readonly { name: string; phone: string }[]

/** What this person may do to a request. */
export function usePersonActions({
  verify,
  revealed,
}: {
  verify: (r: PersonRow) => void
  revealed: (r: PersonRow, names: Revealed) => void
}): (r: PersonRow) => RowAction[] {
  const actor = useActor()
  return (r) => {
    const one = { id: r.id, version: r.version }
    return actionsOf(personActions, r, actor, {
      verify: { open: () => verify(r) },
      refuse: {
        confirm: `驳回 ${r.no}，本人会问到理由，请写明`,
        run: (reason) => call(personsApi.refuse, { body: { ...one, reason } }),
      },
      execute: {
        confirm: `删除 ${r.no} ${r.name} 的个人信息：删掉的找不回来，从备份恢复以后也会再删一次。要保留的见详情`,
        run: () => call(personsApi.execute, { body: one }),
      },
      collect: {
        run: async () =>
          saveAs(await callForBytes(personsApi.collect, { query: { id: r.id } }), `个人信息-${r.no}.pdf`),
      },
      reveal: {
        confirm: `查看 ${r.no} 受限的联系方式，请写明用途，会记入日志`,
        run: async (reason) => revealed(r, await call(personsApi.reveal, { body: { id: r.id, reason } })),
      },
    })
  }
}
