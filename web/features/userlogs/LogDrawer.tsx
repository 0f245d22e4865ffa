import type { LogRow } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import { logOutcome } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import { Drawer } from 'antd'

import { full } from '../../kit/time.ts'
import { objectOf, textOf } from './logWords.ts'

import './userlogs.css'

const text = (value: unknown): string => textOf(value, 1) || '--'

/** One line whole: who, from where, and each thing before and after. */
export default function LogDrawer({ line, onClose }: { line: LogRow; onClose: () => void }) {
  const before = (line.before ?? {}) as Record<string, unknown>
  const after = (line.after ?? {}) as Record<string, unknown>
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return (
    <Drawer open title={line.action} size="min(720px, 100vw)" onClose={onClose}>
      <dl className="facts">
        <div>
          <dt>时间</dt>
          <dd>{full(line.at)}</dd>
        </div>
        <div>
          <dt>用户</dt>
          <dd>
            {line.nickname} {line.userName}
          </dd>
        </div>
        <div>
          <dt>对象</dt>
          <dd>
            {objectOf(line)}{' '}
            {line.objectId && (
              <a href={`#/system/UserLog?object_id=${encodeURIComponent(line.objectId)}`} onClick={onClose}>
                它的全部记录
              </a>
            )}
          </dd>
        </div>
        <div>
          <dt>结果</dt>
          <dd>{logOutcome.label(line.outcome)}</dd>
        </div>
        <div>
          <dt>IP</dt>
          <dd>{line.ip}</dd>
        </div>
        <div>
          <dt>序号</dt>
          <dd>{line.seq ?? '等待封存'}</dd>
        </div>
        <div className="whole-row">
          <dt>终端</dt>
          <dd>{line.agent || '--'}</dd>
        </div>
      </dl>
      <h3>变更</h3>
      {keys.length === 0 ? (
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
            {keys.map((k) => (
              <tr key={k} className={text(before[k]) === text(after[k]) ? '' : 'changed'}>
                <th scope="row">{k}</th>
                <td>{text(before[k])}</td>
                <td>{text(after[k])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Drawer>
  )
}
