import { useRef } from 'react'

import { randomUuid } from '../../kit/api.ts'

/**
 * The number of one thing that is being done: sent again after a lost answer it is still the same thing, and said
 * otherwise it is another one. `done`: the same again is another one, too.
 */
export function useAct(): { actOf: (...said: readonly unknown[]) => string; done: () => void } {
  const last = useRef({ said: '', act: '' })
  return {
    actOf(...all) {
      const said = JSON.stringify(all)
      if (last.current.said !== said) last.current = { said, act: randomUuid() }
      return last.current.act
    },
    done: () => (last.current = { said: '', act: '' }),
  }
}
