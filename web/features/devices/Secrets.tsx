import { Modal } from 'antd'

import { saveCsv } from '../../kit/save.ts'

import './secrets.css'

/** Secrets are told this once: to be written into the devices. */
export default function Secrets({
  devices,
  onClose,
}: {
  devices: { sn: string; secret: string }[]
  onClose: () => void
}) {
  const save = () => saveCsv([['序列号', '密钥'], ...devices.map((d) => [d.sn, d.secret])], '设备密钥.csv')
  return (
    <Modal
      open
      title={`设备密钥（${devices.length} 台）`}
      width="min(60%, 640px)"
      okText="我已保存"
      cancelText="下载 CSV"
      onOk={onClose}
      onCancel={onClose}
      cancelButtonProps={{
        onClick: (e) => {
          e.stopPropagation()
          save()
        },
      }}
      mask={{ closable: false }}
      keyboard={false}
    >
      <p>密钥只显示这一次，写进设备后设备才能上报。丢失了可以更换密钥。</p>
      <div className="secrets">
        <table>
          <tbody>
            {devices.map((d) => (
              <tr key={d.sn}>
                <td>{d.sn}</td>
                <td>
                  <code>{d.secret}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  )
}
