import { defineActions } from '../../kit/actions.ts'
import { type ScreenRow, screenState } from './screens.record.ts'

const { paired, revoked, silent } = screenState.code

export const screenActions = defineActions<Pick<ScreenRow, 'state'>>()('state', screenState, {
  send: {
    label: '下发',
    from: [paired, silent],
    to: { [paired]: paired, [silent]: silent },
    permission: 'board:arrange',
    asks: true,
  },
  replace: {
    label: '替换原屏',
    from: [paired, silent],
    // Until the browser that takes it over has painted.
    to: silent,
    permission: 'board:pair',
    asks: true,
  },
  revoke: { label: '收回', from: [paired, silent], to: revoked, permission: 'board:pair', reason: true },
})
