import { useQuery, useQueryClient } from '@tanstack/react-query'
import { keepingApi } from '@zhuguan/contract/features/keeping/keeping.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import {
  type SettingKey,
  SETTING_KEYS,
  SETTING_RULES,
  type SettingRow,
  SETTINGS,
} from '@zhuguan/contract/features/settings/settings.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { DatedDay } from '@zhuguan/contract/kit/calendar.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { Button, Select } from 'antd'
import { useState } from 'react'

import { ApiError, call } from '../../kit/api.ts'
import { withControls } from '../../kit/Controls.tsx'
import { useLeaving } from '../../kit/form/useLeaving.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { usePage, useParam } from '../../kit/page.tsx'
import { useBranches } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { useLogLink } from '../../parts/useLogLink.ts'
import { exampleOf } from './example.ts'
import { KeptKinds } from './KeptKinds.tsx'
import { backWord, chosen, SettingLine, words } from './SettingLine.tsx'
import { goesTonight, useShorter } from './Shorter.tsx'
import { wrongNumber } from './typed.ts'
import { wouldWarn } from './WouldWarn.tsx'

import './settings.css'

const ChannelsDrawer = lazyPart(() => import('./ChannelsDrawer.tsx'))

type Draft = Partial<Record<SettingKey, unknown>>
/** Of what was typed and is not saved: why it cannot be. */
function wrongOf(draft: Draft, branch: boolean): Partial<Record<SettingKey, string>> {
  const told = SETTING_KEYS.map((k) => [k, wrongNumber(k, draft[k], backWord(branch))] as const)
  return Object.fromEntries(told.filter(([, why]) => why !== undefined))
}

const nothing = (bcId: string): { bcId: string; draft: Draft; seen: Draft } => ({ bcId, draft: {}, seen: {} })
const valuesOf = (settings: readonly SettingRow[]): Draft =>
  Object.fromEntries(settings.map((s) => [s.key, s.value]))

/** A branch's own settings, those it takes from the group, and what each of them steers. */
function SetSelfPage() {
  const page = usePage()
  const client = useQueryClient()
  const actor = useActor()
  const logLink = useLogLink()
  const branches = useBranches()
  const bcId = useParam('bcId') ?? (branches.length === 1 ? branches[0]!.bc_id : '')
  const key = [settingsApi.selectByBcId.path, bcId]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    enabled: page.active,
    queryFn: ({ signal }) => call(settingsApi.selectByBcId, { body: { bcId: bcId || undefined } }, signal),
  })
  const [kept, setKept] = useState<{ bcId: string; draft: Draft; seen: Draft }>(() => nothing(bcId))
  // What was changed for one branch is nothing to the next; a page that was hidden meanwhile has what it had.
  const { draft, seen } = kept.bcId === bcId ? kept : nothing(bcId)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const [channels, setChannels] = useState(false)
  const editable = !!data?.editable && hasPermission(actor, 'settings:edit')
  const changed = Object.keys(draft).length
  const log = logLink('setting', bcId)
  const wrong = wrongOf(draft, bcId !== '')
  // What cannot be saved says why, and nothing is foreseen of it.
  const sound = Object.fromEntries(Object.entries(draft).filter(([k]) => !(k in wrong))) as Draft
  const shorter = useShorter({ bcId, settings: data?.settings ?? [], draft: sound })
  async function save() {
    const [first] = Object.keys(wrong)
    if (first) {
      document.querySelector<HTMLElement>(`[id="set-${first}"]`)?.focus()
      return
    }
    setBusy(true)
    setErrors({})
    try {
      if (!(await shorter.agreed())) return
      const { warnings } = await call(settingsApi.update, {
        body: { bcId: bcId || undefined, values: draft, seen },
      })
      if (warnings.length) message.info(`已保存，请注意：${warnings.join('；')}`)
      else message.success('已保存，立即生效')
      setKept(nothing(bcId))
      await client.invalidateQueries({ queryKey: [settingsApi.selectByBcId.path] })
      await client.invalidateQueries({ queryKey: [keepingApi.kinds.path] })
    } catch (e) {
      const fields = e instanceof ApiError ? e.fields : {}
      setErrors(e instanceof ApiError && e.code === 409 ? await overtaken(fields) : fields)
      // What stands under its field is not said twice.
      if (Object.keys(fields).length === 0) message.error((e as Error).message)
    } finally {
      setBusy(false)
    }
  }
  /** Somebody else was faster: what stands there now is shown beside what was typed, and counts as seen. */
  async function overtaken(fields: Record<string, string>) {
    const { people, settings } = await call(settingsApi.selectByBcId, { body: { bcId: bcId || undefined } })
    const changed = settings.filter((s) => s.key in fields)
    setKept({ bcId, draft, seen: { ...seen, ...valuesOf(changed) } })
    await client.invalidateQueries({ queryKey: key })
    return Object.fromEntries(
      changed.map(({ key: k, value }) => [k, `${fields[k]}，现在是 ${words(k, value, people)}`]),
    )
  }
  function set(k: SettingKey, value: unknown) {
    const stood = data?.settings.filter((s) => s.key === k) ?? []
    setKept({ bcId, draft: { ...draft, [k]: value }, seen: { ...valuesOf(stood), ...seen } })
    setErrors(({ [k]: _done, ...others }) => others)
  }
  const meaning = bcId
    ? '没有单独设置的，跟随集团；集团也没有设置的，用系统默认'
    : '各分公司没有单独设置的，都按这里'
  const [to, setTo] = useState('')
  const show = (branch: string) =>
    page.go(`${page.path}${branch ? `?bcId=${branch}` : ''}`, { replace: true })
  const { leave, dialog } = useLeaving(changed > 0, () => show(to))
  function turnTo(branch: string) {
    setTo(branch)
    if (changed) leave()
    else show(branch)
  }
  const calendar = (settings: readonly SettingRow[]) => ({
    restDays: chosen(
      settings.find((s) => s.key === 'restDays')!,
      sound.restDays,
    ) as number[],
    inherited: bcId ? (settings.find((s) => s.key === 'calendar')!.inherited as DatedDay[]) : [],
  })
  /** What does not make sense together as it stands, whoever set each of the two. */
  const conflicts = (settings: readonly SettingRow[]): Partial<Record<SettingKey, string>> => {
    const value = (k: SettingKey) =>
      chosen(
        settings.find((s) => s.key === k)!,
        sound[k],
      )
    return Object.fromEntries(
      SETTING_RULES.filter((rule) => !rule.holds(value)).flatMap((rule) =>
        rule.keys.map((k) => [k, `${rule.says(value)}：${rule.why}`]),
      ),
    )
  }
  const together = data ? conflicts(data.settings) : {}
  const groups = [...new Set(SETTING_KEYS.map((k) => SETTINGS[k].group))]
  return (
    <section className="card settings-page">
      <div className="list-bar">
        <Select
          aria-label="分公司"
          className="settings-branch"
          value={bcId}
          onChange={turnTo}
          options={[
            ...(branches.length === 1 ? [] : [{ value: '', label: '集团（各分公司的默认）' }]),
            ...branches.map((b) => ({ value: b.bc_id, label: b.bc_name })),
          ]}
        />
        <span className="quiet grow settings-meaning">{data && !editable ? '只能查看' : meaning}</span>
        {hasPermission(actor, 'channel:edit') && (
          <button className="button" onClick={() => setChannels(true)}>
            消息通道
          </button>
        )}
        {log.map((l) => (
          <button key={l.key} className="button" onClick={l.open}>
            {l.label}
          </button>
        ))}
        {editable && (
          <>
            <Button disabled={!changed || busy} onClick={() => setKept(nothing(bcId))}>
              放弃
            </Button>
            <Button type="primary" disabled={!changed} loading={busy} onClick={() => void save()}>
              保存{changed ? ` ${changed} 项` : ''}
            </Button>
          </>
        )}
      </div>
      {error ? (
        <Failed error={error} again={() => void refetch()} />
      ) : (
        <div className="settings" aria-busy={!data}>
          {groups.map((g) => (
            <fieldset key={g}>
              <legend>{g}</legend>
              {data?.settings
                .filter((s) => SETTINGS[s.key].group === g && !(bcId && 'whole' in SETTINGS[s.key]))
                .map((s) => (
                  <SettingLine
                    key={s.key}
                    setting={s}
                    draft={draft[s.key]}
                    branch={bcId !== ''}
                    editable={editable}
                    error={wrong[s.key] ?? errors[s.key] ?? together[s.key]}
                    calendar={calendar(data.settings)}
                    bc={bcId}
                    people={data.people}
                    example={
                      exampleOf(s.key, data.settings, sound) ??
                      wouldWarn({ key: s.key, value: sound[s.key], bcId }) ??
                      goesTonight({ setting: s, draft: sound[s.key], bcId })
                    }
                    onChange={(value) => set(s.key, value)}
                  />
                ))}
            </fieldset>
          ))}
          <KeptKinds bcId={bcId} />
          <Subscribers bcId={bcId} />
        </div>
      )}
      {channels && <ChannelsDrawer onClose={() => setChannels(false)} />}
      {dialog}
      {shorter.dialog}
    </section>
  )
}

/** Who is told every morning that the daily report is there; everybody decides that for themselves, on the report. */
function Subscribers({ bcId }: { bcId: string }) {
  const query = { bc_id: bcId || undefined }
  const { data } = useQuery({
    queryKey: [statisticsApi.subscribers.path, query],
    queryFn: ({ signal }) => call(statisticsApi.subscribers, { query }, signal),
  })
  if (!data) return null
  return (
    <fieldset>
      <legend>日报订阅</legend>
      <div className="setting-line told">
        <span>
          <b>{data.length ? data.map((u) => u.nickname).join('、') : '还没有人订阅'}</b>
          <small>每天 8:00 收到昨日日报的通知；各人在日报表里自己订阅或取消</small>
        </span>
      </div>
    </fieldset>
  )
}

export default withControls(SetSelfPage)
