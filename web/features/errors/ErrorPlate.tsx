import { toLogin, token } from '../../kit/api.ts'

import '../../kit/plate.css'

export function ErrorPlate({ code, title, detail }: { code: string; title: string; detail: string }) {
  return (
    <main className="plate">
      <b aria-hidden="true">{code}</b>
      <h1>{title}</h1>
      <p>{detail}</p>
      {token() ? (
        <a className="button primary" href="#/">
          回到首页
        </a>
      ) : (
        <button className="button primary" onClick={() => toLogin()}>
          去登录
        </button>
      )}
    </main>
  )
}
