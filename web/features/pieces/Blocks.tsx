import type { countsApi } from '@zhuguan/contract/features/pieces/counts.api.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'

type Blocks = DataOf<typeof countsApi.board>['blocks']
const isOpen = (b: Blocks[number]) => b.state === orderState.code.toOrder

/** Sites whose stage is here, or near, while its goods are missing. */
export function Blocks({ blocks }: { blocks: Blocks }) {
  return (
    <section className="card section chart-card board-blocks-card">
      <h2>
        卡住的工地<small>阶段已到或 3 天内开始，商品还没验收</small>
      </h2>
      {blocks.length === 0 ? (
        <p className="quiet empty">没有工地在等商品。</p>
      ) : (
        <table className="plain-table board-blocks">
          <thead>
            <tr>
              <th>工地</th>
              <th>阶段</th>
              <th>计划开始</th>
              <th>卡在</th>
              <th>商品</th>
            </tr>
          </thead>
          <tbody>
            {blocks.map((b) => (
              <tr key={`${b.site_id} ${b.stage} ${b.state}`}>
                <td>{b.ws_name}</td>
                <td>{siteStage.label(b.stage)}</td>
                <td>{b.stageOn}</td>
                <td>
                  <LinkTo
                    page={isOpen(b) ? 'OrderPlan' : 'OrderList'}
                    query={{ site_id: b.site_id, ...(isOpen(b) ? {} : { pieceState: String(b.state) }) }}
                  >
                    {orderState.label(b.state)} {b.pieces} 件
                  </LinkTo>
                </td>
                <td className="board-names" title={b.names}>
                  {b.names}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
