import {
  finding,
  type GoodsChangeDetail,
  type GoodsChangeRow,
  goodsAnswer,
  goodsOutcome,
  goodsReason,
} from '@zhuguan/contract/features/goods/goods.record.ts'

import { hrefOf } from '../kit/LinkTo.tsx'
import { Picture } from '../kit/Picture.tsx'
import { clock, full, short } from '../kit/time.ts'
import { useMayReach } from './session.ts'

import './goodsEvidence.css'

/** The facts that a change asks for. */
export const whatOf = (g: Pick<GoodsChangeRow, 'result' | 'surplus'>): string =>
  g.surplus || g.result === null ? '多件' : finding.label(g.result)
/** The fate of the goods, with why and whether they stay. */
const outcomeOf = (g: GoodsChangeDetail): string =>
  [g.outcome && goodsOutcome.label(g.outcome), g.outcomeReason, g.scrap && '现场报废，不退回']
    .filter(Boolean)
    .join('，')

const Shots = ({ keys, caption }: { keys: readonly string[]; caption: string }) =>
  keys.length > 0 && (
    <div className="evidence-shots">
      {keys.map((key) => (
        <Picture key={key} picture={key} caption={caption} width={132} height={99} />
      ))}
    </div>
  )

/** The words of both parties about it, each with their pictures. */
export function BothSides({ of: g }: { of: GoodsChangeDetail }) {
  const outcome = outcomeOf(g)
  return (
    <div className="both-sides" data-gallery>
      <section>
        <h4>
          下单方 <small>{`${g.madeBy} ${short(g.madeAt)}`}</small>
        </h4>
        <p>
          <b>{`${whatOf(g)} ${g.quantity} ${g.unit}`}</b>，{goodsReason.label(g.reasonCode)}
        </p>
        {g.reason && <p>{g.reason}</p>}
        {outcome && <p className="quiet">{outcome}</p>}
        <Shots keys={g.photos} caption={`${g.name} ${whatOf(g)} ${full(g.madeAt)}`} />
      </section>
      <section>
        <h4>
          商家 <small>{g.answerAt === null ? g.receiverName : `${g.answerName} ${short(g.answerAt)}`}</small>
        </h4>
        <p>
          {g.answer === '' ? (
            <span className="quiet">还没有答复，期限 {short(g.answerDue)}</span>
          ) : (
            <b>{goodsAnswer.label(g.answer)}</b>
          )}
        </p>
        {g.answerReason && <p>{g.answerReason}</p>}
        <Shots keys={g.answerPhotos} caption={`${g.receiverName} ${goodsAnswer.label(g.answer)}`} />
      </section>
    </div>
  )
}

/** The handover of the goods: picture and signature, and to those who ordered what the cameras saw. */
export function Handover({ of: g }: { of: GoodsChangeDetail }) {
  if (g.deliveredAt === null) return null
  return (
    <section className="handover" data-gallery>
      <h4>
        交接 <small>{`${full(g.deliveredAt)} ${g.deliveredBy} ${g.deliveredPlace}`.trim()}</small>
      </h4>
      <div className="evidence-shots">
        {g.deliveryPhoto && (
          <figure>
            <Picture
              picture={g.deliveryPhoto}
              caption={`送达照片 ${full(g.deliveredAt)}`}
              width={132}
              height={99}
            />
            <figcaption>送达照片</figcaption>
          </figure>
        )}
        {g.signature && (
          <figure>
            <Picture picture={g.signature} caption="签收" width={132} height={99} />
            <figcaption>签收</figcaption>
          </figure>
        )}
        {g.still && (
          <figure>
            <Picture
              picture={g.still.picture}
              caption={`交接前的工地 ${full(g.still.at)}`}
              width={132}
              height={99}
            />
            <figcaption>摄像头 {short(g.still.at)}</figcaption>
          </figure>
        )}
      </div>
      {g.buyer && <Clips of={g} />}
    </section>
  )
}
function Clips({ of: g }: { of: GoodsChangeDetail }) {
  const mayWatch = useMayReach('videoRecord')
  const recorded = g.clips.filter((c) => c.recorded)
  const [asked] = g.clips
  if (recorded.length === 0)
    return (
      <p className="quiet">
        {asked
          ? `没有录像：摄像头没有传来 ${clock(asked.from)}–${clock(asked.to)} 的录像。`
          : '没有录像：交接时工地没有摄像头。'}
      </p>
    )
  return (
    <ul className="handover-clips">
      {recorded.map((c) => (
        <li key={c.device_id}>
          录像 {c.deviceSn} {clock(c.from)}–{clock(c.to)}，已留存
          {mayWatch && (
            <a
              href={hrefOf('videoRecord', { device_id: c.device_id, at: g.deliveredAt, for: 'acceptance' })}
              target="_blank"
              rel="noreferrer"
            >
              看交接时的录像
            </a>
          )}
        </li>
      ))}
      {!mayWatch && (
        <li className="quiet">
          您没有“录像回放”，要看请找分公司总经理、项目经理或巡检员
          {g.still && '；上面有摄像头的截图'}。
        </li>
      )}
    </ul>
  )
}
