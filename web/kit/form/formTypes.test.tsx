import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { cancelReason } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { companiesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { stagesApi } from '@zhuguan/contract/features/sites/stages.api.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { workerSex } from '@zhuguan/contract/features/workers/workers.record.ts'
import type { BodyOf, DataOf } from '@zhuguan/contract/kit/api.ts'
import { expect, test } from 'vitest'

import { PersonField } from '../../parts/pickFields.tsx'
import { PicturesField } from '../../parts/PictureFields.tsx'
import { LinkTo } from '../LinkTo.tsx'
import { DayField } from './DayField.tsx'
import { ChoiceField, CodeField, ManyField, NumberField, SwitchField, TextField } from './fields.tsx'
import { FormDrawer } from './FormDrawer.tsx'
import { Lines } from './Lines.tsx'
import { type BodyEndpoint, type Form, useForm } from './useForm.ts'

type Of<E extends BodyEndpoint> = Form<BodyOf<E>, DataOf<E>>
const outside = { onClose() {}, onDone() {} }

const site = (form: Of<typeof sitesApi.edit>) => [
  <TextField of={form} name="ws_name" />,
  // @ts-expect-error the call takes no such name
  <TextField of={form} name="wsName" />,
  <DayField of={form} name="plannedStart" />,
  // @ts-expect-error a version is no text
  <TextField of={form} name="version" />,
  <NumberField of={form} name="version" />,
  // @ts-expect-error a name is no number
  <NumberField of={form} name="ws_name" />,
  // @ts-expect-error a site has no switch of this name
  <SwitchField of={form} name="address" words={['是', '否']} />,
  form.set({ community: '江南里' }),
  // @ts-expect-error a text is wanted
  form.set({ community: 7 }),
  // @ts-expect-error the call takes no such name
  form.set({ town: '江南里' }),
  form.values.area,
  // @ts-expect-error no field has it
  form.values.size,
]
const worker = (form: Of<typeof workersApi.add>) => [
  <CodeField of={form} name="w_type" codes={workerType} />,
  // @ts-expect-error codes of another field
  <CodeField of={form} name="w_type" codes={siteStage} />,
  // @ts-expect-error sexes are fewer than trades
  <ChoiceField of={form} name="w_sex" codes={workerType} />,
  <ChoiceField of={form} name="w_sex" codes={workerSex} />,
]
/** The person who adds and who edits has the same fields; a name that one of the two lacks is none. */
const either = (form: Of<typeof workersApi.add | typeof workersApi.edit>) => [
  <TextField of={form} name="w_name" />,
  // @ts-expect-error a number is given once, an edit cannot change it
  <TextField of={form} name="w_id" />,
]
const company = (form: Of<typeof companiesApi.add>) => [
  <SwitchField of={form} name="receivesOrders" words={['接单', '不接单']} />,
  <NumberField of={form} name="lng" />,
  // @ts-expect-error a place on the map is a number
  <TextField of={form} name="lng" />,
]
const alarm = (form: Of<typeof alarmsApi.submit>, cancel: Of<typeof alarmsApi.cancel>) => [
  <PicturesField of={form} name="pictures" caption="整改照片" />,
  // @ts-expect-error a text is no list of pictures
  <PicturesField of={form} name="text" caption="整改照片" />,
  // @ts-expect-error a text is no list
  <ManyField of={form} name="text" options={[]} />,
  <CodeField of={cancel} name="cause" codes={cancelReason} />,
  // @ts-expect-error nobody is named in a cancellation
  <PersonField of={cancel} name="assignee_id" />,
]
const plan = (form: Of<typeof stagesApi.plan>) => [
  <Lines of={form} name="stages" columns="1fr" title={(row) => String(row.stage)}>
    {(row) => [
      <DayField of={row} name="plannedStart" />,
      // @ts-expect-error no row has it
      <DayField of={row} name="actualStart" />,
    ]}
  </Lines>,
  // @ts-expect-error a version is no list of rows
  <Lines of={form} name="version" columns="1fr" title={String}>
    {() => null}
  </Lines>,
  // @ts-expect-error a fresh row has the names of a row
  <Lines of={form} name="stages" columns="1fr" title={String} fresh={() => ({ stages: null })}>
    {() => null}
  </Lines>,
]
function Forms() {
  const one = { id: '1', version: 1 }
  const fine = useForm(alarmsApi.assign, { ...one, assignee_id: null })
  // @ts-expect-error what the call needs is not named
  useForm(alarmsApi.assign, { ...one })
  // @ts-expect-error the call takes no such name
  useForm(alarmsApi.assign, { ...one, assignee_id: null, person_id: null })
  // @ts-expect-error a person is named by an id
  useForm(alarmsApi.assign, { ...one, assignee_id: 7 })
  // @ts-expect-error nothing of this name can be asked for
  useForm(alarmsApi.assign, { ...one, assignee_id: null }, { need: ['reason'] })
  // @ts-expect-error a list has no body to fill in
  useForm(alarmsApi.list, {})
  const added = useForm(companiesApi.add, null)
  return [
    <FormDrawer {...outside} form={fine} title="指派" done="已指派">
      {null}
    </FormDrawer>,
    <FormDrawer {...outside} form={added} title="新增" done={({ id }) => ({ text: id })}>
      {null}
    </FormDrawer>,
    // @ts-expect-error the answer has no such field
    <FormDrawer {...outside} form={added} title="新增" done={({ code }) => ({ text: String(code) })}>
      {null}
    </FormDrawer>,
    <LinkTo page="SiteInfo" query={{ id: '1' }} />,
    // @ts-expect-error there is no such page
    <LinkTo page="SiteInfos" />,
  ]
}

test('what the compiler refused above is all there is to see: the parts exist under these names', () => {
  for (const part of [site, worker, either, company, alarm, plan, Forms]) expect(part).toBeDefined()
})
