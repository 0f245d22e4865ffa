import { useQuery } from '@tanstack/react-query'
import { personsApi } from '@zhuguan/contract/features/persons/persons.api.ts'
import {
  personAsk,
  personBar,
  personData,
  type PersonDetail,
  personKind,
  type PersonPlanLine,
  personProof,
  personState,
} from '@zhuguan/contract/features/persons/persons.record.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { nameOf, StateOf } from './personTable.tsx'
import type { Revealed } from './usePersonActions.ts'

import './persons.css'

const { refused } = personState.code
const { team, works } = personBar.code

/** The fate of one kind: gone, going, or kept and why. */
function fateOf({ bars, gone, law }: PersonPlanLine): string {
  if (gone) return '已删除'
  if (law) return `保留：${law}`
  if (bars.length === 0) return '删除'
  const isNeeded = bars.includes(works) || bars.includes(team)
  const still = isNeeded ? '，这期间有关的人照常使用' : ''
  return `暂时保留：${bars.map(personBar.label).join('、')}${still}；原因没有了，当天夜里自动删除`
}
function Plan({ of: r }: { of: PersonDetail }) {
  if (r.plan.length === 0) return <p className="quiet">没有找到这个人的其他信息。</p>
  return (
    <table className="person-plan">
      <thead>
        <tr>
          <th>个人信息</th>
          <th className="count">条数</th>
          <th className="count">照片和文件</th>
          <th>怎样处理</th>
        </tr>
      </thead>
      <tbody>
        {r.plan.map((line, i) => (
          <tr key={i}>
            <td>{personData.label(line.data)}</td>
            <td className="count">{line.rows}</td>
            <td className="count">{line.files || ''}</td>
            <td>{fateOf(line)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** One request: who asks, how we know it, what goes and what stays. */
export default function PersonPanel({
  id,
  version,
  actionsOf,
  revealed,
  onDone,
  onClose,
}: {
  id: string
  version: number | undefined
  actionsOf: (r: PersonDetail) => RowAction[]
  revealed: Revealed
  onDone: () => void
  onClose: () => void
}) {
  const {
    data: r,
    error,
    refetch,
  } = useQuery({
    queryKey: [personsApi.details.path, id, version],
    queryFn: ({ signal }) => call(personsApi.details, { query: { id } }, signal),
  })
  const actions = r ? actionsOf(r) : []
  return (
    <Drawer
      open
      title={r ? `${r.no} ${personAsk.label(r.ask)}` : '个人信息请求'}
      size="min(720px, 100vw)"
      mask={false}
      onClose={onClose}
      footer={actions.length > 0 && <RowActions bar actions={actions} onDone={onDone} />}
    >
      {error && <Failed error={error} again={() => void refetch()} />}
      {r && (
        <>
          <Facts>
            <Fact name="进度">
              <StateOf row={r} />
            </Fact>
            <Fact name="本人">
              {nameOf(r)}（{personKind.label(r.kind)}）
            </Fact>
            <Fact name="答复期限">{r.late ? `${r.due}，已超期` : r.due}</Fact>
            <Fact name="收到">
              {full(r.receivedAt)} {r.receivedBy}
            </Fact>
            {r.proof && (
              <Fact name="核实">
                {personProof.label(r.proof)}，{r.verifiedBy}
              </Fact>
            )}
            {r.executedBy && (
              <Fact name="执行">
                {r.executedBy} {r.executedAt ? full(r.executedAt) : ''}
              </Fact>
            )}
            {r.refusedFor && <Fact name="驳回原因">{r.refusedFor}</Fact>}
            <Fact name="分公司">{r.bc_name}</Fact>
            {revealed.map((n) => (
              <Fact key={n.phone} name="联系方式">{`${n.name} ${n.phone}`}</Fact>
            ))}
          </Facts>
          <p>{r.words}</p>
          {r.paper && <Picture picture={r.paper} caption="本人签字的材料" height={120} />}
          {r.ask === personAsk.code.erase && r.state !== refused && (
            <>
              <h3>删什么，留什么</h3>
              <Plan of={r} />
            </>
          )}
          {r.digest && (
            <p className="quiet">
              删除证明（只有数量，没有内容）：<span className="person-digest">{r.digest}</span>
            </p>
          )}
          <p>
            <LogLink object="person" id={r.id} />
          </p>
        </>
      )}
    </Drawer>
  )
}
