type Box = [left: number, top: number, right: number, bottom: number]
export const NAME_PX = 12
export const NAME_FONT = `${NAME_PX}px "PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif`

/** Keeps names apart: `free` takes a place when nothing lies there yet. */
export function spaces() {
  const taken: Box[] = []
  return {
    take: (box: Box) => void taken.push(box),
    free: (box: Box): boolean => {
      if (taken.some((t) => t[0] < box[2] && t[2] > box[0] && t[1] < box[3] && t[3] > box[1])) return false
      taken.push(box)
      return true
    },
  }
}
