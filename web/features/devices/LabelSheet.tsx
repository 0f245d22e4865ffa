import { type DeviceRow, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { Button, Drawer, QRCode } from 'antd'

import './labels.css'

/** A sheet of stickers, 3 × 8 on A4: the code holds the serial number. The browser prints it, or keeps it as PDF. */
export default function LabelSheet({ devices, onClose }: { devices: DeviceRow[]; onClose: () => void }) {
  return (
    <Drawer
      open
      title={`设备标签（${devices.length} 张）`}
      size="min(860px, 100vw)"
      onClose={onClose}
      rootClassName="label-drawer"
      extra={
        <Button type="primary" onClick={() => print()}>
          打印 / 存为 PDF
        </Button>
      }
    >
      <p className="quiet no-print">
        按 A4 不干胶 3 列 8 行排版。手机或扫码枪扫出来的就是序列号，绑定和更换时可以直接扫。
      </p>
      <div className="labels">
        {devices.map((d) => (
          <div key={d.id} className="label">
            <QRCode value={d.sn} type="svg" size={84} bordered={false} />
            <div>
              <b>{d.sn}</b>
              <span>
                {deviceType.label(d.type)} {d.model}
              </span>
              <small>{d.bc_name || '集团仓库'}</small>
            </div>
          </div>
        ))}
      </div>
    </Drawer>
  )
}
