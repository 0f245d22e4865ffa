import './errors.css'

/** A share link is opened without a session; one that is missing, ended or wrong says so and tells nothing else. */
export default function PreviewPage() {
  return (
    <main className="plate">
      <h1>这个预览链接无效</h1>
      <p>链接可能已过期、被收回，或者没有复制完整。请联系发给您链接的顾问，重新获取。</p>
    </main>
  )
}
