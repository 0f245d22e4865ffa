import { useQuery } from '@tanstack/react-query'
import { consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { grantActions } from '@zhuguan/contract/features/owners/grants.actions.ts'
import { grantsApi } from '@zhuguan/contract/features/owners/grants.api.ts'
import { type ContactVideo, grantState } from '@zhuguan/contract/features/owners/grants.record.ts'
import { hoursText } from '@zhuguan/contract/features/owners/watch-hours.ts'
import { useState } from 'react'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { useLive } from '../../kit/live.ts'
import { RowActions } from '../../kit/RowActions.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { short } from '../../kit/time.ts'
import { useGranted } from '../../parts/granted.tsx'
import { useActor } from '../../parts/session.ts'

const GrantDrawer = lazyPart(() => import('./GrantDrawer.tsx'))
const AnswerDrawer = lazyPart(() => import('./AnswerDrawer.tsx'))
const { given } = consentState.code
const TONES: Readonly<Record<string, Tone>> = { active: 'ok', stopped: 'wait' }

/** The people of a home who may look at it by their link: their consent, and the steward's grant. */
export function HomeVideo({ site_id }: { site_id: string }) {
  const granted = useGranted()
  const actor = useActor()
  const [drawer, setDrawer] = useState<{ kind: 'grant' | 'answer'; of: ContactVideo } | null>(null)
  const { data, refetch } = useQuery({
    queryKey: [grantsApi.home.path, site_id],
    queryFn: ({ signal }) => call(grantsApi.home, { query: { site_id } }, signal),
  })
  const again = () => void refetch()
  useLive(['site'], again, { only: (e) => e.site_id === site_id })
  if (!data?.contacts.length) return null
  const ofContact = (c: ContactVideo) => [
    ...granted(
      c.consent === given
        ? [
            ...(data.why
              ? []
              : [
                  {
                    needs: 'owner:video',
                    key: 'grant',
                    label: c.grant ? '更改授权' : '授权',
                    open: () => setDrawer({ kind: 'grant', of: c }),
                  },
                ]),
            {
              needs: 'owner:link',
              key: 'withdraw',
              label: '撤回同意',
              reason: true,
              confirm: `${c.name}要撤回看现场的同意：正在看的画面 5 秒内停止，请写明是谁、怎样提出的`,
              run: (reason: string) =>
                call(grantsApi.withdraw, { body: { contact_id: c.contact_id, reason } }),
            },
          ]
        : [
            {
              needs: 'owner:video',
              key: 'answer',
              label: '登记答复',
              open: () => setDrawer({ kind: 'answer', of: c }),
            },
          ],
    ),
    ...(c.grant
      ? actionsOf(grantActions, c.grant, actor, {
          stop: {
            confirm: `停止${c.name}看现场：请写明原因`,
            run: (reason) =>
              call(grantsApi.stop, { body: { id: c.grant!.id, version: c.grant!.version, reason } }),
          },
          resume: {
            run: () => call(grantsApi.resume, { body: { id: c.grant!.id, version: c.grant!.version } }),
          },
        })
      : []),
  ]
  return (
    <section className="card section">
      <h2>
        看现场 <small>业主视频时段 {hoursText(data.hours)}</small>
        <span className="owner-tools">
          <LinkTo page="OwnerVideoaccess" query={{ site_id }}>
            视频观看记录
          </LinkTo>
        </span>
      </h2>
      {data.why && <p className="quiet">{data.why}。</p>}
      <div className="owner-wide" tabIndex={0} role="region" aria-label="看现场（表格）">
        <table className="plain-table">
          <thead>
            <tr>
              <th>联系人</th>
              <th>本人答复</th>
              <th>授权</th>
              <th>摄像头</th>
              <th>日期与时段</th>
              <th>操作</th>
            </tr>
          </thead>
          <tbody>
            {data.contacts.map((c) => (
              <tr key={c.contact_id}>
                <td>{c.name}</td>
                <td title={c.consentBy}>
                  {c.consent === null ? '未征询' : `${consentState.label(c.consent)} ${short(c.consentAt)}`}
                </td>
                <td title={c.grant?.reason}>
                  {c.grant ? (
                    <State tone={TONES[c.grant.state] ?? 'grey'}>{grantState.label(c.grant.state)}</State>
                  ) : (
                    '—'
                  )}
                </td>
                <td>
                  {c.grant?.cameras.map((d) => (d.here ? d.sn : `${d.sn}（已不在）`)).join('、') ?? '—'}
                </td>
                <td>{c.grant ? `${c.grant.fromDay} 至 ${c.grant.toDay} ${hoursText(c.grant)}` : '—'}</td>
                <td>
                  <RowActions actions={ofContact(c)} onDone={again} shown={2} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {drawer?.kind === 'grant' && (
        <GrantDrawer of={drawer.of} home={data} onClose={() => setDrawer(null)} onDone={again} />
      )}
      {drawer?.kind === 'answer' && (
        <AnswerDrawer of={drawer.of} onClose={() => setDrawer(null)} onDone={again} />
      )}
    </section>
  )
}
