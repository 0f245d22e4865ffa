import { useQuery } from '@tanstack/react-query'
import { keepingApi } from '@zhuguan/contract/features/keeping/keeping.api.ts'
import { keptFor } from '@zhuguan/contract/features/keeping/keeping.record.ts'

import { call } from '../../kit/api.ts'
import { Failed } from '../../kit/list/ListPage.tsx'

/** Everything that is kept: how long here, from when on, why, and what is not deleted. */
export function KeptKinds({ bcId }: { bcId: string }) {
  const body = { bcId: bcId || undefined }
  const { data, error, refetch } = useQuery({
    queryKey: [keepingApi.kinds.path, body],
    queryFn: ({ signal }) => call(keepingApi.kinds, { body }, signal),
  })
  return (
    <fieldset aria-label="保存期限">
      <legend>保存期限</legend>
      <div className="kept-kinds" aria-busy={!data && !error}>
        <p className="quiet">过期的每天凌晨 4:17 删除。标“可缩短”的在上面“保留”一组里改。</p>
        {error && <Failed error={error} again={() => void refetch()} />}
        {data && (
          <table>
            <thead>
              <tr>
                <th>种类</th>
                <th>保存多久</th>
                <th>从何时起算</th>
                <th>为什么</th>
                <th>什么时候不删</th>
              </tr>
            </thead>
            <tbody>
              {data.map((k) => (
                <tr key={k.key}>
                  <th scope="row">{k.title}</th>
                  <td>
                    {keptFor(k)}
                    {k.setting && <small className="quiet"> 可缩短</small>}
                  </td>
                  <td>{k.starts}</td>
                  <td>{k.purpose}</td>
                  <td>{k.stops || '--'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </fieldset>
  )
}
