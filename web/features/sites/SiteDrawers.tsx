import { useQuery } from '@tanstack/react-query'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { SiteRow } from '@zhuguan/contract/features/sites/sites.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { OneField, OwnField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { usePage } from '../../kit/page.tsx'
import { BranchField, PersonField } from '../../parts/pickFields.tsx'
import { ToldField } from '../../parts/ToldField.tsx'
import { EndDrawer, LivedDrawer, MoveDrawer, StartDrawer } from './LifeDrawers.tsx'
import { ReadyDrawer } from './ReadyDrawer.tsx'
import { SitePlacePicker } from './SitePlacePicker.tsx'
import type { OpenSiteDrawer } from './useSiteActions.ts'
import { useStores } from './useStores.ts'

const NEW = {
  ws_name: '',
  bc_id: null,
  store_id: null,
  community: '',
  address: '',
  area: null,
  layout: '',
  style: '',
  plannedStart: null,
  plannedFinish: null,
  owner: '',
  ownerPhone: '',
  steward_id: null,
  manager_id: null,
  lng: null,
  lat: null,
}
const SHORT = 20
const shortly = (name = '') => (name.length > SHORT ? `${name.slice(0, SHORT)}…` : name)
const latest = (id: string) => call(sitesApi.details, { query: { id } })
const factsNow = async (of: string) => {
  const site = await latest(of)
  const { id, version, ws_name, bc_id, store_id, community, address, area, layout, style } = site
  const { plannedStart, plannedFinish, steward_id, manager_id, lng, lat } = site
  return {
    id,
    version,
    ws_name,
    bc_id,
    store_id,
    community,
    address,
    area,
    layout,
    style,
    plannedStart,
    plannedFinish,
    steward_id,
    manager_id,
    lng,
    lat,
    owner: site.owner?.name ?? '',
    ownerPhone: '',
  }
}

/** Loaded with the first drawer that is opened. */
export default function SiteDrawers({ kind, site, ...p }: DrawerProps & OpenSiteDrawer) {
  if (!site || kind === 'edit') return <SiteDrawer {...p} site={site} />
  if (kind === 'people') return <PeopleDrawer {...p} site={site} />
  if (kind === 'bind') return <BindToSiteDrawer {...p} site={site} />
  if (kind === 'ready') return <ReadyDrawer {...p} site={site} />
  if (kind === 'start') return <StartDrawer {...p} site={site} />
  if (kind === 'lived') return <LivedDrawer {...p} site={site} />
  if (kind === 'move') return <MoveDrawer {...p} site={site} />
  return <EndDrawer {...p} site={site} action={kind} />
}

/** New and edited sites have the same facts; an edit starts from what the server has now. */
function SiteDrawer({ site, ...p }: DrawerProps & { site: SiteRow | null }) {
  const page = usePage()
  const form = useForm(
    site ? sitesApi.edit : sitesApi.add,
    site ? null : NEW,
    site ? { latest: () => factsNow(site.id) } : {},
  )
  const stores = useStores()
  const { bc_id: bc, lng, lat } = form.values
  const where = bc ? { bc } : {}
  const open = (id: string) => ({ label: '打开', run: () => page.go(linkTo('SiteInfo', { id })) })
  return (
    <FormDrawer
      {...p}
      form={form}
      title={site ? `编辑 ${site.code}` : '新增工地'}
      done={(made) =>
        made
          ? { text: `已新增“${shortly(form.values.ws_name ?? '')}”（${made.code}）`, action: open(made.id) }
          : { text: `${shortly(form.values.ws_name ?? '')} 已保存` }
      }
    >
      <TextField of={form} name="ws_name" />
      <div className="pair">
        <BranchField
          of={form}
          name="bc_id"
          disabled={site !== null}
          also={() => ({ store_id: null, steward_id: null, manager_id: null })}
        />
        <OneField
          of={form}
          name="store_id"
          clear
          placeholder="选择门店"
          nothing={bc ? '这个分公司没有门店' : '请先选择分公司'}
          options={stores.filter((s) => s.bc_id === bc).map((s) => ({ value: s.id, label: s.name }))}
        />
        <TextField
          of={form}
          name="owner"
          example="李女士"
          disabled={!!site?.ownerName}
          {...(site?.ownerName ? { hint: '改姓名、电话或换业主，请到“业主信息”' } : {})}
        />
        {!site?.ownerName && <TextField of={form} name="ownerPhone" inputMode="tel" />}
      </div>
      <TextField of={form} name="community" />
      <TextField of={form} name="address" />
      <OwnField of={form} name="lng" label="地图上的位置">
        {() => (
          <SitePlacePicker
            place={lng != null && lat != null ? { lng, lat } : null}
            near={bc}
            onChange={(to) => form.set(to)}
          />
        )}
      </OwnField>
      <div className="pair">
        <TextField of={form} name="area" label="面积（㎡）" example="88.5" />
        <TextField of={form} name="layout" example="三室两厅" />
      </div>
      <TextField of={form} name="style" />
      <div className="pair">
        <DayField of={form} name="plannedStart" />
        <DayField of={form} name="plannedFinish" from={form.values.plannedStart} />
        {/* People of another branch are other people. */}
        <PersonField key={`m${bc}`} of={form} name="manager_id" post={2} {...where} />
        <PersonField key={`s${bc}`} of={form} name="steward_id" post={1} {...where} />
      </div>
    </FormDrawer>
  )
}

function PeopleDrawer({ site, ...p }: DrawerProps & { site: SiteRow }) {
  const { id, version, steward_id, manager_id } = site
  const form = useForm(
    sitesApi.people,
    { id, version, steward_id, manager_id },
    {
      latest: () =>
        latest(id).then((s) => ({
          id,
          version: s.version,
          steward_id: s.steward_id,
          manager_id: s.manager_id,
        })),
    },
  )
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`换管家/经理：${site.ws_name}`}
      done="已更换，新的负责人现在就能看到这个工地"
    >
      <p className="quiet lead">
        现在：管家 {site.stewardName || '无'}，经理 {site.managerName || '无'}
      </p>
      <PersonField of={form} name="steward_id" site={id} post={1} />
      <PersonField of={form} name="manager_id" site={id} post={2} />
    </FormDrawer>
  )
}

function BindToSiteDrawer({ site, ...p }: DrawerProps & { site: SiteRow }) {
  const { data } = useQuery({
    queryKey: [devicesApi.spares.path, site.id],
    queryFn: ({ signal }) => call(devicesApi.spares, { query: { site_id: site.id } }, signal),
  })
  const form = useForm(devicesApi.bind, { id: null, version: 0, site_id: site.id, remark: '', told: false })
  const chosen = data?.find((d) => d.id === form.values.id)
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`绑定设备：${site.ws_name}`}
      done="已绑定，等待设备的第一次心跳"
    >
      <OneField
        of={form}
        name="id"
        label="备用设备"
        loading={!data}
        also={(id) => ({ version: data?.find((d) => d.id === id)?.version ?? 0 })}
        nothing="本分公司没有备用设备"
        options={
          data?.map((d) => ({ value: d.id, label: `${d.sn}（${deviceType.label(d.type)} ${d.model}）` })) ??
          []
        }
      />
      {chosen?.type === deviceType.code.camera && <ToldField of={form} notice="camera" />}
      <TextField of={form} name="remark" rows={2} />
    </FormDrawer>
  )
}
