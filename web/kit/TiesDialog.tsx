import { Modal } from 'antd'

import type { ApiError } from './api.ts'

/** The reason why something cannot go, and where what holds it can be seen. */
export default function TiesDialog({ error, onClose }: { error: ApiError; onClose: () => void }) {
  return (
    <Modal open title="系统提示" width="min(50%, 520px)" footer={null} onCancel={onClose}>
      <p>{error.message}</p>
      <p>
        {error.links.map((l) => (
          <a key={l.link} className="button" style={{ marginRight: 8 }} href={`#${l.link}`} onClick={onClose}>
            查看 {l.count} 个{l.title}
          </a>
        ))}
      </p>
    </Modal>
  )
}
