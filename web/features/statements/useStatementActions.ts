import { statementActions } from '@zhuguan/contract/features/statements/statements.actions.ts'
import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import type { StatementRow } from '@zhuguan/contract/features/statements/statements.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

export interface OpenedStatement {
  kind: 'dispute' | 'pay'
  statement: StatementRow
}
/** What this person may do to a statement. */
export function useStatementActions(open: (o: OpenedStatement) => void): (s: StatementRow) => RowAction[] {
  const actor = useActor()
  return (statement) => {
    const one = { id: statement.id, version: statement.version }
    const what = `${statement.receiverName} ${statement.month} 对账单`
    return actionsOf(statementActions, statement, actor, {
      send: {
        confirm: `把${what}（应付 ${statement.due} 元）发给对方确认？发出以后新的往来记入下一期`,
        run: () => call(statementsApi.send, { body: one }),
      },
      drop: {
        confirm: `作废${what}？编号保留，往来可以重新对账`,
        run: (reason) => call(statementsApi.drop, { body: { ...one, reason } }),
      },
      recall: {
        confirm: `撤回${what}？对方还没有答复`,
        run: (reason) => call(statementsApi.recall, { body: { ...one, reason } }),
      },
      agree: {
        confirm: `确认${what}应付 ${statement.due} 元？确认以后双方都不能再改`,
        run: () => call(statementsApi.agree, { body: one }),
      },
      dispute: { open: () => open({ kind: 'dispute', statement }) },
      revise: {
        confirm: `修改${what}？回到草稿，改好以后再发出`,
        run: () => call(statementsApi.revise, { body: one }),
      },
      pay: { open: () => open({ kind: 'pay', statement }) },
    })
  }
}
