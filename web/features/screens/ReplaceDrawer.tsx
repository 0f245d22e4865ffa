import { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'
import { screenKind, type ScreenRow } from '@zhuguan/contract/features/screens/screens.record.ts'

import { TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { AskingBrowser } from './AskingBrowser.tsx'

import './screens.css'

/** A wall that has lost its cookie, or another box in its place. */
export default function ReplaceDrawer({ row, ...p }: DrawerProps & { row: ScreenRow }) {
  const form = useForm(screensApi.replace, { id: row.id, version: row.version, code: '' })
  return (
    <FormDrawer {...p} narrow form={form} title={`替换 ${row.name}`} done="已替换，原来的浏览器不能再播">
      <p className="quiet">
        名称、{row.storeName}、{screenKind.label(row.kind)}和编排都不变；原来的那台马上失去画面。
      </p>
      <TextField of={form} name="code" upper focus hint="新屏幕上的 6 位字母和数字" />
      <AskingBrowser code={String(form.values.code ?? '')} />
    </FormDrawer>
  )
}
