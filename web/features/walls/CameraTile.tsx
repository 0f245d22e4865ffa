import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'
import { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'
import type { PlacedCamera } from '@zhuguan/contract/features/walls/walls.record.ts'
import type { DragEvent } from 'react'

import { hrefOf } from '../../kit/LinkTo.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { useMayOpen } from '../../parts/session.ts'
import { CameraLive } from '../../parts/video/CameraLive.tsx'
import type { Tile } from './tiles.ts'

/** The name of a place of the wall while it is dragged. */
const DRAGGED = 'application/x-wall-place'

export interface TileActs {
  onFocus: (at: number) => void
  onPin: (at: number) => void
  onMove: (from: number, to: number) => void
  onEnlarge: (at: number) => void
}
interface Props extends TileActs {
  at: number
  tile: Tile
  camera: PlacedCamera | undefined
  focused: boolean
  /** It has the whole wall to itself. */
  large: boolean
}

/** One place of the wall: the camera that stands there, whose it is, and whether it stays. */
export function CameraTile(p: Props) {
  const { at, tile, camera, focused, large } = p
  const isDark = !!camera && camera.deviceStatus !== deviceStatus.code.online
  const dropped = (e: DragEvent) => {
    e.preventDefault()
    const from = e.dataTransfer.getData(DRAGGED)
    if (from) p.onMove(Number(from), at)
  }
  return (
    <section
      className={`wall-tile camera-tile${focused ? ' on' : ''}${isDark ? ' dark' : ''}`}
      aria-label={camera ? `${camera.siteName} ${camera.sn}` : `第 ${at + 1} 格`}
      aria-current={focused}
      draggable={!!tile.id}
      onDragStart={(e) => e.dataTransfer.setData(DRAGGED, String(at))}
      onDragOver={(e) => e.dataTransfer.types.includes(DRAGGED) && e.preventDefault()}
      onDrop={dropped}
      onClick={() => p.onFocus(at)}
      onDoubleClick={() => p.onEnlarge(at)}
    >
      {tile.id && <Head {...p} id={tile.id} />}
      {camera?.noLook && <p className="camera-gone">{camera.noLook}</p>}
      {camera && !camera.noLook && (
        <CameraLive
          key={camera.id}
          deviceId={camera.id}
          purpose={viewPurpose.code.patrol}
          known={camera}
          size={large ? 'full' : 'tile'}
          muted
        />
      )}
      {tile.id && !camera && tile.pinned && (
        <p className="camera-gone">这台摄像头已经移走，或不在您管的工地上。</p>
      )}
    </section>
  )
}

function Head({ at, id, tile, camera, onPin, onEnlarge, large }: Props & { id: string }) {
  const maySite = useMayOpen('SiteInfo')
  const mayRecorded = useMayOpen('videoRecord')
  return (
    <header className="camera-head">
      {camera && maySite && (
        <a
          href={hrefOf('SiteInfo', { id: camera.site_id })}
          target="_blank"
          rel="noreferrer"
          title={camera.siteName}
        >
          {camera.siteName}
        </a>
      )}
      {camera && !maySite && <b title={camera.siteName}>{camera.siteName}</b>}
      {camera && <small title={camera.bc_name}>{camera.sn}</small>}
      {camera && camera.deviceStatus !== deviceStatus.code.online && (
        <span className="camera-dark">{deviceStatus.label(camera.deviceStatus)}</span>
      )}
      <span className="camera-acts">
        {camera && mayRecorded && (
          <a href={hrefOf('videoRecord', { device_id: id })} target="_blank" rel="noreferrer">
            录像
          </a>
        )}
        <button type="button" onClick={() => onEnlarge(at)}>
          {large ? '还原' : '放大'}
        </button>
        <button
          type="button"
          aria-pressed={tile.pinned}
          aria-label={tile.pinned ? '取消固定' : '固定'}
          title={tile.pinned ? '已固定，点一下取消' : '固定在这里，不随轮播更换'}
          onClick={() => onPin(at)}
        >
          <Icon name="pin" size={14} />
        </button>
      </span>
    </header>
  )
}
