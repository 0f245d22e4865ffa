import { Modal, Typography } from 'antd'

import './users.css'

/** A first password is shown this once. */
export default function FirstPassword({
  userName,
  password,
  onClose,
}: {
  userName: string
  password: string
  onClose: () => void
}) {
  return (
    <Modal
      open
      title="初始密码"
      width="min(50%, 480px)"
      okText="我已记下"
      cancelButtonProps={{ style: { display: 'none' } }}
      onOk={onClose}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
    >
      <p>
        请把初始密码告诉 <b>{userName}</b>。关闭后不再显示；对方第一次登录时要改成自己的密码。
      </p>
      <Typography.Paragraph
        copyable={{ text: password, tooltips: ['复制', '已复制'] }}
        className="first-password"
      >
        {password}
      </Typography.Paragraph>
    </Modal>
  )
}
