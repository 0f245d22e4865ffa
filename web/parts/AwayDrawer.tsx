import { useQuery, useQueryClient } from '@tanstack/react-query'
import { absencesApi } from '@zhuguan/contract/features/users/absences.api.ts'
import { type AbsenceRow, absenceState } from '@zhuguan/contract/features/users/absences.record.ts'

import { call } from '../kit/api.ts'
import { DayField } from '../kit/form/DayField.tsx'
import { PickField } from '../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../kit/form/useForm.ts'
import { Failed } from '../kit/list/ListPage.tsx'
import { message } from '../kit/notices.ts'
import { State } from '../kit/State.tsx'
import { dayOf, full, nowSeconds } from '../kit/time.ts'

import './away.css'

interface Person {
  id: string
  nickname: string
}
const { away, coming } = absenceState.code
const labelOf = (p: { id: string; nickname: string; post: string }) => ({
  value: p.id,
  label: p.post ? `${p.nickname}（${p.post}）` : p.nickname,
})

/** From when to when somebody is away and who stands in: one's own, or of a person whose account one may edit. */
export default function AwayDrawer({ of, ...p }: DrawerProps & { of?: Person }) {
  return of ? <Theirs {...p} of={of} /> : <Mine {...p} />
}

const said = (text: string, warning: string) => ({ text: warning ? `${text}；${warning}` : text })
const today = () => dayOf(nowSeconds())
const when = () => ({ from: today(), to: null, deputy_id: null })

function Mine(p: DrawerProps) {
  const form = useForm(absencesApi.away, when())
  const list = useAbsences([absencesApi.mine.path], () => call(absencesApi.mine, {}))
  return (
    <FormDrawer
      onClose={p.onClose}
      onDone={list.refresh}
      form={form}
      title="我不在"
      ok="登记"
      done={({ warning }) => said('已登记，这几天新的工作和提醒交给代班人', warning)}
    >
      <Told who="您" />
      <Days
        form={form}
        since={form.values.from ?? today()}
        find={(keyword) => call(absencesApi.myDeputies, { query: { keyword } })}
      />
      <Absences list={list} end={(a) => call(absencesApi.back, { body: a })} />
    </FormDrawer>
  )
}

function Theirs({ of, onClose, onDone }: DrawerProps & { of: Person }) {
  const user_id = of.id
  const form = useForm(absencesApi.set, { ...when(), user_id })
  const list = useAbsences(
    [absencesApi.list.path, user_id],
    () => call(absencesApi.list, { query: { user_id } }),
    onDone,
  )
  return (
    <FormDrawer
      onClose={onClose}
      onDone={list.refresh}
      form={form}
      title={`${of.nickname} 不在`}
      ok="登记"
      done={({ warning }) => said(`已登记，这几天 ${of.nickname} 新的工作和提醒交给代班人`, warning)}
    >
      <Told who={of.nickname} />
      <Days
        form={form}
        since={form.values.from ?? today()}
        find={(keyword) => call(absencesApi.deputies, { query: { user_id, keyword } })}
      />
      <Absences list={list} end={(a) => call(absencesApi.end, { body: a })} />
    </FormDrawer>
  )
}

const Told = ({ who }: { who: string }) => (
  <p className="quiet lead">
    这几天新的工作、提醒和升级交给代班人；代班人看不到的工地，交给下一级，最后是分公司总经理。{who}
    已有的工作仍然在自己的列表里，期限照走。
  </p>
)

interface When {
  from: string
  to: string
  deputy_id: string
}
function Days({
  form,
  since,
  find,
}: {
  form: Fields<When>
  since: string
  find: (keyword: string) => Promise<{ id: string; nickname: string; post: string }[]>
}) {
  return (
    <>
      <div className="pair">
        <DayField of={form} name="from" />
        <DayField of={form} name="to" from={since} />
      </div>
      <PickField
        of={form}
        name="deputy_id"
        hint="本分公司或集团里看得到这些工地、权限也够的同事，看得到最多的在前"
        find={(keyword) => find(keyword).then((rows) => rows.map(labelOf))}
        nameOf={(id) => find('').then((rows) => rows.filter((r) => r.id === id).map(labelOf)[0])}
      />
    </>
  )
}

function useAbsences(key: readonly string[], load: () => Promise<AbsenceRow[]>, changed?: () => void) {
  const client = useQueryClient()
  const query = useQuery({ queryKey: key, queryFn: load })
  const refresh = () => {
    changed?.()
    return client.invalidateQueries({ queryKey: key })
  }
  return { ...query, refresh }
}

/** What is and what comes, with a way to end it, before what was. */
function Absences({
  list,
  end,
}: {
  list: ReturnType<typeof useAbsences>
  end: (a: { id: string; version: number }) => Promise<null>
}) {
  if (list.error) return <Failed error={list.error} again={() => void list.refetch()} />
  if (!list.data?.length) return null
  const finish = ({ id, version }: AbsenceRow, said: string) =>
    void end({ id, version }).then(
      () => {
        message.success(said)
        return list.refresh()
      },
      (e: Error) => message.error(e.message),
    )
  return (
    <>
      <h3>登记过的</h3>
      <ol className="absences">
        {list.data.map((a) => (
          <li key={a.id}>
            <span>
              <b>{a.from === a.to ? a.from : `${a.from} 至 ${a.to}`}</b> 由 {a.deputyName} 代
              <small>
                {a.enteredBy} {full(a.enteredAt)} 登记
                {a.endedAt !== null && `，${a.endedBy} ${full(a.endedAt)} 结束`}
              </small>
            </span>
            <State tone={a.state === away ? 'wait' : 'grey'}>{absenceState.label(a.state)}</State>
            {a.state === away && (
              <button
                type="button"
                className="text-button"
                onClick={() => finish(a, '已回来，新的工作不再交给代班人')}
              >
                回来了
              </button>
            )}
            {a.state === coming && (
              <button type="button" className="text-button" onClick={() => finish(a, '已取消')}>
                取消
              </button>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
