import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { cardFigure, cardPlace } from './home.record.ts'

export const homeApi = defineApi({
  cards: {
    method: 'POST',
    path: '/osmcore/api/home/cards',
    title: '首页卡片',
    access: ['page:HomeMaster'],
    data: z.object({ places: z.array(cardPlace), figures: z.array(cardFigure), chosen: z.boolean() }),
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
