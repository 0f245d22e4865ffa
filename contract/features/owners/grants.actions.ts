import { defineActions } from '../../kit/actions.ts'
import { grantState, type VideoGrant } from './grants.record.ts'

const { active, stopped } = grantState.code

/** docs/states.md; it ends with the contact, and with the site. */
export const grantActions = defineActions<Pick<VideoGrant, 'state'>>()('state', grantState, {
  stop: { label: '停止授权', from: [active], to: stopped, permission: 'owner:video', reason: true },
  resume: { label: '恢复授权', from: [stopped], to: active, permission: 'owner:video' },
})
export type GrantAction = (typeof grantActions.names)[number]
