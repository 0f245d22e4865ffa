/** The page on the whole screen, or back in its window. */
export function fullScreen(): void {
  void (document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen().catch(() => {}))
}
