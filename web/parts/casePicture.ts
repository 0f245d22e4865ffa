import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'

import { pictureFrom } from '../kit/pictureAt.ts'

/** Renditions have a door of their own, which asks at every look whether they still may be shown. */
export const casePictureAt = pictureFrom(casesApi.picture.path)
