import { useQuery } from '@tanstack/react-query'
import { payMethod } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import { owedKind, type StatementRow } from '@zhuguan/contract/features/statements/statements.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { Input } from 'antd'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField, OwnField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import type { OpenedStatement } from './useStatementActions.ts'

const today = () => dayOf(nowSeconds())

export default function StatementDrawers({ kind, statement, ...p }: DrawerProps & OpenedStatement) {
  return kind === 'pay' ? <Pay {...p} of={statement} /> : <Dispute {...p} of={statement} />
}

function Pay({ of: s, ...p }: DrawerProps & { of: StatementRow }) {
  const isOwedBack = s.open.startsWith('-')
  const open = s.open.replace('-', '')
  const form = useForm(statementsApi.pay, {
    id: s.id,
    version: s.version,
    amount: open,
    method: 'transfer',
    paidOn: today(),
    payee: isOwedBack ? s.bc_name : s.receiverName,
    remark: '',
  })
  const what = isOwedBack ? '收款' : '付款'
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`登记${what} ${s.code} ${s.receiverName}`}
      done={({ code }) => ({ text: `${what} ${code} 已记账` })}
    >
      <p>
        应付 <b>{grouped(s.due)}</b> 元，已付 <b>{grouped(s.paid)}</b> 元，
        {isOwedBack ? '对方应付我方' : '未付'} <b>{grouped(open)}</b> 元
      </p>
      <TextField of={form} name="amount" label={`${what}金额（元）`} focus />
      <ChoiceField of={form} name="method" codes={payMethod} />
      <DayField of={form} name="paidOn" to={today()} />
      <TextField of={form} name="payee" />
      <TextField of={form} name="remark" rows={2} />
      <p className="quiet lead">记下后不能修改；记错了用冲销更正。</p>
    </FormDrawer>
  )
}

/** Against single lines: each that is not agreed to says why. */
function Dispute({ of: s, ...p }: DrawerProps & { of: StatementRow }) {
  const form = useForm(statementsApi.dispute, { id: s.id, version: s.version, lines: [], reason: '' })
  const { data } = useQuery({
    queryKey: [statementsApi.details.path, s.id],
    queryFn: ({ signal }) => call(statementsApi.details, { query: { id: s.id } }, signal),
  })
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`对账单异议 ${s.code}`}
      ok="提出异议"
      done="已提出异议，等下单方修改后重发"
    >
      <OwnField of={form} name="lines" label="哪些行不对？在不对的行写明原因">
        {(lines, put) => (
          <table className="plain-table objections">
            <tbody>
              {(data?.lines ?? []).map((l) => {
                const said = lines?.find((o) => o.id === l.id)?.words ?? ''
                return (
                  <tr key={l.id}>
                    <td>{dayOf(l.at).slice(5)}</td>
                    <td className="statement-name">
                      {(l.kind !== owedKind.code.accepted || !l.name) && <b>{owedKind.label(l.kind)} </b>}
                      {l.name} <small>{l.detail}</small> {l.quantity && `${l.quantity} ${l.unit}`} {l.words}
                    </td>
                    <td className="right">{grouped(l.amount)}</td>
                    <td>
                      <Input
                        aria-label={`${l.name || l.words} 的异议`}
                        value={said}
                        maxLength={200}
                        placeholder="没有异议留空"
                        onChange={(e) => {
                          const others = (lines ?? []).filter((o) => o.id !== l.id)
                          put(e.target.value ? [...others, { id: l.id, words: e.target.value }] : others)
                        }}
                      />
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        )}
      </OwnField>
      <TextField of={form} name="reason" label="总的说明" rows={2} />
    </FormDrawer>
  )
}
