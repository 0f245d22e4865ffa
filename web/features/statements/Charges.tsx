import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import {
  chargeKind,
  type ChargeRow,
  chargeSide,
} from '@zhuguan/contract/features/statements/statements.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'

import { call } from '../../kit/api.ts'
import { RowActions } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

/** Lines by hand that wait for the examiner: in no sum yet. */
export function Charges({ list, onDone }: { list: readonly ChargeRow[]; onDone: () => void }) {
  const actor = useActor()
  if (list.length === 0) return null
  return (
    <div className="screen-only">
      <h3>待审核的手工行（审核通过后计入应付）</h3>
      <table className="plain-table">
        <tbody>
          {list.map((c) => (
            <tr key={c.id}>
              <td>{c.code}</td>
              <td>{chargeKind.label(c.kind)}</td>
              <td className="statement-name">{c.reason}</td>
              <td>{c.madeBy}</td>
              <td className="right">
                {c.side === chargeSide.code.take && '-'}
                {grouped(c.amount)}
              </td>
              <td>
                {c.made_by === actor.id && (
                  <RowActions
                    actions={[
                      {
                        key: 'withdraw',
                        label: '撤回',
                        reason: true,
                        run: (reason) =>
                          call(statementsApi.withdrawCharge, {
                            body: { id: c.id, version: c.version, reason },
                          }),
                      },
                    ]}
                    onDone={onDone}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
