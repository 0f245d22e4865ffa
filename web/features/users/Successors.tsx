import { useQuery } from '@tanstack/react-query'
import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import { type Leaving, type WorkKind, workKind } from '@zhuguan/contract/features/users/accounts.record.ts'
import { Checkbox, Select } from 'antd'
import { useEffect } from 'react'

import { call } from '../../kit/api.ts'
import { OwnField } from '../../kit/form/fields.tsx'
import type { Fields, Raw } from '../../kit/form/useForm.ts'
import { Failed } from '../../kit/list/ListPage.tsx'

import './users.css'

interface Handing {
  successors: { kind: WorkKind; user_id: string }[]
  confirmed: boolean
}
export const NOBODY: Handing = { successors: [], confirmed: false }

/** What is open of somebody, and who could take it. */
export const useLeaving = (id: string | undefined) =>
  useQuery({
    queryKey: [accountsApi.leaving.path, id],
    enabled: id !== undefined,
    gcTime: 0,
    queryFn: ({ signal }) => call(accountsApi.leaving, { query: { id: id! } }, signal),
  })

/** Each kind of work with who takes it, proposed already; what nobody else could do is read and confirmed. */
export function Successors({
  of: { raw },
  leaving: { work, alone, besides },
  asked,
}: {
  of: { raw: Raw }
  leaving: Leaving
  /** The question, in words. */
  asked: string
}) {
  const proposed = work.flatMap(({ kind, successor }) => (successor ? [{ kind, user_id: successor.id }] : []))
  const of: Fields<Handing> = { raw, values: {}, set: () => {} }
  useEffect(() => raw.preset('successors', proposed), [])
  return (
    <>
      {work.length > 0 && (
        <OwnField of={of} name="successors" label={asked}>
          {(chosen, put) => (
            <ul className="leaving-work">
              {work.map((w) => (
                <li key={w.kind}>
                  <a href={`#${w.link}`} target="_blank" rel="noreferrer">
                    {w.title}
                  </a>
                  <Select
                    className="wide"
                    aria-label={`接手${workKind.label(w.kind)}的人`}
                    placeholder={w.people.length ? '请选择接手人' : '没有能接手的人'}
                    disabled={w.people.length === 0}
                    showSearch={w.people.length > 8 ? { optionFilterProp: 'label' } : false}
                    virtual={false}
                    value={chosen?.find((s) => s.kind === w.kind)?.user_id}
                    options={w.people.map((p) => ({ value: p.id, label: p.nickname }))}
                    onChange={(user_id: string) =>
                      put([...(chosen ?? []).filter((s) => s.kind !== w.kind), { kind: w.kind, user_id }])
                    }
                  />
                  {w.people.length === 0 && <small>先新增能接手的人；要立刻不让登录，可以先重置密码</small>}
                </li>
              ))}
            </ul>
          )}
        </OwnField>
      )}
      {besides.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {alone.length > 0 && (
        <OwnField of={of} name="confirmed" label="没有别人能办的">
          {(on, put) => (
            <div className="leaving-alone">
              {alone.map((line) => (
                <p key={line}>{line}</p>
              ))}
              <Checkbox checked={!!on} onChange={(e) => put(e.target.checked)}>
                已经知道，仍要继续
              </Checkbox>
            </div>
          )}
        </OwnField>
      )}
    </>
  )
}

export function LeavingWait({ error, again }: { error: Error | null; again: () => void }) {
  return error ? <Failed error={error} again={again} /> : <p className="quiet">正在查看未结的工作…</p>
}
