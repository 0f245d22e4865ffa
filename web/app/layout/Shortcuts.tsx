import { Modal } from 'antd'

const KEYS: [place: string, keys: [key: string, what: string][]][] = [
  [
    '任何地方',
    [
      ['Ctrl K', '搜索页面、工地、工人、设备、商品、单号'],
      ['?', '显示这张表'],
      ['Esc', '关闭打开的东西'],
      ['Ctrl Enter', '提交打开的表单'],
    ],
  ],
  [
    '清单',
    [
      ['/', '到关键字'],
      ['j / k', '下一行、上一行'],
      ['Enter', '打开这一行'],
      ['x', '选中这一行，到下一行'],
    ],
  ],
  [
    '打开的单据（报警、整改、审核、整洁度、退换补）',
    [
      ['j / k', '下一条、上一条'],
      ['Ctrl Enter', '确定填好的原因、意见'],
    ],
  ],
  [
    '报警复核',
    [
      ['1', '指派'],
      ['2', '提交整改照片'],
      ['3', '复核通过'],
      ['4', '取消报警'],
    ],
  ],
  [
    '看图',
    [
      ['← →', '上一张、下一张'],
      ['+ −', '放大、缩小'],
      ['0', '原来大小'],
    ],
  ],
  [
    '地图',
    [
      ['方向键', '移动'],
      ['+ −', '放大、缩小'],
      ['Esc', '退出圈选'],
    ],
  ],
]

/** What the keyboard can do. */
export default function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Modal open title="键盘快捷键" width={640} footer={null} onCancel={onClose}>
      <div className="shortcuts">
        {KEYS.map(([place, keys]) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl>
              {keys.map(([key, what]) => (
                <div key={key + what}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
