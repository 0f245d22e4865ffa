import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { cardFigure, cardPlace, morningLine, waiting } from './home.record.ts'

export const homeApi = defineApi({
  cards: {
    method: 'POST',
    path: '/osmcore/api/home/cards',
    title: '首页卡片',
    access: ['page:HomeMaster'],
    data: z.object({
      waiting: z.array(waiting),
      /** Nothing for who is told none; empty where there is nothing to ask about. */
      morning: z.array(morningLine).nullable(),
      places: z.array(cardPlace),
      figures: z.array(cardFigure),
      chosen: z.boolean(),
    }),
  },
  /** The top of the page alone: asked again whenever an alarm moves. */
  waiting: {
    method: 'POST',
    path: '/osmcore/api/home/waiting',
    title: '等我处理',
    access: ['page:HomeMaster'],
    data: z.array(waiting),
  },
  /** An empty list puts the role's default back. */
  saveCards: {
    method: 'POST',
    path: '/osmcore/api/home/savecards',
    title: '保存首页',
    access: ['page:HomeMaster'],
    body: z.object({ places: z.array(cardPlace).max(20) }),
    data: nothing,
  },
})
