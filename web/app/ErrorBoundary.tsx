import { Component, type ReactNode } from 'react'

/** A page that fails says so in its place; the rest goes on. `place` renews it. */
export class ErrorBoundary extends Component<
  { children: ReactNode; place?: string },
  { failed: string | null }
> {
  override state: { failed: string | null } = { failed: null }
  static getDerivedStateFromError(error: Error) {
    return {
      failed: /dynamically imported|module script|Importing/.test(error.message)
        ? '页面文件没有下载成功，可能刚刚升级过'
        : '页面出错了',
    }
  }
  override componentDidUpdate(before: { place?: string }) {
    // Another page is tried afresh; it happens once a change of page, not in a circle.
    // oxlint-disable-next-line react/no-did-update-set-state
    if (before.place !== this.props.place && this.state.failed) this.setState({ failed: null })
  }
  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div className="empty" role="alert">
        <h2>{this.state.failed}</h2>
        <button className="plain-button" onClick={() => location.reload()}>
          重试
        </button>
      </div>
    )
  }
}
