import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { callForBytes } from '../../kit/api.ts'
import DayRange from '../../kit/list/DayRange.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { saveAs } from '../../kit/save.ts'

const RULES = [
  '不选日期，打印现在这位业主的全部互动；换过业主的，选到从前的日期，打印当时那位业主的。',
  '电话号码隐去中间四位，照片带您的姓名水印，每次打印都会记入操作日志。',
]
/** From which day to which a thread is printed. */
export default function PrintDrawer({
  site_id,
  name,
  onClose,
}: {
  site_id: string
  name: string
  onClose: () => void
}) {
  const [[from, to], setDays] = useState<[string | undefined, string | undefined]>([undefined, undefined])
  const print = {
    key: 'print',
    label: '打印成 PDF',
    run: async () => {
      const file = await callForBytes(threadsApi.print, { query: { site_id, from, to } })
      saveAs(file, `互动记录-${name}.pdf`)
    },
  }
  return (
    <Drawer
      open
      title="打印互动记录"
      size="min(420px, 100vw)"
      onClose={onClose}
      footer={<RowActions bar actions={[print]} onDone={onClose} />}
    >
      <p>打印哪些天</p>
      <DayRange
        label="打印哪些天"
        open={false}
        from={from}
        to={to}
        seconds={false}
        onChange={(a, b) => setDays([a, b])}
      />
      {RULES.map((rule) => (
        <p key={rule} className="quiet">
          {rule}
        </p>
      ))}
    </Drawer>
  )
}
