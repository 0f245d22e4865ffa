import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { usePage, usePageName } from '../../kit/page.tsx'
import { short } from '../../kit/time.ts'
import { type Draft, itemOf, missingOf } from './draftStore.ts'
import { PatrolItemCard } from './PatrolItemCard.tsx'
import { placeText } from './place.ts'
import { type DraftInHand, useDraft } from './useDraft.ts'

const AskDialog = lazyPart(() => import('../../kit/AskDialog.tsx'))

/** The patrol that is being done: item by item, kept in this browser, handed in once. */
export function PatrolSheet({ id }: { id: string }) {
  const hand = useDraft(id)
  const [done, setDone] = useState<{ number: string; score: number | null; problems: number } | null>(null)
  usePageName(hand.draft ? `巡检 ${hand.draft.patrol.siteName}` : undefined)
  if (done) return <Done id={id} {...done} />
  if (hand.failure) return <Failed error={hand.failure} again={() => void hand.again()} />
  if (hand.draft === undefined) return <div className="page-wait" aria-busy="true" />
  if (hand.draft === null)
    return (
      <div className="empty">
        <h2>这次巡检已经结束</h2>
        <p className="quiet">它已提交或放弃，或者由别人进行。</p>
        <p>
          <LinkTo page="PatrolDo">回到我的巡检</LinkTo>
        </p>
      </div>
    )
  return <Sheet draft={hand.draft} hand={hand} onDone={setDone} />
}

function Done({
  id,
  number,
  score,
  problems,
}: {
  id: string
  number: string
  score: number | null
  problems: number
}) {
  return (
    <div className="empty patrol-done" role="status">
      <h2>已提交 {number}</h2>
      <p>
        {score === null ? '没有适用的检查项' : `得分 ${score}`}，
        {problems ? `${problems} 个问题已开出整改单，责任人会收到通知` : '没有问题'}
      </p>
      <p>
        <LinkTo page="PatrolRecord" query={{ id }}>
          查看这次巡检
        </LinkTo>
        {' · '}
        <LinkTo page="PatrolDo">回到我的巡检</LinkTo>
      </p>
    </div>
  )
}

function Sheet({
  draft,
  hand,
  onDone,
}: {
  draft: Draft
  hand: DraftInHand
  onDone: (done: { number: string; score: number | null; problems: number }) => void
}) {
  const { go } = usePage()
  const [asked, setAsked] = useState(false)
  const [giving, setGiving] = useState(false)
  const [busy, setBusy] = useState(false)
  const { patrol } = draft
  const missing = missingOf(draft)
  const judged = patrol.items.filter((i) => itemOf(draft, i.id).verdict !== null).length
  const whyOf = (id: string) => missing.find((m) => m.id === id)?.why
  async function submit() {
    setAsked(true)
    if (missing.length) {
      document.getElementById(`item-${missing[0]!.id}`)?.scrollIntoView({ block: 'center' })
      return
    }
    const answer = await hand.handIn()
    if ('error' in answer) message.error(answer.error)
    else onDone(answer.done)
  }
  async function abandon(reason: string) {
    setBusy(true)
    try {
      await call(patrolsApi.abandon, { body: { id: patrol.id, version: patrol.version, reason } })
      await hand.forget()
      message.success('已放弃这次巡检')
      go(linkTo('PatrolDo'))
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="patrol-sheet">
      <header className="card">
        <h2>{patrol.siteName}</h2>
        <p className={patrol.place === 'far' ? 'far' : 'quiet'}>{placeText(patrol)}</p>
        <small className="quiet">
          {patrol.number} · {patrol.templateName} · {short(patrol.begunAt)} 开始
          {patrol.planStopped && '，计划已停用，仍可提交'}
        </small>
      </header>
      <p className={`patrol-kept${hand.online ? '' : ' offline'}`} role="status">
        {hand.online ? '' : '没有网络，可以继续填写。'}
        {hand.unsent > 0 && `${hand.unsent} 张照片未上传。`}
        草稿存在这台设备上（{short(draft.savedAt).slice(6)}）
      </p>
      {patrol.items.map((item, i) => (
        <PatrolItemCard
          key={item.id}
          number={i + 1}
          item={item}
          said={itemOf(draft, item.id)}
          people={draft.people}
          why={asked ? whyOf(item.id) : undefined}
          frozen={hand.busy}
          onChange={(to) => void hand.change(item.id, to)}
          onPhotos={(files) => void hand.addPhotos(item.id, files)}
          onRemove={(photo) => void hand.removePhoto(item.id, photo)}
        />
      ))}
      <section className="card patrol-item">
        <label htmlFor="patrol-remark">总体说明</label>
        <textarea
          id="patrol-remark"
          rows={3}
          maxLength={500}
          value={draft.remark}
          disabled={hand.busy}
          onChange={(e) => void hand.remark(e.target.value)}
        />
        <button className="text-button" onClick={() => setGiving(true)}>
          放弃这次巡检
        </button>
      </section>
      <footer>
        <span>
          已判 <b>{judged}</b>/{patrol.items.length}
        </span>
        <button className="button primary big" disabled={hand.busy} onClick={() => void submit()}>
          {hand.busy ? '正在提交…' : '提交'}
        </button>
      </footer>
      {giving && (
        <AskDialog
          action={{
            key: 'abandon',
            label: '放弃巡检',
            reason: true,
            danger: true,
            confirm: `放弃 ${patrol.siteName} 的这次巡检：填写的内容和照片会删除，请写明原因`,
          }}
          busy={busy}
          onCancel={() => setGiving(false)}
          onOk={(reason) => void abandon(reason)}
        />
      )}
    </div>
  )
}
