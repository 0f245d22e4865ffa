import { useQuery } from '@tanstack/react-query'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { SiteRow } from '@zhuguan/contract/features/sites/sites.record.ts'
import { Input, Select } from 'antd'
import { useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'
import { message } from '../../kit/notices.ts'
import { PersonPicker } from '../../parts/pickers.tsx'
import { useBranches } from '../../parts/places.tsx'
import { EndDrawer, MoveDrawer, StartDrawer } from './LifeDrawers.tsx'
import type { OpenSiteDrawer } from './useSiteActions.ts'

interface Props {
  onClose: () => void
  onDone: () => void
}
const EMPTY = {
  ws_name: '',
  bc_id: '',
  community: '',
  address: '',
  area: '',
  layout: '',
  style: '',
  plannedStart: '',
  plannedFinish: '',
}
const LABEL: Record<keyof typeof EMPTY, string> = {
  ws_name: '工地名称',
  bc_id: '分公司',
  community: '小区',
  address: '地址',
  area: '面积（㎡）',
  layout: '户型',
  style: '风格',
  plannedStart: '计划开工',
  plannedFinish: '计划完工',
}

/** Comes when the first drawer is opened. */
export default function SiteDrawers({ kind, site, ...p }: Props & OpenSiteDrawer) {
  if (!site || kind === 'edit') return <SiteDrawer {...p} site={site} />
  if (kind === 'people') return <PeopleDrawer {...p} site={site} />
  if (kind === 'bind') return <BindToSiteDrawer {...p} site={site} />
  if (kind === 'start') return <StartDrawer {...p} site={site} />
  if (kind === 'move') return <MoveDrawer {...p} site={site} />
  return <EndDrawer {...p} site={site} action={kind} />
}

/** New and edited sites have the same facts; an edit starts from what the server has now. */
function SiteDrawer({ site, ...p }: Props & { site: SiteRow | null }) {
  const branches = useBranches()
  const [facts, setFacts] = useState(EMPTY)
  const [version, setVersion] = useState(site?.version ?? 0)
  /** What the server has now; a save names the version that was seen. */
  async function latest(id: string): Promise<typeof EMPTY> {
    const d = await call(sitesApi.details, { query: { id } })
    setVersion(d.version)
    return {
      ws_name: d.ws_name,
      bc_id: d.bc_id,
      community: d.community,
      address: d.address,
      area: d.area ?? '',
      layout: d.layout,
      style: d.style,
      plannedStart: d.plannedStart ?? '',
      plannedFinish: d.plannedFinish ?? '',
    }
  }
  useEffect(() => {
    if (site) void latest(site.id).then(setFacts, (error: Error) => message.error(error.message))
  }, [site])
  const overtaken = async (id: string) =>
    Object.fromEntries(
      Object.entries(await latest(id)).filter(([k, v]) => v !== facts[k as keyof typeof EMPTY]),
    )
  useEffect(() => {
    if (!facts.bc_id && branches.length === 1) setFacts((f) => ({ ...f, bc_id: branches[0]!.bc_id }))
  }, [branches, facts.bc_id])
  const body = {
    ...facts,
    area: facts.area || null,
    plannedStart: facts.plannedStart || null,
    plannedFinish: facts.plannedFinish || null,
  }
  return (
    <AskDrawer
      {...p}
      title={site ? `编辑 ${site.code}` : '新增工地'}
      done="已保存"
      ready={!!facts.ws_name && !!facts.bc_id && !!facts.address}
      {...(site ? { overtaken: () => overtaken(site.id) } : {})}
      send={() =>
        site ? call(sitesApi.edit, { body: { ...body, id: site.id, version } }) : call(sitesApi.add, { body })
      }
    >
      {(errors) =>
        (Object.keys(LABEL) as (keyof typeof EMPTY)[]).map((key) => (
          <Field key={key} label={LABEL[key]} error={errors[key]}>
            {key === 'bc_id' ? (
              <Select
                style={{ width: '100%' }}
                aria-label="分公司"
                disabled={site !== null}
                value={facts.bc_id || undefined}
                options={branches.map((b) => ({ value: b.bc_id, label: b.bc_name }))}
                onChange={(v) => setFacts({ ...facts, bc_id: v })}
              />
            ) : (
              <Input
                type={key.startsWith('planned') ? 'date' : 'text'}
                value={facts[key]}
                maxLength={120}
                onChange={(e) => setFacts({ ...facts, [key]: e.target.value })}
              />
            )}
          </Field>
        ))
      }
    </AskDrawer>
  )
}

function PeopleDrawer({ site, ...p }: Props & { site: SiteRow }) {
  const [steward, setSteward] = useState(site.steward_id)
  const [manager, setManager] = useState(site.manager_id)
  return (
    <AskDrawer
      {...p}
      title={`换管家/经理：${site.ws_name}`}
      done="已更换，新的负责人现在就能看到这个工地"
      ready
      send={() =>
        call(sitesApi.people, {
          body: { id: site.id, version: site.version, steward_id: steward, manager_id: manager },
        })
      }
    >
      {(errors) => (
        <>
          <p className="quiet">
            现在：管家 {site.stewardName || '无'}，经理 {site.managerName || '无'}
          </p>
          <Field label="项目管家" error={errors.steward_id}>
            <PersonPicker label="项目管家" site={site.id} post={1} value={steward} onChange={setSteward} />
          </Field>
          <Field label="项目经理" error={errors.manager_id}>
            <PersonPicker label="项目经理" site={site.id} post={2} value={manager} onChange={setManager} />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}

function BindToSiteDrawer({ site, ...p }: Props & { site: SiteRow }) {
  const { data } = useQuery({
    queryKey: [devicesApi.spares.path, site.id],
    queryFn: ({ signal }) => call(devicesApi.spares, { query: { site_id: site.id } }, signal),
  })
  const [id, setId] = useState<string>()
  const device = data?.find((d) => d.id === id)
  return (
    <AskDrawer
      {...p}
      title={`绑定设备：${site.ws_name}`}
      done="已绑定，等待设备的第一次心跳"
      ready={!!device}
      send={() =>
        call(devicesApi.bind, { body: { id: device!.id, version: device!.version, site_id: site.id } })
      }
    >
      {(errors) => (
        <Field label="备用设备" error={errors.site_id}>
          <Select
            style={{ width: '100%' }}
            aria-label="备用设备"
            showSearch={{ optionFilterProp: 'label' }}
            notFoundContent="本分公司没有备用设备"
            value={id}
            onChange={setId}
            options={
              data?.map((d) => ({
                value: d.id,
                label: `${d.sn}（${deviceType.label(d.type)} ${d.model}）`,
              })) ?? []
            }
          />
        </Field>
      )}
    </AskDrawer>
  )
}
