import { useQuery } from '@tanstack/react-query'
import { alarmType, alarmVerdict } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { trustsApi } from '@zhuguan/contract/features/trusts/trusts.api.ts'
import { modelOf, trustEvent, type TrustRow } from '@zhuguan/contract/features/trusts/trusts.record.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { usePage } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { Last, ShareOf, StateOf } from './trustWords.tsx'

/** One camera's alarms of a type: how they were judged, version by version, and what followed from it. */
export default function TrustPanel({
  row,
  actionsOf,
  onDone,
  onClose,
}: {
  row: TrustRow
  actionsOf: (pair: TrustRow) => RowAction[]
  onDone: () => void
  onClose: () => void
}) {
  const { id } = row
  const { oneBranch } = usePage()
  const { data, error, refetch } = useQuery({
    queryKey: [trustsApi.details.path, id],
    queryFn: ({ signal }) => call(trustsApi.details, { query: { id } }, signal),
  })
  useLive(['trust'], () => refetch(), { only: (e) => e.id === id })
  const t = data ?? row
  const actions = actionsOf(t)
  return (
    <Drawer
      open
      title={`${t.deviceSn} · ${alarmType.label(t.type)}`}
      rootClassName="trust-panel"
      size="min(720px, 100vw)"
      mask={false}
      onClose={onClose}
      footer={actions.length > 0 && <RowActions bar key={id} actions={actions} onDone={onDone} />}
    >
      <Facts className="trust-facts">
        <Fact name="提醒">
          <StateOf state={t.state} />
        </Fact>
        <Fact name="起始">{t.since === null ? '一开始' : full(t.since)}</Fact>
        <Fact name="原因" whole>
          {t.why ? `${t.by}：${t.why}` : '判定还没有改变过提醒方式'}
        </Fact>
        <Fact name="最近判定">
          <Last verdicts={t.last} />
        </Fact>
        <Fact name="误报率">
          <ShareOf {...t} />
        </Fact>
        <Fact name="工地">
          <LinkTo page="SiteInfo" query={{ id: t.site_id }}>
            {t.siteName}
          </LinkTo>
        </Fact>
        {!oneBranch && <Fact name="分公司">{t.bc_name}</Fact>}
      </Facts>
      {error && <Failed error={error} again={() => void refetch()} />}
      <h3>型号版本</h3>
      <table className="trust-models">
        <thead>
          <tr>
            <th>版本</th>
            <th>判定数</th>
            <th>误报数</th>
            <th>误报率</th>
            <th>未判</th>
          </tr>
        </thead>
        <tbody>
          {data?.models.map((m) => (
            <tr key={m.model}>
              <td>
                {modelOf(m.model)}
                {m.model === t.model && <small> 现用</small>}
              </td>
              <td>{m.n}</td>
              <td>{m.wrong}</td>
              <td>
                <ShareOf {...m} />
              </td>
              <td>{m.undecided}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>
        变动记录 <LogLink object="trust" id={id} />
      </h3>
      {data?.history.length === 0 && <p className="quiet">没有变动过。</p>}
      <ol className="log" aria-busy={!data && !error}>
        {data?.history.map((h, i) => (
          <li key={i}>
            <b>{trustEvent.label(h.event)}</b>{' '}
            <small title={full(h.at)}>
              {h.actor} · {short(h.at)} · {modelOf(h.model)}
            </small>
            <p>{h.text}</p>
          </li>
        ))}
      </ol>
      <h3>最近的报警</h3>
      <div className="shots-small">
        {data?.alarms.map((a) => (
          <a key={a.id} href={hrefOf('AlarmEvent', { id: a.id })}>
            <Picture plain picture={a.picture} caption={`${t.deviceSn} ${full(a.at)}`} />
            <span>{alarmVerdict.label(a.verdict)}</span>
            <small>
              {short(a.at)} · {modelOf(a.model)}
            </small>
          </a>
        ))}
      </div>
    </Drawer>
  )
}
