import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { consentKind, consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { noticeKind, NOTICES } from '@zhuguan/contract/features/consents/notices.record.ts'
import { keepingApi } from '@zhuguan/contract/features/keeping/keeping.api.ts'
import {
  keptDoor,
  keptFor,
  keptGround,
  type PersonalRegister,
} from '@zhuguan/contract/features/keeping/keeping.record.ts'
import { logAbout } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { callAddressed } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { ExportButton } from '../../kit/list/ExportButton.tsx'
import { FilterRow } from '../../kit/list/FilterRow.tsx'
import { DayRangeFilter } from '../../kit/list/filters.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { useActor, useMayOpen } from '../../parts/session.ts'

import './personalRegister.css'

/**
 * The register of what is kept about people and why, of consents, and of who read, took away and looked how often.
 */
export default function PersonalRegisterPage() {
  const place = useFilters<typeof keepingApi.register>()
  const actor = useActor()
  const { from, to } = place.address.filters
  const asked = { from, to }
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [keepingApi.register.path, asked],
    enabled: place.active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(keepingApi.register, asked, signal),
  })
  return (
    <div className="personal-register" aria-busy={isFetching}>
      <section className="card list-bar personal-bar">
        <FilterRow>
          <DayRangeFilter list={place} from="from" to="to" label="日期（默认近 30 天）" />
        </FilterRow>
        <span className="grow" />
        {hasPermission(actor, 'register:export') && (
          <ExportButton endpoint={keepingApi.export} filters={asked} name="个人信息登记" />
        )}
        <button className="button" onClick={() => window.print()}>
          打印
        </button>
      </section>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data && (
        <>
          <People of={data} />
          <Consents of={data} />
          <Notices of={data} />
          <Kinds of={data} />
        </>
      )}
    </div>
  )
}

/** Each figure leads to its lines of the log. */
function People({ of: r }: { of: PersonalRegister }) {
  const mayLog = useMayOpen('UserLog')
  const figure = (p: PersonalRegister['people'][number], about: (typeof logAbout.values)[number]) =>
    mayLog && p[about] > 0 ? (
      <LinkTo page="UserLog" query={{ about, user_id: p.user_id, from: r.from, to: r.to }}>
        {p[about]}
      </LinkTo>
    ) : (
      p[about]
    )
  return (
    <section className="card" aria-label="谁看了、导出了什么">
      <h2>谁看了、导出了什么</h2>
      <p className="quiet">
        {r.from} 至 {r.to}，只算办成的；点数字看每一条。下班时间按查看当时的作息，以后改作息不重算。
      </p>
      {r.people.length === 0 ? (
        <p className="quiet">这段时间没有人查看完整号码、导出或在下班时间看摄像头。</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>姓名</th>
              <th>分公司</th>
              {logAbout.options.map((o) => (
                <th key={o.value} className="register-n">
                  {o.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {r.people.map((p) => (
              <tr key={p.user_id}>
                <th scope="row">
                  {p.nickname || p.userName} <small className="quiet">{p.userName}</small>
                </th>
                <td>{p.bc_name || '集团'}</td>
                {logAbout.values.map((about) => (
                  <td key={about} className="register-n">
                    {figure(p, about)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Consents({ of: r }: { of: PersonalRegister }) {
  return (
    <section className="card" aria-label="同意">
      <h2>同意</h2>
      <p className="quiet">每个人按最近一次答复算一次。</p>
      <table>
        <thead>
          <tr>
            <th>事项</th>
            {consentState.options.map((o) => (
              <th key={o.value} className="register-n">
                {o.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {consentKind.values.map((kind) => (
            <tr key={kind}>
              <th scope="row">{consentKind.label(kind)}</th>
              {consentState.values.map((state) => (
                <td key={state} className="register-n">
                  {r.consents.find((c) => c.kind === kind && c.state === state)?.n ?? 0}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Notices({ of: r }: { of: PersonalRegister }) {
  return (
    <section className="card" aria-label="告知书">
      <h2>告知书</h2>
      <p className="quiet">登记、签约、导入、装摄像头和采集人脸时，按哪一版告知过本人。</p>
      <table>
        <thead>
          <tr>
            <th>场合</th>
            <th>版本</th>
            <th className="register-n">条数</th>
          </tr>
        </thead>
        <tbody>
          {r.notices.map(({ kind, n, version }) => (
            <tr key={`${kind} ${version}`}>
              <th scope="row">{noticeKind.label(kind)}</th>
              <td title={version && NOTICES[kind].words}>{version || '没有登记告知'}</td>
              <td className="register-n">{n}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Kinds({ of: r }: { of: PersonalRegister }) {
  return (
    <section className="card" aria-label="处理的个人信息">
      <h2>处理的个人信息</h2>
      <p className="quiet">天数是集团的；分公司可以在“自助设置”里缩短。没有写明的途径，不离开系统。</p>
      <table>
        <thead>
          <tr>
            <th>种类</th>
            <th>谁的信息</th>
            <th>目的</th>
            <th>依据</th>
            <th>保存多久</th>
            <th>什么时候不删</th>
            <th>谁看得到</th>
            <th>离开系统的途径</th>
          </tr>
        </thead>
        <tbody>
          {r.kinds.map((k) => (
            <tr key={k.key}>
              <th scope="row">{k.title}</th>
              <td>{k.whose}</td>
              <td>{k.purpose}</td>
              <td>{keptGround.label(k.ground)}</td>
              <td>
                {keptFor(k)}
                <small className="quiet"> {k.starts}起</small>
              </td>
              <td>{k.stops || '--'}</td>
              <td>{k.seen.join('、') || '没有页面看得到'}</td>
              <td>{k.doors.map((d) => keptDoor.label(d)).join('、') || '不离开系统'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
