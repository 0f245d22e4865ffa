import { Component, type ReactNode } from 'react'

/** A page that fails says so in its place; the rest goes on. `place` renews it, and so does the network's return. */
export class ErrorBoundary extends Component<
  { children: ReactNode; place?: string },
  { failed: string | null; away: boolean }
> {
  override state: { failed: string | null; away: boolean } = { failed: null, away: false }
  static getDerivedStateFromError(error: Error) {
    if (!/dynamically imported|module script|Importing/.test(error.message))
      return { failed: '页面出错了', away: false }
    // Without a network that is why, and it is tried again by itself.
    const away = !navigator.onLine
    return { failed: away ? '没有网络，这一页还没有下载' : '页面文件没有下载成功，可能刚刚升级过', away }
  }
  back = () => {
    if (this.state.away) this.setState({ failed: null, away: false })
  }
  override componentDidMount() {
    addEventListener('online', this.back)
  }
  override componentWillUnmount() {
    removeEventListener('online', this.back)
  }
  override componentDidUpdate(before: { place?: string }) {
    // Another page is tried afresh; it happens once a change of page, not in a circle.
    // oxlint-disable-next-line react/no-did-update-set-state
    if (before.place !== this.props.place && this.state.failed) this.setState({ failed: null, away: false })
  }
  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div className="empty" role="alert">
        <h2>{this.state.failed}</h2>
        {this.state.away && <p className="quiet">网络恢复后自动打开。</p>}
        <button className="plain-button" onClick={() => location.reload()}>
          重试
        </button>
      </div>
    )
  }
}
