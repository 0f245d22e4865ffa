import { useQuery } from '@tanstack/react-query'
import { logisticsStatus, logisticsType } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { logisticsApi } from '@zhuguan/contract/features/dispatch/logistics.api.ts'
import type { LogisticsDetail } from '@zhuguan/contract/features/dispatch/logistics.record.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { short } from '../../kit/time.ts'
import { OrderLink } from '../../parts/documentLinks.tsx'
import { LegProgress, LegStatus, RelatedLink } from './legStates.tsx'
import { Nodes } from './Nodes.tsx'

type Track = LogisticsDetail['tracks'][number]

function TrackOf({ of: t, alone }: { of: Track; alone: boolean }) {
  const way = [t.carrier, t.waybill].filter(Boolean).join(' ')
  return (
    <section className="leg-track">
      {!alone && (
        <h3 className="leg-title">
          {logisticsType.label(t.type)} {t.related || t.code}{' '}
          {t.status === logisticsStatus.code.back ? (
            <LegStatus of={t} />
          ) : (
            <LegProgress of={{ ...t, late: false }} />
          )}
        </h3>
      )}
      {way && <p className="quiet">{way}</p>}
      <Nodes of={t.nodes} />
    </section>
  )
}

/** One way with its parents and children as one track, the newest above. */
export default function LegDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const {
    data: leg,
    error,
    refetch,
  } = useQuery({
    queryKey: [logisticsApi.details.path, id],
    queryFn: ({ signal }) => call(logisticsApi.details, { query: { id } }, signal),
  })
  useLive(['dispatch'], () => refetch(), { only: (e) => e.id === id || e.id === leg?.note_id })
  const tracks = leg?.tracks.toReversed() ?? []
  return (
    <Drawer open title={leg ? `物流 ${leg.code}` : '物流轨迹'} size="min(640px, 100vw)" onClose={onClose}>
      {error && <Failed error={error} again={() => void refetch()} />}
      {leg && (
        <>
          <Facts>
            <Fact name="类型">{logisticsType.label(leg.type)}</Fact>
            <Fact name="关联单">
              <RelatedLink of={leg} />
            </Fact>
            <Fact name="订单">
              <OrderLink id={leg.order_id} code={leg.orderCode} />
            </Fact>
            <Fact name="工地">{leg.ws_name}</Fact>
            <Fact name="商家">{leg.receiverName}</Fact>
            <Fact name="承运">{[leg.carrier, leg.waybill].filter(Boolean).join(' ')}</Fact>
            <Fact name="进度">
              <LegProgress of={leg} />
            </Fact>
            <Fact name="状态">
              <LegStatus of={leg} />
            </Fact>
            <Fact name="预计到达">{leg.expectedOn}</Fact>
            <Fact name="签收">{leg.signedBy && `${leg.signedBy} ${short(leg.signedAt)}`}</Fact>
            <Fact name="商品" whole>
              {leg.goods}
            </Fact>
          </Facts>
          {tracks.map((t) => (
            <TrackOf key={t.id} of={t} alone={tracks.length === 1} />
          ))}
        </>
      )}
    </Drawer>
  )
}
