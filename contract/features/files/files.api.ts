import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'

export const filesApi = defineApi({
  /**
   * Bytes of a picture or clip that belongs to a row the caller may see; `size=thumb` answers a small WebP, `medium`
   * one for a card.
   */
  get: {
    method: 'GET',
    path: '/user/api/file/get',
    title: '读取文件',
    access: 'signedIn',
    raw: true,
    shown: true,
    data: nothing,
    query: z.object({
      key: z.string().regex(/^[A-Za-z0-9_-]{1,64}\.[a-z0-9]{2,4}$/, { error: '文件编号不正确' }),
      size: z.enum(['thumb', 'medium', 'full']).default('full'),
      /** The person whose cookie counts, where no token comes with it (`permissionInfo`). */
      viewer: z
        .string()
        .regex(/^[0-9a-f]{16}$/, { error: '查看人不正确' })
        .optional(),
    }),
  },
  /** Raw picture bytes in the body (image/jpeg, png, webp, at most 8 MiB); re-encoded without EXIF. */
  upload: {
    method: 'POST',
    path: '/user/api/file/upload',
    title: '上传照片',
    work: 'upload',
    access: 'signedIn',
    raw: true,
    data: z.object({ key: z.string() }),
  },
  /** The same of a paper: a picture, or a PDF that is kept as it is and only ever sent to be saved. */
  paper: {
    method: 'POST',
    path: '/user/api/file/paper',
    title: '上传文件',
    work: 'upload',
    access: 'signedIn',
    raw: true,
    data: z.object({ key: z.string() }),
  },
})
