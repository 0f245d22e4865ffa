import { useQuery } from '@tanstack/react-query'
import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { filmOf } from '@zhuguan/contract/features/cases/cases.film.ts'
import {
  type CaseRow,
  caseScope,
  caseWhere,
  MOST_PICTURES,
} from '@zhuguan/contract/features/cases/cases.record.ts'
import { consentAnswer, consentHow } from '@zhuguan/contract/features/consents/consents.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField, ManyField, OneField, OwnField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { SiteField } from '../../parts/pickFields.tsx'
import { PictureField } from '../../parts/PictureFields.tsx'
import type { Asking } from './useCaseActions.ts'

const DAY = 86_400
const USUAL_DAYS = 365
type Kinds = Asking | { kind: 'add'; site_id: string | null }

/** Loaded with the first drawer that is opened. */
export default function CaseDrawers({ onClose, onDone, ...asked }: DrawerProps & Kinds) {
  const p = { onClose, onDone }
  switch (asked.kind) {
    case 'add':
      return <AddDrawer {...p} site_id={asked.site_id} />
    case 'edit':
      return <EditWhole {...p} of={asked.of} />
    case 'ask':
      return <AskDrawer {...p} of={asked.of} />
    default:
      return <AnswerWhole {...p} of={asked.of} />
  }
}

/** Pictures of the site, chosen by clicking; those that are chosen stand first in the case's story by their day. */
function Choose({
  site_id,
  value,
  put,
}: {
  site_id: string
  value: readonly string[]
  put: (keys: string[]) => void
}) {
  const { data, error, refetch } = useQuery({
    queryKey: [casesApi.possible.path, site_id],
    queryFn: ({ signal }) => call(casesApi.possible, { query: { site_id } }, signal),
  })
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <p className="quiet" aria-busy="true" />
  if (data.length === 0)
    return <p className="quiet">这个工地还没有巡检或整洁度照片；业主换过的，只用新业主之后的照片。</p>
  const toggle = (key: string) =>
    put(value.includes(key) ? value.filter((k) => k !== key) : [...value, key].slice(0, MOST_PICTURES))
  // The days of a film are spread over all of it, where they are more than a case has room for.
  const film = filmOf(data.filter((p) => p.camera))
  const step = Math.max(1, (film.length - 1) / (MOST_PICTURES - 1))
  const days = [...new Set(film.map((_, i) => Math.min(film.length - 1, Math.round(i * step))))]
  const daily = days.map((i) => film[i]!.key)
  return (
    <>
      <p className="quiet">
        已选 {value.length} 张，最多 {MOST_PICTURES} 张；同一摄像头的选一早一晚，可以前后对比
        {daily.length > 0 && (
          <>
            ；
            <button type="button" className="text-button" onClick={() => put(daily)}>
              选同一机位一天一张（{daily.length} 张，可连成时间轴）
            </button>
          </>
        )}
      </p>
      <div className="case-choose">
        {data.map((p) => (
          <button
            key={p.key}
            type="button"
            aria-pressed={value.includes(p.key)}
            aria-label={`${p.day} ${p.stage ? siteStage.label(p.stage) : ''} ${p.camera}`}
            onClick={() => toggle(p.key)}
          >
            <Picture plain picture={p.key} caption={p.day} width="100%" size="thumb" />
            <small>
              {p.day.slice(5)} {p.stage && siteStage.label(p.stage)}
            </small>
          </button>
        ))}
      </div>
    </>
  )
}

function AddDrawer({ site_id, ...p }: DrawerProps & { site_id: string | null }) {
  const form = useForm(casesApi.add, { site_id, title: '', words: '', pictures: [] })
  const site = form.values.site_id
  return (
    <FormDrawer {...p} form={form} title="从工地生成案例" done="已生成，接着给照片打码">
      {!site_id && <SiteField of={form} name="site_id" />}
      <TextField of={form} name="title" example="南北通透的三居室" focus />
      <TextField of={form} name="words" rows={4} example="不写门牌号、电话、业主姓名和具体造价" />
      {site && (
        <OwnField of={form} name="pictures" label="照片">
          {(value, put) => <Choose site_id={site} value={value ?? []} put={put} />}
        </OwnField>
      )}
    </FormDrawer>
  )
}

const useWhole = (of: CaseRow) =>
  useQuery({
    queryKey: [casesApi.details.path, of.id, of.version],
    queryFn: ({ signal }) => call(casesApi.details, { query: { id: of.id } }, signal),
  })
type Of = DrawerProps & { of: CaseRow }

function EditWhole(p: Of) {
  const { data } = useWhole(p.of)
  return data ? <EditDrawer {...p} words={data.words} keys={data.pictures.map((x) => x.source)} /> : null
}
function EditDrawer({ of: k, words, keys, ...p }: Of & { words: string; keys: string[] }) {
  const form = useForm(casesApi.edit, {
    id: k.id,
    version: k.version,
    title: k.title,
    words,
    pictures: keys,
  })
  return (
    <FormDrawer {...p} form={form} title="编辑案例" done="已保存">
      <TextField of={form} name="title" />
      <TextField of={form} name="words" rows={4} example="不写门牌号、电话、业主姓名和具体造价" />
      <OwnField of={form} name="pictures" label="照片（去掉的，打好的码一起删除）">
        {(value, put) => <Choose site_id={k.site_id} value={value ?? []} put={put} />}
      </OwnField>
    </FormDrawer>
  )
}

/** A stream cannot be masked: nobody is asked for one (docs/decisions/0666). */
const ASKED = caseScope.options.filter((o) => o.value !== caseScope.code.live)
function AskDrawer({ of: k, ...p }: Of) {
  const today = dayOf(nowSeconds())
  const form = useForm(casesApi.ask, {
    id: k.id,
    version: k.version,
    scope: [caseScope.code.photos],
    places: [caseWhere.code.store],
    until: dayOf(nowSeconds() + USUAL_DAYS * DAY),
  })
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`征求业主同意：${k.title}`}
      done="已放到业主自己的页面上"
      ok="征求"
    >
      <p className="quiet lead">
        业主在自己的页面上看到的就是将来公开的：标题、文字、{k.released}{' '}
        张打好码的照片，和下面选的内容。没有选的不会公开。
      </p>
      <ManyField of={form} name="scope" options={ASKED} />
      <ManyField of={form} name="places" options={caseWhere.options} />
      <DayField of={form} name="until" from={today} hint="到期自动不再公开，要续须重新征求" />
    </FormDrawer>
  )
}

function AnswerWhole(p: Of) {
  const { data } = useWhole(p.of)
  return data ? <AnswerDrawer {...p} contacts={data.contacts} /> : null
}
function AnswerDrawer({
  of: k,
  contacts,
  ...p
}: Of & { contacts: readonly { id: string; name: string; signatory: boolean }[] }) {
  const form = useForm(casesApi.answer, {
    id: k.id,
    version: k.version,
    contact_id: contacts[0]?.id ?? null,
    answer: null,
    how: null,
    answeredOn: dayOf(nowSeconds()),
    proof: null,
  })
  return (
    <FormDrawer {...p} narrow form={form} title={`登记业主答复：${k.title}`} done="已登记">
      <p className="quiet lead">
        请把公开内容（{k.scope.map(caseScope.label).join('、')}）、场合（
        {k.places.map(caseWhere.label).join('、')}）和到期日 {k.until}{' '}
        念给本人，照片给本人看过。已经被别人截屏保存的，撤回以后也追不回来，这一句也要说。
      </p>
      <OneField
        of={form}
        name="contact_id"
        options={contacts.map((c) => ({ value: c.id, label: `${c.name}${c.signatory ? '（业主）' : ''}` }))}
      />
      <ChoiceField of={form} name="answer" codes={consentAnswer} />
      <ChoiceField
        of={form}
        name="how"
        codes={{ options: consentHow.options.filter((o) => o.value !== consentHow.code.electronic) }}
      />
      <DayField of={form} name="answeredOn" to={dayOf(nowSeconds())} />
      <PictureField of={form} name="proof" caption="业主答复的凭证" />
    </FormDrawer>
  )
}
