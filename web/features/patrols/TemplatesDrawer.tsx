import { useQuery } from '@tanstack/react-query'
import { templateActions } from '@zhuguan/contract/features/patrols/patrols.actions.ts'
import { patrolTemplatesApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import { type TemplateRow, templateStatus } from '@zhuguan/contract/features/patrols/plans.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import { NumberField, SwitchField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { Lines } from '../../kit/form/Lines.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { Granted } from '../../parts/granted.tsx'
import { BranchField } from '../../parts/pickFields.tsx'
import { useBranches } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'

import './patrols.css'

/** The subjects of patrols: every template that the reader may use. */
export default function TemplatesDrawer({ onClose, onDone }: DrawerProps) {
  const actor = useActor()
  const several = useBranches().length > 1
  const [opened, setOpened] = useState<{ template: TemplateRow | null } | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [patrolTemplatesApi.list.path],
    queryFn: ({ signal }) => call(patrolTemplatesApi.list, {}, signal),
  })
  const again = () => {
    void refetch()
    onDone()
  }
  const one = (t: TemplateRow) => ({ body: { id: t.id, version: t.version } })
  return (
    <Drawer open title="模板管理" size="min(720px, 100vw)" onClose={onClose}>
      <div className="templates-head">
        <p className="quiet">模板改动只影响之后开始的巡检，已经开始的保留原来的检查项。</p>
        <Granted needs="patrol:template">
          <button className="button primary" onClick={() => setOpened({ template: null })}>
            新增模板
          </button>
        </Granted>
      </div>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data?.length === 0 && <p className="quiet">还没有模板。</p>}
      <ul className="templates" aria-busy={!data && !error}>
        {data?.map((t) => (
          <li key={t.id}>
            <header>
              <b>{t.name}</b>
              <small>{t.bc_id ? t.bc_name : '集团通用'}</small>
              <State tone={t.status === templateStatus.code.active ? 'ok' : 'grey'}>
                {templateStatus.label(t.status)}
              </State>
              <small>{t.plans ? `${t.plans} 个计划在用` : '没有计划在用'}</small>
              {(t.bc_id !== null || several) && (
                <RowActions
                  actions={actionsOf(templateActions, t, actor, {
                    edit: { open: () => setOpened({ template: t }) },
                    stop: { run: () => call(patrolTemplatesApi.stop, one(t)) },
                    start: { run: () => call(patrolTemplatesApi.start, one(t)) },
                  })}
                  onDone={again}
                />
              )}
            </header>
            <p className="quiet">{t.items.map((i) => `${i.title}${i.photo ? '（拍照）' : ''}`).join('、')}</p>
          </li>
        ))}
      </ul>
      {opened && <TemplateDrawer {...opened} onClose={() => setOpened(null)} onDone={again} />}
    </Drawer>
  )
}

const FRESH = { title: '', hint: '', weight: 1, photo: true }
const factsOf = ({ id, version, name, items }: TemplateRow) => ({ id, version, name, items })
function TemplateDrawer({ template, ...p }: DrawerProps & { template: TemplateRow | null }) {
  return template ? <EditTemplate {...p} template={template} /> : <AddTemplate {...p} />
}
function AddTemplate(p: DrawerProps) {
  const form = useForm(patrolTemplatesApi.add, { name: '', bc_id: null, items: [FRESH] })
  return (
    <FormDrawer {...p} form={form} title="新增巡检模板" done={() => ({ text: `${form.values.name} 已新增` })}>
      <TextField of={form} name="name" example="油工阶段" />
      <BranchField of={form} name="bc_id" clear placeholder="集团通用" />
      <Items of={form} />
    </FormDrawer>
  )
}
function EditTemplate({ template, ...p }: DrawerProps & { template: TemplateRow }) {
  const latest = () =>
    call(patrolTemplatesApi.list, {}).then((all) =>
      factsOf(all.find((t) => t.id === template.id) ?? template),
    )
  const form = useForm(patrolTemplatesApi.edit, factsOf(template), { latest })
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`编辑 ${template.name}`}
      done={() => ({ text: `${form.values.name} 已保存` })}
    >
      <TextField of={form} name="name" />
      <Items of={form} />
    </FormDrawer>
  )
}
function Items({
  of,
}: {
  of: Fields<BodyOf<typeof patrolTemplatesApi.add | typeof patrolTemplatesApi.edit>>
}) {
  return (
    <Lines
      of={of}
      name="items"
      fresh={() => FRESH}
      columns="1fr 1.6fr 72px 84px"
      title={(row, at) => row.title || `第 ${at + 1} 项`}
    >
      {(row) => (
        <>
          <TextField of={row} name="title" />
          <TextField of={row} name="hint" />
          <NumberField of={row} name="weight" />
          <SwitchField of={row} name="photo" words={['拍照', '不拍']} />
        </>
      )}
    </Lines>
  )
}
