import { useQuery, useQueryClient } from '@tanstack/react-query'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import {
  type SettingKey,
  SETTING_KEYS,
  SETTINGS,
  WEEKDAYS,
} from '@zhuguan/contract/features/settings/settings.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { Button, Checkbox, Input, InputNumber, Select, Switch } from 'antd'
import { useEffect, useState } from 'react'

import { ApiError, call } from '../../kit/api.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { usePage, useParam } from '../../kit/page.tsx'
import { State } from '../../kit/State.tsx'
import { useBranches } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { useLogLink } from '../../parts/useLogLink.ts'

import './settings.css'

const FROM = { branch: ['ok', '本分公司'], group: ['wait', '集团'], product: ['grey', '系统默认'] } as const
const words = (key: SettingKey, value: unknown): string =>
  SETTINGS[key].input === 'switch'
    ? value
      ? '开'
      : '关'
    : SETTINGS[key].input === 'days'
      ? (value as number[]).map((d) => WEEKDAYS[d]).join('、') || '无'
      : `${String(value)}${'unit' in SETTINGS[key] ? ` ${SETTINGS[key].unit}` : ''}`

/** What a branch decides for itself, what it takes from the group, and what each setting steers. */
export default function SetSelfPage() {
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
  const [draft, setDraft] = useState<Partial<Record<SettingKey, unknown>>>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    setDraft({})
    setErrors({})
  }, [bcId])
  const editable = !!data?.editable && hasPermission(actor, 'settings:edit')
  const changed = Object.keys(draft).length
  const log = logLink('setting', bcId)
  async function save() {
    setBusy(true)
    setErrors({})
    try {
      await call(settingsApi.update, { body: { bcId: bcId || undefined, values: draft } })
      message.success('已保存，立即生效')
      setDraft({})
      await client.invalidateQueries({ queryKey: [settingsApi.selectByBcId.path] })
    } catch (e) {
      if (e instanceof ApiError) setErrors(e.fields)
      message.error((e as Error).message)
    } finally {
      setBusy(false)
    }
  }
  const set = (k: SettingKey, value: unknown) => setDraft((d) => ({ ...d, [k]: value }))
  const groups = [...new Set(SETTING_KEYS.map((k) => SETTINGS[k].group))]
  return (
    <section className="card settings-page">
      <div className="list-bar">
        <Select
          aria-label="分公司"
          style={{ width: 200 }}
          value={bcId}
          onChange={(v) => page.go(`${page.path}${v ? `?bcId=${v}` : ''}`, { replace: true })}
          options={[
            ...(branches.length === 1 ? [] : [{ value: '', label: '集团（各分公司的默认）' }]),
            ...branches.map((b) => ({ value: b.bc_id, label: b.bc_name })),
          ]}
        />
        <span className="quiet" style={{ flex: 1, alignSelf: 'center' }}>
          {data && !editable
            ? '只能查看'
            : bcId
              ? '没有单独设置的，跟随集团；集团也没有设置的，用系统默认'
              : '各分公司没有单独设置的，都按这里'}
        </span>
        {log.map((l) => (
          <button key={l.key} className="button" onClick={l.open}>
            {l.label}
          </button>
        ))}
        {editable && (
          <>
            <Button disabled={!changed || busy} onClick={() => setDraft({})}>
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
                .filter((s) => SETTINGS[s.key].group === g)
                .map((s) => {
                  const about = SETTINGS[s.key]
                  const value = s.key in draft ? (draft[s.key] ?? s.inherited) : s.value
                  const own = s.key in draft ? draft[s.key] !== null : s.from === (bcId ? 'branch' : 'group')
                  const [tone, from] =
                    s.key in draft && draft[s.key] !== null
                      ? (['wait', '未保存'] as const)
                      : own
                        ? bcId
                          ? FROM.branch
                          : FROM.group
                        : bcId && s.from === 'group'
                          ? FROM.group
                          : FROM[s.from === 'branch' || (!bcId && s.from === 'group') ? 'product' : s.from]
                  return (
                    <div key={s.key} className={`setting-line${s.key in draft ? ' changed' : ''}`}>
                      <label htmlFor={`set-${s.key}`}>
                        <b>{about.title}</b>
                        <small>{about.what}</small>
                      </label>
                      <span className="setting-value">
                        {about.input === 'number' ? (
                          <InputNumber
                            id={`set-${s.key}`}
                            disabled={!editable}
                            status={errors[s.key] ? 'error' : ''}
                            value={value as number}
                            suffix={'unit' in about ? about.unit : undefined}
                            style={{ width: 140 }}
                            onChange={(v) => v !== null && set(s.key, v)}
                          />
                        ) : about.input === 'switch' ? (
                          <Switch
                            id={`set-${s.key}`}
                            disabled={!editable}
                            checked={value as boolean}
                            checkedChildren="开"
                            unCheckedChildren="关"
                            onChange={(v) => set(s.key, v)}
                          />
                        ) : about.input === 'time' ? (
                          <Input
                            id={`set-${s.key}`}
                            maxLength={5}
                            placeholder="08:00"
                            disabled={!editable}
                            status={errors[s.key] ? 'error' : ''}
                            value={value as string}
                            style={{ width: 140 }}
                            onChange={(e) => set(s.key, e.target.value)}
                          />
                        ) : (
                          <Checkbox.Group
                            disabled={!editable}
                            value={value as number[]}
                            options={WEEKDAYS.map((label, v) => ({ value: v, label }))}
                            onChange={(v) => set(s.key, [...v].sort())}
                          />
                        )}
                        {errors[s.key] && <em role="alert">{errors[s.key]}</em>}
                      </span>
                      <span className="setting-from">
                        <State tone={tone}>{from}</State>
                        {own && editable && (
                          <button
                            className="text-button"
                            title={`改回 ${words(s.key, s.inherited)}`}
                            onClick={() => set(s.key, null)}
                          >
                            恢复{bcId ? '跟随' : '默认'}
                          </button>
                        )}
                      </span>
                    </div>
                  )
                })}
            </fieldset>
          ))}
        </div>
      )}
    </section>
  )
}
