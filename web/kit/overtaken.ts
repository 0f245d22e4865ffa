import type { Overtaken } from '@zhuguan/contract/kit/overtaken.ts'

import { full } from './time.ts'

/** The person who was faster, in words that others go on from. */
export const whoWas = ({ name, at }: Overtaken): string =>
  name ? `已被 ${name} 于 ${full(at).slice(0, 16)} 处理` : '刚刚被别人改过'
