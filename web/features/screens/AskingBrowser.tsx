import { useQuery } from '@tanstack/react-query'
import { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'
import { PAIR_CODE } from '@zhuguan/contract/features/screens/screens.record.ts'

import { call } from '../../kit/api.ts'
import { leftUntil } from '../../kit/time.ts'

/** Which browser shows the code: who pairs sees whether it is the wall before them. */
export function AskingBrowser({ code }: { code: string }) {
  const plain = code.replaceAll(/[\s-]/g, '').toUpperCase()
  const { data: b, error } = useQuery({
    queryKey: [screensApi.find.path, plain],
    enabled: PAIR_CODE.test(plain),
    retry: false,
    staleTime: Infinity,
    queryFn: ({ signal }) => call(screensApi.find, { query: { code: plain } }, signal),
  })
  if (error)
    return (
      <p className="scene-asking" role="alert">
        {error.message}
      </p>
    )
  if (!b) return <p className="quiet scene-asking">输入配对码后，这里显示是哪一块屏幕在问</p>
  return (
    <p className="scene-asking">
      <b>
        {b.width}×{b.height} · {b.browser}
      </b>
      <span className="quiet">
        {b.near ? '和您在同一个网络' : `来自别的网络 ${b.place}，请确认是您面前的屏幕`}，
        {leftUntil(b.expiresAt)}
      </span>
    </p>
  )
}
