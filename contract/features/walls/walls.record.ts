import { z } from 'zod'

/** Tiles of a wall; of six three stand in a row. */
export const WALL_SIZES = [1, 4, 6, 9, 16] as const
export type WallSize = (typeof WALL_SIZES)[number]
export const MOST_TILES = 16

/** A camera with the site where it stands and its newest still. */
export const placedCamera = z.object({
  id: z.string(),
  sn: z.string(),
  site_id: z.string(),
  siteName: z.string(),
  bc_name: z.string(),
  deviceStatus: z.number().int(),
  picture: z.string().nullable(),
  pictureAt: z.number().int().nullable(),
  /** The reason why nobody looks through it now, and then no picture; empty where somebody may. */
  noLook: z.string(),
})
export type PlacedCamera = z.output<typeof placedCamera>
