import type { LinkKindName } from '@zhuguan/contract/features/links/links.record.ts'
import type { ShareOpening } from '@zhuguan/contract/features/shares/shares.record.ts'
import { shareSection } from '@zhuguan/contract/features/shares/shares.record.ts'

import { message } from '../../kit/notices.ts'

const MINUTE = 60
/** The time that it was in sight. */
export const lastedText = (seconds: number): string =>
  seconds < MINUTE ? `${seconds} 秒` : `${Math.floor(seconds / MINUTE)} 分 ${seconds % MINUTE} 秒`
export const lookedText = ({ looked, seconds }: Pick<ShareOpening, 'looked' | 'seconds'>): string =>
  [looked.map((l) => shareSection.label(l)).join('、'), seconds > 0 && lastedText(seconds)]
    .filter(Boolean)
    .join('，') || '刚打开'

const WHAT: Partial<Record<LinkKindName, string>> = {
  quotation: '给您的报价',
  share: '我们做的案例',
  preview: '给您准备的装修方案',
}
/** The words to paste into a chat. */
export const greeting = (kind: LinkKindName, name: string, url: string, password: string): string =>
  [
    `${name ? `${name}，` : ''}您好！这是${WHAT[kind] ?? '给您的链接'}，用手机打开：${url}`,
    password && `密码 ${password}`,
  ]
    .filter(Boolean)
    .join(' ')

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    message.success('已复制')
  } catch {
    message.error('浏览器不让复制，请选中下面的地址复制')
  }
}
/** Six digits that are easy to say on the telephone. */
export const newPassword = (): string =>
  [...crypto.getRandomValues(new Uint8Array(6))].map((b) => String(b % 10)).join('')
