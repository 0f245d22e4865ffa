import { useQuery } from '@tanstack/react-query'
import { keepingApi } from '@zhuguan/contract/features/keeping/keeping.api.ts'
import { KEPT_SETTINGS } from '@zhuguan/contract/features/settings/keeping-settings.ts'
import { type SettingKey, type SettingRow } from '@zhuguan/contract/features/settings/settings.record.ts'
import { type ReactNode, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { chosen } from './SettingLine.tsx'

const AskDialog = lazyPart(() => import('../../kit/AskDialog.tsx'))

/** The days that a draft would keep, where they are fewer than now. */
function fewer(s: SettingRow, draft: unknown): number | undefined {
  const days = chosen(s, draft)
  return KEPT_SETTINGS.includes(s.key) && draft !== undefined && Number(days) < Number(s.value)
    ? Number(days)
    : undefined
}

/** The rows that go in the coming night with fewer days that are not saved yet; nothing for other settings. */
export function goesTonight(p: { setting: SettingRow; draft: unknown; bcId: string }) {
  const days = fewer(p.setting, p.draft)
  return days === undefined ? undefined : <GoesTonight setting={p.setting.key} days={days} bcId={p.bcId} />
}
function GoesTonight({ setting, days, bcId }: { setting: SettingKey; days: number; bcId: string }) {
  const body = { bcId: bcId || undefined, values: { [setting]: days } }
  const { data, error } = useQuery({
    queryKey: [keepingApi.foresee.path, body],
    queryFn: ({ signal }) => call(keepingApi.foresee, { body }, signal),
    placeholderData: (before) => before,
  })
  if (error) return <>{error.message}</>
  return <span aria-busy={!data}>{data?.[0]?.says ?? '正在数今晚会删除多少…'}</span>
}

interface Asked {
  says: readonly string[]
  answer: (agreed: boolean) => void
}
/** Before fewer days are saved somebody is told how much goes tonight, and says yes or no. */
export function useShorter(p: {
  bcId: string
  settings: readonly SettingRow[]
  draft: Partial<Record<SettingKey, unknown>>
}): { agreed: () => Promise<boolean>; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null)
  const asking = useRef(false)
  async function agreed(): Promise<boolean> {
    const values = Object.fromEntries(
      p.settings.flatMap((s) => {
        const days = fewer(s, p.draft[s.key])
        return days === undefined ? [] : [[s.key, days]]
      }),
    )
    if (Object.keys(values).length === 0) return true
    if (asking.current) return false
    asking.current = true
    try {
      const going = await call(keepingApi.foresee, { body: { bcId: p.bcId || undefined, values } })
      const says = going.filter((g) => g.n > 0).map((g) => g.says)
      return says.length === 0 || (await new Promise<boolean>((answer) => setAsked({ says, answer })))
    } finally {
      asking.current = false
      setAsked(null)
    }
  }
  const dialog = asked && (
    <AskDialog
      action={{
        key: 'shorter',
        label: '保存',
        danger: true,
        confirm: `${asked.says.join('；')}。删除以后找不回来，确定保存吗？`,
      }}
      busy={false}
      onCancel={() => asked.answer(false)}
      onOk={() => asked.answer(true)}
    />
  )
  return { agreed, dialog }
}
