import { useQuery } from '@tanstack/react-query'
import type { ExamineDetail } from '@zhuguan/contract/features/examine/examine.record.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'

import { call } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { BothSides, Handover } from '../../parts/goodsEvidence.tsx'

/** The goods that a request is about: what both sides say, with their pictures, and how they were handed over. */
export default function GoodsConcerned({ request: r }: { request: ExamineDetail }) {
  const {
    data: g,
    error,
    refetch,
  } = useQuery({
    queryKey: [goodsApi.details.path, r.object_id],
    queryFn: ({ signal }) => call(goodsApi.details, { query: { id: r.object_id } }, signal),
  })
  useLive(['goods'], () => refetch(), { only: (e) => e.id === r.object_id })
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!g)
    return (
      <p aria-busy="true" className="quiet">
        正在读取退换补货…
      </p>
    )
  return (
    <div className="examine-goods">
      <p>
        <LinkTo page="ChangeGoods" query={{ id: g.id }}>
          {g.code}
        </LinkTo>{' '}
        订单 {g.orderCode}，{g.ws_name}，{g.receiverName}
        {g.round > 1 && <b className="examine-late">，第 {g.round} 次退换补</b>}
        {g.late && '，验收以后提出'}
      </p>
      <BothSides of={g} />
      <Handover of={g} />
    </div>
  )
}
