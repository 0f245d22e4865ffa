import { useQuery } from '@tanstack/react-query'
import { personsApi } from '@zhuguan/contract/features/persons/persons.api.ts'
import {
  personAsk,
  type PersonFound,
  personKind,
  type PersonKind,
} from '@zhuguan/contract/features/persons/persons.record.ts'
import { DatePicker, Select } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { ChoiceField, OwnField, PickField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { Picture } from '../../kit/Picture.tsx'
import { findSites } from '../../parts/places.tsx'

import './persons.css'

const { visitor } = personKind.code
const saidOf = (p: PersonFound) => ({
  value: p.id,
  label: [p.name, p.phone, p.about].filter(Boolean).join(' · '),
})

/** A visitor has no name: who it was is chosen by site, day and picture. */
function VisitPick({ value, onPick }: { value: string | null; onPick: (id: string) => void }) {
  const [site, setSite] = useState<string>()
  const [day, setDay] = useState<string>()
  const { data: known } = useQuery({
    queryKey: ['person-sites'],
    queryFn: () => findSites(''),
  })
  const [found, setFound] = useState<Awaited<ReturnType<typeof findSites>>>()
  const { data: people } = useQuery({
    queryKey: [personsApi.find.path, site, day],
    enabled: !!site && !!day,
    queryFn: ({ signal }) =>
      call(personsApi.find, { query: { kind: visitor, site_id: site!, day: day! } }, signal),
  })
  return (
    <div className="visit-pick">
      <Select
        aria-label="工地"
        className="wide"
        placeholder="输入名称查找工地"
        virtual={false}
        showSearch={{ filterOption: false, onSearch: (text) => void findSites(text).then(setFound) }}
        options={found ?? known ?? []}
        value={site}
        onChange={setSite}
      />
      <DatePicker
        aria-label="日期"
        placeholder="来访日期"
        onChange={(_, text) => setDay(typeof text === 'string' ? text : undefined)}
      />
      {people?.length === 0 && <p className="quiet">这一天这个工地没有留下来访照片。</p>}
      <ul>
        {people?.map((p) => (
          <li key={p.id}>
            <label>
              <input type="radio" name="visit" checked={value === p.id} onChange={() => onPick(p.id)} />
              {p.picture && <Picture picture={p.picture} caption={p.about} />}
            </label>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The person who asks for what, as somebody of ours writes it down. */
export default function AddDrawer(p: DrawerProps) {
  const form = useForm(personsApi.add, {
    ask: personAsk.code.erase,
    kind: personKind.code.owner,
    subject_id: '',
    words: '',
  })
  const kind = form.values.kind as PersonKind
  return (
    <FormDrawer {...p} form={form} title="登记个人信息请求" done="已登记，已通知可以核实的人">
      <ChoiceField of={form} name="ask" codes={personAsk} />
      <ChoiceField of={form} name="kind" codes={personKind} />
      {kind === visitor ? (
        <OwnField of={form} name="subject_id" label="哪一次来访">
          {(value, put) => <VisitPick value={value || null} onPick={put} />}
        </OwnField>
      ) : (
        <PickField
          key={kind}
          of={form}
          name="subject_id"
          label="本人"
          hint="为防止翻找，要输入完整的姓名或电话"
          find={async (keyword) =>
            keyword ? (await call(personsApi.find, { query: { kind, keyword } })).map(saidOf) : []
          }
          nameOf={() => Promise.resolve(undefined)}
        />
      )}
      <TextField of={form} name="words" rows={3} example="本人来电，要求删除全部信息，约好来店签字" />
    </FormDrawer>
  )
}
