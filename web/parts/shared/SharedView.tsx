import type { SharePage } from '@zhuguan/contract/features/shares/share-page.record.ts'
import { shareSection } from '@zhuguan/contract/features/shares/shares.record.ts'
import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/stages.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'
import { type ReactNode, useEffect, useRef } from 'react'

import { barePart } from '../../kit/barePart.tsx'
import { full } from '../../kit/time.ts'
import { SharedCase } from './SharedCase.tsx'

import './shared.css'

/** Most links show a home: prices come where there are some. */
const SharedQuotation = barePart(() => import('./SharedQuotation.tsx'))

export type ShareSection = Code<typeof shareSection>
export type PictureOf = (key: string, title: string) => ReactNode
const { contact, package: packages, sites } = shareSection.code

/** A part of the page that says when it has come into sight. */
export function Seen({
  as,
  look,
  title,
  children,
}: {
  as: ShareSection
  look: (section: ShareSection) => void
  title?: ReactNode
  children: ReactNode
}) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!('IntersectionObserver' in window)) return look(as)
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((e) => e.isIntersecting)) return
      look(as)
      watch.disconnect()
    })
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [])
  return (
    <section ref={box} className="share-card">
      {title && <h2>{title}</h2>}
      {children}
    </section>
  )
}

function stageWords(s: SharePage['sites'][number]): string {
  if (s.status === siteStatus.code.finished) return '已完工'
  return s.stage ? siteStage.label(s.stage) : '已开工'
}

function NearSites({ list }: { list: SharePage['sites'] }) {
  return (
    <ul className="share-lines">
      {list.map((s) => (
        <li key={s.id}>
          <b>{s.community}</b>
          <span>
            {[stageWords(s), s.style].filter(Boolean).join(' · ')}
            {s.days !== null && s.status !== siteStatus.code.finished && ` · 第 ${s.days} 天`}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Package({ of: p }: { of: NonNullable<SharePage['package']> }) {
  const rooms = [...new Set(p.items.map((i) => i.room))]
  return (
    <>
      <p className="share-big">
        {p.perSquareMetre} <small>元/㎡，{p.leastArea} ㎡起</small>
      </p>
      <dl className="share-rooms">
        {rooms.map((room) => (
          <div key={room}>
            <dt>{room}</dt>
            <dd>
              {p.items
                .filter((i) => i.room === room)
                .map((i) => i.name)
                .join('、')}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const isEmpty = (p: SharePage) => !p.quotation && !p.cases.length && !p.sites.length && !p.package

/** The customer's view: on their telephone, and in small beside what is being composed for them. */
export function SharedView({
  page: p,
  away = false,
  isDraft = false,
  look,
  picture,
  children,
}: {
  page: SharePage
  away?: boolean
  /** It is still being composed: nobody has a link to it by which it would end. */
  isDraft?: boolean
  look: (section: ShareSection) => void
  picture: PictureOf
  /** The way in which somebody asks for more. */
  children?: ReactNode
}) {
  return (
    <main className="share-page">
      <header>
        <p className="share-company">{p.company}</p>
        <h1>{p.title}</h1>
        {p.person && <p>{p.person}，您好</p>}
        {p.words && <p className="share-words">{p.words}</p>}
        {away && (
          <p className="share-away" role="status">
            现在没有网络，下面是刚才的内容
          </p>
        )}
      </header>
      {p.quotation && <SharedQuotation of={p.quotation} look={look} />}
      {p.cases.map((c) => (
        <SharedCase key={c.id} of={c} at={p.at} look={look} picture={picture} />
      ))}
      {p.sites.length > 0 && (
        <Seen as={sites} look={look} title="附近工地">
          <NearSites list={p.sites} />
        </Seen>
      )}
      {p.package && (
        <Seen as={packages} look={look} title={p.package.name}>
          <Package of={p.package} />
        </Seen>
      )}
      {isEmpty(p) && (
        <section className="share-card">
          <p className="quiet">
            {isDraft ? '还没有放内容。' : `这里的内容已经不再公开。想继续了解，请联系${p.maker}。`}
          </p>
        </section>
      )}
      {children && (
        <Seen as={contact} look={look} title="我要了解">
          {children}
        </Seen>
      )}
      <footer>
        <p>
          {p.maker} 发给您{isDraft ? '' : `，${full(p.expiresAt).slice(0, 16)} 前可以打开`}
          {p.companyPhone && (
            <>
              ，电话 <a href={`tel:${p.companyPhone}`}>{p.companyPhone}</a>
            </>
          )}
        </p>
        <p>您打开这一页、看了哪些内容、看了多久，发给您的人看得到，记录保留 180 天。</p>
      </footer>
    </main>
  )
}
