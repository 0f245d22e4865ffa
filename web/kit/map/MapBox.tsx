import { useQuery } from '@tanstack/react-query'
import { mapsApi } from '@zhuguan/contract/features/maps/maps.api.ts'
import type { Place } from '@zhuguan/contract/kit/places.ts'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { call } from '../api.ts'
import { coloursOf } from '../chart/colours.ts'
import { useDark } from '../chart/useDark.ts'
import type { Mark, Points } from './clusters.ts'
import { type MapHandlers, openPointMap, type PointMap, type Standpoint, type Way } from './pointMap.ts'
import { drawPoint, type Kind } from './signs.ts'

import './map.css'

interface Props {
  label: string
  kinds: readonly Kind[]
  points: Points | undefined
  /** The picture moves to the points when this changes. */
  about: string
  chosen: readonly number[]
  pulses: readonly number[]
  names: Map<number, string>
  area: string | undefined
  /** Places that are joined by straight lines, in their order. */
  lines?: readonly Way[]
  drawing: boolean
  /** Set while a point is being put in its place. */
  moving: { from: Place | null } | null
  /** Points to bring into the picture, when it changes. */
  focus: { points: readonly number[] } | null
  describe: (mark: Mark) => string
  onPick: MapHandlers['onPick']
  onArea: MapHandlers['onArea']
  onMove: MapHandlers['onMove']
  onView: MapHandlers['onView']
  children?: ReactNode
}

/** The map in its box: base, marks, what is under the pointer. */
export default function MapBox(p: Props) {
  const dark = useDark()
  const target = useRef<HTMLDivElement>(null)
  const at = useRef<Standpoint | null>(null)
  const shown = useRef<string | null>(null)
  const [map, setMap] = useState<PointMap | null>(null)
  const [tip, setTip] = useState<{ text: string; x: number; y: number } | null>(null)
  const [tilesCame, setTilesCame] = useState<boolean | null>(null)
  const { data: base, isError } = useQuery({
    queryKey: [mapsApi.base.path],
    staleTime: Infinity,
    queryFn: ({ signal }) => call(mapsApi.base, {}, signal),
  })
  const ground = base ?? (isError ? { tiles: null, credit: '' } : undefined)
  const latest = useRef(p)
  latest.current = p

  useLayoutEffect(() => {
    if (!ground) return
    const opened = openPointMap(target.current!, {
      kinds: latest.current.kinds,
      dark,
      tiles: ground.tiles,
      at: at.current,
      handlers: () => ({
        ...latest.current,
        onPick: (points, place) => {
          setTip(null)
          latest.current.onPick(points, place)
        },
        onHover: (mark, [x, y]) => setTip(mark ? { text: latest.current.describe(mark), x, y } : null),
        onTiles: (came) => setTilesCame((old) => old || came),
      }),
    })
    setMap(opened)
    return () => {
      at.current = opened.standpoint()
      opened.close()
      setMap(null)
    }
  }, [dark, ground?.tiles, ground === undefined])

  useEffect(() => {
    if (!map || !p.points) return
    void map.show(p.points, shown.current !== p.about)
    shown.current = p.about
  }, [map, p.points, p.about])
  useEffect(() => map?.choose(p.chosen), [map, p.chosen])
  useEffect(() => map?.pulse(p.pulses), [map, p.pulses])
  useEffect(() => map?.name(p.names), [map, p.names])
  useEffect(() => map?.area(p.area), [map, p.area])
  useEffect(() => map?.lines(p.lines ?? []), [map, p.lines])
  useEffect(() => (p.drawing ? map?.startLasso() : map?.stopLasso()), [map, p.drawing])
  useEffect(() => (p.moving ? map?.startMove(p.moving.from) : map?.stopMove()), [map, p.moving])
  useEffect(() => {
    if (map && p.focus) map.fit(p.focus.points)
  }, [map, p.focus])

  const lent = tilesCame === false ? '底图服务连接不上，先显示边界' : ground?.credit
  const credit = ground?.tiles ? lent : '离线底图，界线仅供示意'
  return (
    <div className="map-box">
      <div
        ref={target}
        className="map-target"
        tabIndex={0}
        role="application"
        aria-label={p.label}
        onPointerLeave={() => setTip(null)}
      />
      {tip && (
        <span className="map-tip" style={{ left: tip.x, top: tip.y }}>
          {tip.text}
        </span>
      )}
      {p.children}
      <small className="map-credit">{credit}</small>
    </div>
  )
}

/** The same drawing as on the map, for legends and lists. */
export function Sign({ kind, size = 18 }: { kind: Kind; size?: number }) {
  const dark = useDark()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const c = canvas.current!.getContext('2d')!
    const ratio = devicePixelRatio
    canvas.current!.width = canvas.current!.height = size * ratio
    c.scale(ratio, ratio)
    c.translate(size / 2, size / 2)
    drawPoint(c, kind, coloursOf(dark), size * 0.36)
  }, [kind, dark, size])
  return <canvas ref={canvas} className="map-sign" style={{ width: size, height: size }} aria-hidden="true" />
}
