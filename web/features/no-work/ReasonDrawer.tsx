import { useQuery } from '@tanstack/react-query'
import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import {
  LONGEST_REASON,
  type NoWorkRow,
  type StopChoices,
  stopReason,
} from '@zhuguan/contract/features/no-work/no-work.record.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { CodeField, OneField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'

const DAY = 86_400
type Props = DrawerProps & { site: NoWorkRow }

/** The reason why the site stands still and until when, in a code and the clerk's own words. */
export default function ReasonDrawer(p: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: [noWorkApi.choices.path, p.site.id, p.site.version],
    queryFn: ({ signal }) => call(noWorkApi.choices, { query: { id: p.site.id } }, signal),
  })
  if (error) return <Failed error={error} again={() => void refetch()} />
  return data ? <Reasoning {...p} choices={data} /> : null
}

type Named = StopChoices['orders']
type Code = (typeof stopReason.values)[number]
const { material, owner } = stopReason.code
const optionsOf = (list: Named) => list.map((o) => ({ value: o.id, label: o.words }))
/** One alone is the one. */
const only = (list: Named) => (list.length === 1 ? list[0]!.id : null)

function Reasoning({ site, choices, ...p }: Props & { choices: StopChoices }) {
  const { id, version, reason, remark, order, until } = site
  const { orders, questions } = choices
  const form = useForm(noWorkApi.reason, {
    id,
    version,
    reason,
    order_id: reason === material ? (order?.id ?? null) : null,
    question_id: reason === owner ? only(questions) : null,
    until: reason && until,
    remark,
  })
  const { reason: chosen } = form.values
  const today = dayOf(nowSeconds())
  /** Until what is named is there, where that has a day of its own; nobody chose it, so it follows the choice. */
  const holding = (code: Code, list: Named, named: string | null) => ({
    until: list.find((n) => n.id === named)?.until ?? choices.until[code],
  })
  function follow(code: Code) {
    const order_id = code === material && !choices.toOrder ? only(orders) : null
    const question_id = code === owner ? only(questions) : null
    return { order_id, question_id, ...holding(code, [...orders, ...questions], order_id ?? question_id) }
  }
  return (
    <FormDrawer {...p} narrow form={form} title={`登记停工原因 · ${site.ws_name}`} done="已登记">
      <p className="quiet lead">
        已停工 {site.noWorkRun} 天（累计 {site.noWorkSum}{' '}
        天）。到期、复工，或者等的货到了、业主答复了，原因自动失效；时间线里仍可查到。
      </p>
      <CodeField of={form} name="reason" codes={stopReason} placeholder="选择原因" also={follow} />
      {chosen === material && orders.length > 0 && (
        <OneField
          of={form}
          name="order_id"
          options={optionsOf(orders)}
          clear={choices.toOrder}
          placeholder={choices.toOrder ? '还没有下单的不选' : '选择订单'}
          also={(named) => holding(material, orders, named)}
        />
      )}
      {chosen === material && orders.length === 0 && (
        <p className="quiet lead">
          {choices.toOrder
            ? '这个工地有商品还没有下单，球在下单员手里。'
            : '系统里没有在等的商品，请在备注里写明缺什么。'}
        </p>
      )}
      {chosen === owner &&
        (questions.length > 0 ? (
          <OneField
            of={form}
            name="question_id"
            options={optionsOf(questions)}
            placeholder="选择问题"
            also={(named) => holding(owner, questions, named)}
          />
        ) : (
          <p className="quiet lead">没有等业主决定的问题。先在业主页面“询问业主”，再登记业主原因。</p>
        ))}
      <DayField
        of={form}
        name="until"
        from={today}
        to={dayOf(nowSeconds() + LONGEST_REASON * DAY)}
        hint="过了这天还停着，就又算没有登记原因"
      />
      <TextField of={form} name="remark" rows={3} />
    </FormDrawer>
  )
}
