import { useQuery } from '@tanstack/react-query'
import { noticeWords } from '@zhuguan/contract/features/consents/notices.record.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import {
  type Contact,
  contactRelation,
  type HomeDetail,
} from '@zhuguan/contract/features/owners/owners.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { useState } from 'react'

import { recordBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePageName, useParam } from '../../kit/page.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { dayOf, full } from '../../kit/time.ts'
import { ContactPhone } from '../../parts/ContactPhone.tsx'
import { useGranted } from '../../parts/granted.tsx'
import { LogLink } from '../../parts/LogLink.tsx'
import { QuestionsPanel } from '../../parts/questions/QuestionsPanel.tsx'
import { HomeDevices } from './HomeDevices.tsx'
import { HomeVideo } from './HomeVideo.tsx'
import type { Opened } from './OwnerDrawers.tsx'

import '../../kit/plainTable.css'
import './owners.css'

const OwnerDrawers = lazyPart(() => import('./OwnerDrawers.tsx'))
const ProgressDrawer = lazyPart(() => import('../../parts/ProgressDrawer.tsx'))
const LinksDrawer = lazyPart(() => import('../../parts/LinksDrawer.tsx'))

/** Fetched when a link to the record is pressed. */
export const ahead = recordBy(ownersApi.details, 'site_id')

/** One home by its people: whose it is, who else is asked, whose it was before. */
export default function OwnerInfoPage() {
  const site_id = useParam('site_id') ?? ''
  const { data, error, refetch } = useQuery({
    queryKey: [ownersApi.details.path, site_id],
    enabled: site_id !== '',
    queryFn: ({ signal }) => call(ownersApi.details, { query: { site_id } }, signal),
  })
  const [opened, setOpened] = useState<Opened | null>(null)
  const [isTelling, setTelling] = useState(false)
  const [linked, setLinked] = useState<Contact | null>(null)
  const again = () => void refetch()
  const signatory = data?.contacts.find((c) => c.signatory && c.endedAt === null)
  usePageName(signatory?.name ?? data?.ws_name)
  useLive(['site'], again, { only: (e) => e.site_id === site_id })
  if (!site_id) return <NoSubject what="业主" from="业主列表" />
  if (error) return <Failed error={error} again={again} />
  if (!data) return <div className="page-wait" aria-busy="true" />
  return (
    <>
      <Home home={data} signatory={signatory} open={setOpened} tell={() => setTelling(true)} />
      <QuestionsPanel site_id={site_id} contacts={data.contacts.filter((c) => c.endedAt === null)} />
      <People home={data} open={setOpened} link={setLinked} onDone={again} />
      <HomeVideo site_id={site_id} />
      <HomeDevices site_id={site_id} />
      {isTelling && <ProgressDrawer site_id={site_id} onClose={() => setTelling(false)} onDone={() => {}} />}
      {linked && (
        <LinksDrawer
          kind="owner"
          target={linked.id}
          to={linked.name}
          title={`${linked.name}的业主链接`}
          onClose={() => setLinked(null)}
        />
      )}
      {opened && <OwnerDrawers opened={opened} onClose={() => setOpened(null)} onDone={again} />}
    </>
  )
}

const termOf = ({ startDate, plannedFinish }: HomeDetail): string =>
  [startDate ? `${startDate} 开工` : '未开工', plannedFinish && `计划 ${plannedFinish} 完工`]
    .filter(Boolean)
    .join('，')

function Home({
  home,
  signatory,
  open,
  tell,
}: {
  home: HomeDetail
  signatory: Contact | undefined
  open: (drawer: Opened) => void
  tell: () => void
}) {
  const granted = useGranted()
  const actions = signatory
    ? granted([
        { needs: 'thread:reply', key: 'progress', label: '今日进度', open: tell },
        {
          needs: 'owner:edit',
          key: 'correct',
          label: '更正业主',
          open: () => open({ kind: 'correct', contact: signatory }),
        },
        {
          needs: 'owner:change',
          key: 'change',
          label: '更换业主',
          open: () => open({ kind: 'change', contact: signatory }),
        },
      ])
    : []
  return (
    <section className="card section">
      <h2>
        {signatory?.name ?? '还没有业主'} <State tone="grey">{siteStatus.label(home.status)}</State>
        <span className="owner-tools">
          <RowActions actions={actions} onDone={() => {}} shown={3} />
          <LogLink object="contact" id={home.id} />
        </span>
      </h2>
      <Facts>
        <Fact name="电话">{signatory && <ContactPhone of={signatory} />}</Fact>
        <Fact name="工地">
          <LinkTo page="SiteInfo" query={{ id: home.id }}>
            {`${home.code} ${home.ws_name}`}
          </LinkTo>
        </Fact>
        <Fact name="分公司">{home.bc_name}</Fact>
        <Fact name="地址">{`${home.community} ${home.address}`.trim()}</Fact>
        <Fact name="工期">{termOf(home)}</Fact>
        <Fact name="合同">{home.contract}</Fact>
        <Fact name="项目管家">{home.steward}</Fact>
        <Fact name="项目经理">{home.manager}</Fact>
        <Fact name="告知书">{noticeWords(home.notice)}</Fact>
        {home.others.length > 0 && (
          <Fact name="名下其他工地" whole>
            {home.others.map((o) => (
              <LinkTo key={o.id} page="OwnerInfo" query={{ site_id: o.id }}>
                {`${o.code} ${o.ws_name} `}
              </LinkTo>
            ))}
          </Fact>
        )}
      </Facts>
    </section>
  )
}

function People({
  home,
  open,
  link,
  onDone,
}: {
  home: HomeDetail
  open: (drawer: Opened) => void
  link: (contact: Contact) => void
  onDone: () => void
}) {
  const granted = useGranted()
  const living = home.contacts.filter((c) => c.endedAt === null)
  const before = home.contacts.filter((c) => c.endedAt !== null)
  const actionsOf = (c: Contact) => [
    ...granted([{ needs: 'owner:link', key: 'link', label: '业主链接', open: () => link(c) }]),
    ...(c.signatory
      ? []
      : granted([
          { needs: 'owner:edit', key: 'edit', label: '编辑', open: () => open({ kind: 'edit', contact: c }) },
          {
            needs: 'owner:edit',
            key: 'end',
            label: '移除',
            reason: true,
            confirm: `移除联系人${c.name}：请写明原因`,
            run: (reason: string) =>
              call(ownersApi.endContact, { body: { id: c.id, version: c.version, reason } }),
          },
        ])),
  ]
  const acts = living.some((c) => actionsOf(c).length > 0)
  const add = granted([
    {
      needs: 'owner:edit',
      key: 'add',
      label: '新增联系人',
      open: () => open({ kind: 'contact', site_id: home.id }),
    },
  ])
  return (
    <>
      <section className="card section">
        <h2>
          联系人 <small>{living.length} 位</small>
          <span className="owner-tools">
            {living.length > 0 && <RowActions actions={add} onDone={onDone} />}
          </span>
        </h2>
        <table className="plain-table">
          <thead>
            <tr>
              <th>姓名</th>
              <th>关系</th>
              <th>电话</th>
              <th>登记时间</th>
              {acts && <th>操作</th>}
            </tr>
          </thead>
          <tbody>
            {living.map((c) => (
              <tr key={c.id}>
                <td>{c.name}</td>
                <td>
                  {contactRelation.label(c.relation)}
                  {c.signatory && '（签约人）'}
                </td>
                <td>
                  <ContactPhone of={c} />
                </td>
                <td>{dayOf(c.since)}</td>
                {acts && (
                  <td>
                    <RowActions actions={actionsOf(c)} onDone={onDone} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
        {living.length === 0 && <p className="quiet">还没有业主：在业主列表点“新增”登记。</p>}
      </section>
      {before.length > 0 && (
        <section className="card section">
          <h2>
            以前的联系人 <small>{before.length} 位</small>
          </h2>
          <table className="plain-table">
            <thead>
              <tr>
                <th>姓名</th>
                <th>关系</th>
                <th>从</th>
                <th>到</th>
                <th>原因</th>
                <th>经手人</th>
              </tr>
            </thead>
            <tbody>
              {before.map((c) => (
                <tr key={c.id}>
                  <td>{c.name}</td>
                  <td>{contactRelation.label(c.relation)}</td>
                  <td>{dayOf(c.since)}</td>
                  <td>{full(c.endedAt)}</td>
                  <td>{c.endedFor}</td>
                  <td>{c.endedBy}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  )
}
