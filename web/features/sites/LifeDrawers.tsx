import { useQuery } from '@tanstack/react-query'
import { siteActions } from '@zhuguan/contract/features/sites/sites.actions.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { SiteRow } from '@zhuguan/contract/features/sites/sites.record.ts'
import { Input, Select } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { useBranches } from '../../parts/places.tsx'

interface Props {
  site: SiteRow
  onClose: () => void
  onDone: () => void
}
const LEAST = 2
const enough = (reason: string) => reason.trim().length >= LEAST

function Reason({
  label,
  value,
  onChange,
  error,
  hint,
}: {
  label: string
  value: string
  onChange: (text: string) => void
  error: string | undefined
  hint: string
}) {
  return (
    <Field label={label} error={error}>
      <Input.TextArea
        rows={3}
        maxLength={200}
        showCount
        value={value}
        placeholder={`至少 2 个字，例如：${hint}`}
        onChange={(e) => onChange(e.target.value)}
      />
    </Field>
  )
}

/** A start asks for the plan and the day; without a signed contract it says why. */
export function StartDrawer({ site, ...p }: Props) {
  const today = dayOf(nowSeconds())
  const [startDate, setStartDate] = useState(today)
  const [plannedFinish, setPlannedFinish] = useState(site.plannedFinish ?? '')
  const [reason, setReason] = useState('')
  return (
    <AskDrawer
      {...p}
      title={`开工：${site.ws_name}`}
      done="已开工，各阶段的计划已按开工日期排好"
      ready={!!startDate && !!plannedFinish && enough(reason)}
      send={() =>
        call(sitesApi.state, {
          body: { id: site.id, version: site.version, action: 'start', startDate, plannedFinish, reason },
        })
      }
    >
      {(errors) => (
        <>
          <p className="quiet">
            项目经理 {site.managerName}，项目管家 {site.stewardName}。第一个阶段“开工交底”同时开始。
          </p>
          <Field label="开工日期" error={errors.startDate}>
            <Input type="date" max={today} value={startDate} onChange={(e) => setStartDate(e.target.value)} />
          </Field>
          <Field label="计划完工" error={errors.plannedFinish}>
            <Input
              type="date"
              min={startDate}
              value={plannedFinish}
              onChange={(e) => setPlannedFinish(e.target.value)}
            />
          </Field>
          <Reason
            label="合同外开工的原因"
            hint="合同已签，系统还没有录入"
            value={reason}
            onChange={setReason}
            error={errors.reason}
          />
        </>
      )}
    </AskDrawer>
  )
}

type Change = { change: 'finish' | 'terminate' } | { change: 'move'; bc_id: string }
const useForesight = (site: SiteRow, change: Change | null) =>
  useQuery({
    queryKey: [sitesApi.foresee.path, site.id, change],
    enabled: change !== null,
    queryFn: ({ signal }) => call(sitesApi.foresee, { query: { id: site.id, ...change! } }, signal),
  })

/** What the change will do, read before it is done; what must go first stands above. */
function Foresight({ query }: { query: ReturnType<typeof useForesight> }) {
  const { data, error, isFetching } = query
  if (error) return <p role="alert">{error.message}</p>
  if (!data) return isFetching ? <p className="quiet">正在查看会带来什么…</p> : null
  return (
    <>
      {data.blocks.length > 0 && (
        <>
          <h3>要先处理</h3>
          <ul role="alert">
            {data.blocks.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      <h3>确定后会发生</h3>
      {data.effects.length === 0 && <p className="quiet">只改变工地自己，没有设备、班组或报警受影响。</p>}
      <ul>
        {data.effects.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}
const clear = (query: ReturnType<typeof useForesight>) => query.data?.blocks.length === 0

export function EndDrawer({ site, action, ...p }: Props & { action: 'finish' | 'terminate' }) {
  const [reason, setReason] = useState('')
  const query = useForesight(site, { change: action })
  const { label } = siteActions.table[action]
  return (
    <AskDrawer
      {...p}
      title={`${label}：${site.ws_name}`}
      done={`已${label}`}
      ready={clear(query) && (action === 'finish' || enough(reason))}
      send={() => call(sitesApi.state, { body: { id: site.id, version: site.version, action, reason } })}
    >
      {(errors) => (
        <>
          <Foresight query={query} />
          {action === 'terminate' && (
            <Reason label="原因" hint="业主退单" value={reason} onChange={setReason} error={errors.reason} />
          )}
        </>
      )}
    </AskDrawer>
  )
}

export function MoveDrawer({ site, ...p }: Props) {
  const branches = useBranches().filter((b) => b.bc_id !== site.bc_id)
  const [to, setTo] = useState<string>()
  const [reason, setReason] = useState('')
  const query = useForesight(site, to ? { change: 'move', bc_id: to } : null)
  return (
    <AskDrawer
      {...p}
      title={`转分公司：${site.ws_name}`}
      done="已转到新的分公司"
      ready={!!to && clear(query) && enough(reason)}
      send={() => call(sitesApi.move, { body: { id: site.id, version: site.version, bc_id: to!, reason } })}
    >
      {(errors) => (
        <>
          <p className="quiet">现在属于{site.bc_name}。</p>
          <Field label="转到" error={errors.bc_id}>
            <Select
              style={{ width: '100%' }}
              aria-label="转到"
              placeholder="选择分公司"
              {...(to ? { value: to } : {})}
              options={branches.map((b) => ({ value: b.bc_id, label: b.bc_name }))}
              onChange={setTo}
            />
          </Field>
          <Foresight query={query} />
          <Reason
            label="原因"
            hint="业主要求由当地分公司施工"
            value={reason}
            onChange={setReason}
            error={errors.reason}
          />
        </>
      )}
    </AskDrawer>
  )
}
