import { useQuery } from '@tanstack/react-query'
import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import type { NoteDetail, NoteRow } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import type { TripRow } from '@zhuguan/contract/features/dispatch/trips.record.ts'
import { linkKind } from '@zhuguan/contract/features/links/links.record.ts'
import { MAX_PAGE_SIZE } from '@zhuguan/contract/kit/paging.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import LinksDrawer from '../../parts/LinksDrawer.tsx'
import { useActor } from '../../parts/session.ts'
import { NoteState } from './noteStates.tsx'
import { PaperLine, PrintWithLink } from './PrintWithLink.tsx'
import TripEditDrawer from './TripEditDrawer.tsx'
import { useMayLink } from './useNoteActions.ts'

import '../../kit/plainTable.css'
import './notes.css'

/** A trip with its stops in their order. */
async function tripOf(
  id: string,
  signal: AbortSignal,
): Promise<{ trip: TripRow | undefined; stops: NoteRow[] }> {
  const [[trip], { list }] = await Promise.all([
    call(tripsApi.list, { query: { id } }, signal),
    call(dispatchApi.list, { query: { trip_id: id, pageSize: MAX_PAGE_SIZE } }, signal),
  ])
  return { trip, stops: list.toSorted((a, b) => (a.stop ?? 0) - (b.stop ?? 0)) }
}

/** One trip: who drives, where it stops, and one link and one paper for all of its notes. */
export function TripDrawer({ id, code, onClose }: { id: string; code: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: [tripsApi.list.path, id],
    queryFn: ({ signal }) => tripOf(id, signal),
  })
  const [asked, setAsked] = useState<'edit' | 'link' | 'print' | null>(null)
  const mayLink = useMayLink()
  const actor = useActor()
  const { trip, stops = [] } = data ?? {}
  useLive(['dispatch'], () => refetch(), { only: (e) => stops.some((n) => n.id === e.id) })
  const isOpen = trip?.receiver === true && stops.some(mayLink)
  const mayEdit = trip?.receiver === true && trip.open && hasPermission(actor, 'dispatch:ship')
  const asking = [
    { key: 'link', label: '司机链接', may: isOpen, first: true },
    { key: 'edit', label: '改车次', may: mayEdit, first: false },
    { key: 'print', label: '打印', may: stops.length > 0, first: false },
  ] as const
  return (
    <Drawer
      open
      title={`车次 ${code}`}
      size="min(640px, 100vw)"
      onClose={onClose}
      footer={
        (stops.length > 0 || mayEdit) && (
          <div className="actions bar">
            {asking
              .filter((k) => k.may)
              .map(({ key, label, first }) => (
                <button
                  key={key}
                  className={first ? 'button primary' : 'button'}
                  onClick={() => setAsked(key)}
                >
                  {label}
                </button>
              ))}
          </div>
        )
      }
    >
      {error && <Failed error={error} again={() => void refetch()} />}
      {!data && !error && (
        <p className="quiet" aria-busy="true">
          正在读取车次…
        </p>
      )}
      {trip && (
        <Facts>
          <Fact name="日期">{trip.day}</Fact>
          <Fact name="车牌">{trip.plate}</Fact>
          <Fact name="司机">{trip.driver}</Fact>
          <Fact name="电话">{trip.driverPhone}</Fact>
        </Facts>
      )}
      {data && <Stops of={stops} />}
      {asked === 'edit' && trip && (
        <TripEditDrawer
          trip={trip}
          stops={stops}
          onClose={() => setAsked(null)}
          onDone={async () => {
            await refetch()
            setAsked(null)
          }}
        />
      )}
      {asked === 'link' && (
        <LinksDrawer
          kind={linkKind.code.driver}
          target={id}
          title={`司机链接 · 车次 ${code}`}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'print' && trip && (
        <TripPrint trip={trip} stops={stops} mayLink={isOpen} onClose={() => setAsked(null)} />
      )}
    </Drawer>
  )
}

const Stops = ({ of }: { of: readonly NoteRow[] }) => (
  <table className="plain-table note-lines">
    <thead>
      <tr>
        <th>站</th>
        <th>发货单</th>
        <th>工地</th>
        <th className="right">行数</th>
        <th>状态</th>
      </tr>
    </thead>
    <tbody>
      {of.map((n) => (
        <tr key={n.id}>
          <td className="note-nowrap">第 {n.stop ?? '--'} 站</td>
          <td className="note-nowrap">{n.code}</td>
          <td>{n.ws_name}</td>
          <td className="right">{n.lines}</td>
          <td className="note-nowrap">
            <NoteState of={n} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** The trip on paper, with the address of every stop. */
function TripPrint({
  trip,
  stops,
  mayLink,
  onClose,
}: {
  trip: TripRow
  stops: readonly NoteRow[]
  mayLink: boolean
  onClose: () => void
}) {
  const { data, error } = useQuery({
    queryKey: [dispatchApi.details.path, ...stops.map((n) => n.id)],
    queryFn: ({ signal }) =>
      Promise.all(stops.map((n) => call(dispatchApi.details, { query: { id: n.id } }, signal))),
  })
  if (error) return <Failed error={error} again={onClose} />
  if (!data) return null
  return (
    <PrintWithLink title="车次单" code={trip.code} target={trip.id} mayLink={mayLink} onClose={onClose}>
      <div className="note-paper-facts">
        <PaperLine name="日期">{trip.day}</PaperLine>
        <PaperLine name="车牌">{trip.plate}</PaperLine>
        <PaperLine name="司机">{trip.driver}</PaperLine>
        <PaperLine name="电话">{trip.driverPhone}</PaperLine>
        <PaperLine name="发货方">{data[0]?.receiverName}</PaperLine>
        <PaperLine name="站数">{data.length}</PaperLine>
      </div>
      <table className="plain-table note-lines">
        <thead>
          <tr>
            <th>站</th>
            <th>发货单</th>
            <th>收货地址</th>
            <th>联系人</th>
            <th>商品</th>
          </tr>
        </thead>
        <tbody>
          {data.map((n) => (
            <tr key={n.id}>
              <td>{n.stop ?? '--'}</td>
              <td className="note-nowrap">{n.code}</td>
              <td>{[n.ws_name, n.address, n.window].filter(Boolean).join('，')}</td>
              <td>{`${n.contact} ${n.contactPhone}`.trim()}</td>
              <td>{goodsOf(n)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </PrintWithLink>
  )
}
const goodsOf = (n: NoteDetail): string =>
  n.lineList.map((l) => `${l.name} ${l.quantity} ${l.unit}`).join('、')
