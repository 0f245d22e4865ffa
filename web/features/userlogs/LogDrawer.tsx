import type { LogRow } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import { logOutcome } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import { Drawer } from 'antd'

import { Fact, Facts } from '../../kit/Facts.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { full } from '../../kit/time.ts'
import { kindOf } from './logWords.ts'
import { ObjectLink } from './ObjectLink.tsx'

import './userlogs.css'

/** One line whole: who, from where, and each thing before and after. */
export default function LogDrawer({ line, onClose }: { line: LogRow; onClose: () => void }) {
  return (
    <Drawer open title={line.action} size="min(720px, 100vw)" onClose={onClose}>
      <Facts>
        <Fact name="时间">{full(line.at)}</Fact>
        <Fact name="用户">
          {line.nickname || '系统'} {line.userName}
        </Fact>
        <Fact name="对象">
          {kindOf(line)} <ObjectLink line={line} />{' '}
          {line.objectId && (
            <LinkTo page="UserLog" query={{ object_id: line.objectId }} onClick={onClose}>
              它的全部记录
            </LinkTo>
          )}
        </Fact>
        <Fact name="结果">{logOutcome.label(line.outcome)}</Fact>
        <Fact name="IP">{line.ip}</Fact>
        <Fact name="序号">{line.seq ?? '等待封存'}</Fact>
        <Fact whole name="终端">
          <span title={line.agent}>{line.terminal}</span>
        </Fact>
      </Facts>
      <h3>变更</h3>
      {line.changes.length === 0 ? (
        <p className="quiet">这一条没有数据变更。</p>
      ) : (
        <table className="changes">
          <thead>
            <tr>
              <th>项目</th>
              <th>变更前</th>
              <th>变更后</th>
            </tr>
          </thead>
          <tbody>
            {line.changes.map((c) => (
              <tr key={c.title}>
                <th scope="row">{c.title}</th>
                <td>{c.before || '--'}</td>
                <td>{c.after || '--'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Drawer>
  )
}
