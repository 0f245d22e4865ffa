import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import {
  type ArrangementRow,
  holidayLight,
  type Scene,
  sceneKind,
  USUAL_SECONDS,
} from '@zhuguan/contract/features/screens/arrangements.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { CodeField, NumberField, OneField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { Lines } from '../../kit/form/Lines.tsx'
import { type Draft, type Fields, type RowIn, useForm } from '../../kit/form/useForm.ts'
import { useStores } from './useBoardStores.ts'

import './screens.css'

const FRESH: Scene = { kind: 'figures', seconds: USUAL_SECONDS, words: '', from: null, to: null }
const HINTS: Partial<Record<Scene['kind'], string>> = {
  figures: '在建、今日到场人数、本月完工',
  now: '今天在施工的小区和阶段，只到小区',
  case: '业主同意上屏的案例，最新 8 套轮着放',
  rail: '业主同意上屏的家，一天一张，像电影一样放；最新 3 套',
  craft: '每道工序现在有几家在做、通常几天',
  praise: '业主同意公开的评价',
  alarms: '按类型计数，没有照片；只能放内部屏幕',
  ranking: '各分公司工地整洁；只能放内部屏幕',
}

type Row = RowIn<BodyOf<typeof arrangementsApi.add>, 'scenes'>
/** What is said of a scene, by its kind. */
function SceneFields({ row }: { row: Fields<Row> }) {
  const { kind } = row.values
  return (
    <>
      <CodeField of={row} name="kind" codes={sceneKind} />
      <NumberField of={row} name="seconds" unit="秒" />
      {kind === sceneKind.code.notice && (
        <div className="scene-notice">
          <TextField of={row} name="words" label="通知" example="周六店庆，到店有礼" />
          <DayField of={row} name="from" label="从（不填即刻）" />
          <DayField of={row} name="to" label="至（不填不停）" />
        </div>
      )}
      {kind === sceneKind.code.rings && (
        <TextField of={row} name="words" label="中间的小区（不填为工地最多的）" example="金色海岸" />
      )}
      {kind && HINTS[kind] && <p className="quiet scene-hint">{HINTS[kind]}</p>}
    </>
  )
}
/** Scenes are ordered by dragging their grip, with Alt and the arrow keys, or by buttons. */
const LINES = {
  drag: true,
  columns: '150px 110px minmax(0, 1fr)',
  fresh: () => ({ ...FRESH }),
  title: (row: Draft<Row>, at: number) => `第 ${at + 1} 个场景 ${row.kind ? sceneKind.label(row.kind) : ''}`,
  sums: (rows: readonly Draft<Row>[]) =>
    `${rows.length} 个场景，一轮 ${rows.reduce((n, r) => n + (r.seconds ?? 0), 0)} 秒`,
}
const OPENS = { example: '08:30', hint: '不填一直亮着' }
const CLOSES = { example: '21:00', hint: '在此之外屏幕调暗' }

/** Made or changed; somebody who was faster is told, and both versions are here. */
export default function ArrangementDrawer({ row, ...p }: DrawerProps & { row: ArrangementRow | null }) {
  return row ? <EditDrawer {...p} row={row} /> : <AddDrawer {...p} />
}
const ALWAYS_LIT = { opens: null, closes: null, holidays: holidayLight.code.lit }
const SIZE = 'min(900px, 100vw)'
function AddDrawer(p: DrawerProps) {
  const stores = useStores()
  const start = { store_id: null, name: '', scenes: [{ ...FRESH }], ...ALWAYS_LIT }
  const form = useForm(arrangementsApi.add, start)
  return (
    <FormDrawer {...p} form={form} size={SIZE} title="新建编排" done="已新建，可以下发到屏幕">
      <TextField of={form} name="name" example="前厅日常" />
      <OneField
        of={form}
        name="store_id"
        options={stores.map((s) => ({ value: s.id, label: `${s.name}（${s.bc_name}）` }))}
      />
      <Lines {...LINES} of={form} name="scenes">
        {(row) => <SceneFields row={row} />}
      </Lines>
      <div className="scene-hours">
        <TextField of={form} name="opens" {...OPENS} />
        <TextField of={form} name="closes" {...CLOSES} />
        <CodeField of={form} name="holidays" codes={holidayLight} label="日历上的假日" />
      </div>
    </FormDrawer>
  )
}
function EditDrawer({ row, ...p }: DrawerProps & { row: ArrangementRow }) {
  const form = useForm(arrangementsApi.edit, null, {
    latest: async () => {
      const { closes, holidays, id, name, opens, scenes, version } = await call(arrangementsApi.details, {
        query: { id: row.id },
      })
      return { id, version, name, scenes, opens, closes, holidays }
    },
  })
  const done = row.screens > 0 ? `已保存，${row.screens} 块屏幕马上跟着换` : '已保存'
  return (
    <FormDrawer {...p} form={form} size={SIZE} title={`编排 ${row.name}`} done={done}>
      <TextField of={form} name="name" />
      <Lines {...LINES} of={form} name="scenes">
        {(row) => <SceneFields row={row} />}
      </Lines>
      <div className="scene-hours">
        <TextField of={form} name="opens" {...OPENS} />
        <TextField of={form} name="closes" {...CLOSES} />
        <CodeField of={form} name="holidays" codes={holidayLight} label="日历上的假日" />
      </div>
    </FormDrawer>
  )
}
