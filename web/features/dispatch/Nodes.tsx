import type { NoteDetail } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'

import { Picture } from '../../kit/Picture.tsx'
import { full, short } from '../../kit/time.ts'

type Node = NoteDetail['tracks'][number]['nodes'][number]
const SAID = { system: '系统', person: '', driver: '司机上报', carrier: '承运商上报' } as const
const LATE_S = 600

/** What was told of one way, the newest first; a carrier's message may come hours after what it tells of. */
export const Nodes = ({ of }: { of: readonly Node[] }) => (
  <ol className="log" data-gallery>
    {of.toReversed().map((n, i) => (
      <li key={i}>
        <p>
          <b>{n.title}</b> {n.place}
        </p>
        {n.photo && (
          <Picture picture={n.photo} caption={`${n.title} ${full(n.at)}`} width={120} height={90} />
        )}
        <small title={full(n.at)}>
          {short(n.at)} {[n.who, SAID[n.source]].filter(Boolean).join(' · ')}
          {n.heardAt - n.at > LATE_S && `，${short(n.heardAt)} 收到`}
        </small>
      </li>
    ))}
  </ol>
)
