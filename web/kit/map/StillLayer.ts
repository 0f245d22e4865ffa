import { containsExtent, type Extent } from 'ol/extent.js'
import Layer from 'ol/layer/Layer.js'
import type { FrameState } from 'ol/Map.js'

/** The margin that is drawn on each side beyond the picture, so that a drag only shifts what is there. */
const MARGIN = 0.15
const MOST_RATIO = 2

export interface Sheet {
  extent: Extent
  resolution: number
  width: number
  height: number
  /** A coordinate as a pixel of this sheet. */
  spot: (at: readonly number[]) => [x: number, y: number]
}

/**
 * A canvas that is drawn when the picture rests; while it moves, the drawing is moved and stretched as a whole, which
 * costs nothing.
 */
export abstract class StillLayer extends Layer {
  private readonly canvas = document.createElement('canvas')
  private drawn: { extent: Extent; resolution: number; size: string } | undefined

  constructor(zIndex: number) {
    super({ zIndex })
    Object.assign(this.canvas.style, {
      position: 'absolute',
      left: '0',
      top: '0',
      transformOrigin: '0 0',
      willChange: 'transform',
      pointerEvents: 'none',
    })
  }
  protected abstract paint(c: CanvasRenderingContext2D, sheet: Sheet): void
  /** What is to be seen has changed. */
  protected renew(): void {
    this.drawn = undefined
    this.changed()
  }
  override getSourceState() {
    return 'ready' as const
  }

  override render(frame: FrameState): HTMLElement {
    const { resolution } = frame.viewState
    const moving = frame.viewHints[0]! > 0 || frame.viewHints[1]! > 0
    const size = `${frame.size.join()}@${frame.pixelRatio}`
    const kept = this.drawn
    if (
      !kept ||
      kept.size !== size ||
      !(kept.resolution === resolution ? containsExtent(kept.extent, frame.extent!) : moving)
    )
      this.draw(frame, size)
    const now = this.drawn!
    const scale = now.resolution / resolution
    const right = (now.extent[0]! - frame.extent![0]!) / resolution
    const down = (frame.extent![3]! - now.extent[3]!) / resolution
    this.canvas.style.transform = `matrix(${scale},0,0,${scale},${right},${down})`
    return this.canvas
  }

  private draw(frame: FrameState, size: string): void {
    const { resolution } = frame.viewState
    const ratio = Math.min(MOST_RATIO, frame.pixelRatio)
    const [w, h] = frame.size as [number, number]
    const [mx, my] = [Math.round(w * MARGIN), Math.round(h * MARGIN)]
    const [west, south, east, north] = frame.extent as [number, number, number, number]
    const extent = [
      west - mx * resolution,
      south - my * resolution,
      east + mx * resolution,
      north + my * resolution,
    ]
    const [width, height] = [w + 2 * mx, h + 2 * my]
    this.drawn = { extent, resolution, size }
    this.canvas.width = width * ratio
    this.canvas.height = height * ratio
    this.canvas.style.width = `${width}px`
    this.canvas.style.height = `${height}px`
    const c = this.canvas.getContext('2d')!
    c.scale(ratio, ratio)
    this.paint(c, {
      extent,
      resolution,
      width,
      height,
      spot: (at) => [(at[0]! - extent[0]!) / resolution, (extent[3]! - at[1]!) / resolution],
    })
  }
}
