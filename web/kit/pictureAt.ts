import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { queryText } from '@zhuguan/contract/kit/query.ts'

export type PictureSize = 'thumb' | 'medium' | 'full'

/** The session whose cookie the server looks for. */
let viewer = ''
export const showPicturesTo = (session: string): void => {
  viewer = session
}
/** The address of a picture: read by the browser itself, whose cookie of the session proves who looks. */
export const pictureAt = (key: string, size: PictureSize): string => pictureFrom(filesApi.get.path)(key, size)
/** The same by another door, which asks something else of who looks. */
export function pictureFrom(path: string) {
  return (key: string, size: PictureSize): string => path + queryText({ key, size, viewer })
}
