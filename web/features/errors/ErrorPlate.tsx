import { Button } from 'antd'
import { toLogin, token } from '../../kit/api.ts'

export function ErrorPlate({ code, title, detail }: { code: string; title: string; detail: string }) {
  return (
    <main className="plate">
      <b aria-hidden="true">{code}</b>
      <h1>{title}</h1>
      <p>{detail}</p>
      {token() ? <Button type="primary" href="#/">回到首页</Button> : <Button type="primary" onClick={toLogin}>去登录</Button>}
    </main>
  )
}
