import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'
import { wallsApi } from '@zhuguan/contract/features/walls/walls.api.ts'
import type { PlacedCamera } from '@zhuguan/contract/features/walls/walls.record.ts'
import { useEffect, useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { ago } from '../../kit/time.ts'
import { Icon } from '../../parts/Icon.tsx'
import { PAGE } from './ring.ts'
import type { Shape } from './useWall.ts'

const PAUSE_MS = 250
const MOST_SITES = 20

interface Props {
  shape: Shape
  pins: readonly string[]
  onPin: (camera: PlacedCamera) => void
  onUnpin: (id: string) => void
  onSites: (sites: Shape['sites']) => void
  onClose: () => void
}

/** All cameras by name: which one stays on the wall, and whose sites it turns through. */
export function CameraPanel({ shape, pins, onPin, onUnpin, onSites, onClose }: Props) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<{ list: readonly PlacedCamera[]; total: number }>()
  const [error, setError] = useState<Error | null>(null)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(
      () =>
        callAddressed(
          wallsApi.cameras,
          { keyword: text, pageSize: PAGE, ...(shape.bc ? { bc_id: [shape.bc] } : {}) },
          stop.signal,
        ).then(
          (page) => {
            setError(null)
            setFound(page)
          },
          (failure: Error) => !stop.signal.aborted && setError(failure),
        ),
      text ? PAUSE_MS : 0,
    )
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text, shape.bc, turn])
  const isIn = (site: string) => shape.sites.some((s) => s.id === site)
  const toggle = ({ site_id, siteName }: PlacedCamera) =>
    onSites(
      isIn(site_id)
        ? shape.sites.filter((s) => s.id !== site_id)
        : [...shape.sites, { id: site_id, name: siteName }],
    )
  return (
    <aside className="camera-panel" aria-label="选择摄像头" aria-busy={!found && !error}>
      <header>
        <input
          autoFocus
          aria-label="工地或摄像头"
          placeholder="工地名称、编号或摄像头序列号"
          value={text}
          onChange={(e) => setText(e.target.value)}
          onKeyDown={(e) => e.key === 'Escape' && onClose()}
        />
        <button type="button" className="icon-button" aria-label="关闭" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {error && <Failed error={error} again={() => setTurn((n) => n + 1)} />}
      {found?.list.length === 0 && <p>没有找到摄像头。换个名称试试。</p>}
      <ul>
        {found?.list.map((camera) => (
          <li key={camera.id}>
            <span>
              <b>{camera.siteName}</b>
              <small>
                {camera.sn} · <StateOf camera={camera} />
              </small>
            </span>
            <button
              type="button"
              aria-pressed={pins.includes(camera.id)}
              onClick={() => (pins.includes(camera.id) ? onUnpin(camera.id) : onPin(camera))}
            >
              {pins.includes(camera.id) ? '取消固定' : '固定'}
            </button>
            <button
              type="button"
              aria-pressed={isIn(camera.site_id)}
              disabled={!isIn(camera.site_id) && shape.sites.length >= MOST_SITES}
              title="轮播只看选中的工地；一个都不选就看全部"
              onClick={() => toggle(camera)}
            >
              {isIn(camera.site_id) ? '移出轮播' : '只轮播'}
            </button>
          </li>
        ))}
      </ul>
      {found && found.total > found.list.length && (
        <p>
          共 {found.total} 台，只列出 {found.list.length} 台；输入名称查找其余的。
        </p>
      )}
    </aside>
  )
}
const StateOf = ({ camera }: { camera: PlacedCamera }) =>
  camera.deviceStatus === deviceStatus.code.online ? (
    <>{camera.pictureAt ? `抓拍 ${ago(camera.pictureAt)}` : '还没有抓拍'}</>
  ) : (
    <span className="camera-dark">{deviceStatus.label(camera.deviceStatus)}</span>
  )
