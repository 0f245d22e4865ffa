import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import {
  IMPORT_STEP,
  type Handed,
  type ImportDef,
  type ImportRow,
  type ImportState,
  MAX_IMPORT_ROWS,
} from '@zhuguan/contract/kit/imports.ts'
import { PAGE_SIZE } from '@zhuguan/contract/kit/paging.ts'
import { Drawer } from 'antd'
import { useEffect, useRef, useState } from 'react'

import { call, callForBytes, upload } from '../kit/api.ts'
import { Failed } from '../kit/list/ListPage.tsx'
import { Pager } from '../kit/list/Pager.tsx'
import { message } from '../kit/notices.ts'
import { saveAs, saveCsv } from '../kit/save.ts'

import './import.css'

type View = 'bad' | 'good' | 'done'
const VIEW: Record<View, string> = { bad: '有误', good: '可导入', done: '已导入' }
const n = (value: number) => value.toLocaleString('zh-CN')

/** What is told once goes to the clerk's disk at once, whatever becomes of the page. */
const saveHanded = ({ title, hands }: ImportDef, given: readonly Handed[]) =>
  saveCsv(
    [[hands!.name, hands!.secret], ...given.map((g) => [g.name, g.secret])],
    `导入的${title}：${hands!.secret}.csv`,
  )

/** An Excel list: template, upload, preview with what is wrong, and the good rows stored step by step. What was left open is found again. */
export default function ImportDrawer({
  def,
  onClose,
  onDone,
}: {
  def: ImportDef
  onClose: () => void
  onDone: () => void
}) {
  const client = useQueryClient()
  const [state, setState] = useState<ImportState | null | undefined>(undefined)
  const [busy, setBusy] = useState<'upload' | 'check' | 'run' | null>(null)
  const [problem, setProblem] = useState('')
  const [view, setView] = useState<View>('bad')
  const [given, setGiven] = useState<readonly Handed[]>([])
  const stop = useRef<AbortController>(null)
  const failed = (error: unknown) => !stop.current?.signal.aborted && setProblem((error as Error).message)

  /** Asks again and again until nothing of that kind is left, or somebody says stop. */
  async function steps(what: 'check' | 'run', from: ImportState): Promise<void> {
    const left = (s: ImportState) => (what === 'check' ? s.unchecked : s.good)
    const { signal } = (stop.current = new AbortController())
    setBusy(what)
    setProblem('')
    let now = from
    const handed: Handed[] = []
    try {
      while (left(now) > 0 && !signal.aborted) {
        const step = await call(def.api[what], { body: { id: now.id } }, what === 'run' ? undefined : signal)
        if ('handed' in step) handed.push(...step.handed)
        setState((now = step))
      }
      if (what === 'run') message.success(`已导入 ${n(now.done - from.done)} 行`)
    } catch (error) {
      failed(error)
    } finally {
      setBusy(null)
      if (what === 'run') onDone()
      if (handed.length) {
        setGiven((old) => [...old, ...handed])
        saveHanded(def, handed)
      }
      setView(now.bad ? 'bad' : what === 'run' ? 'done' : 'good')
      void client.invalidateQueries({ queryKey: [def.api.rows.path] })
    }
  }
  async function take(file: File | undefined): Promise<void> {
    if (!file) return
    const { signal } = (stop.current = new AbortController())
    setBusy('upload')
    setProblem('')
    try {
      const now = await upload<ImportState>(
        def.api.upload,
        new Blob([file], { type: 'application/octet-stream' }),
        { name: file.name.slice(0, 120) },
        signal,
      )
      setState(now)
      await steps('check', now)
    } catch (error) {
      failed(error)
      setBusy(null)
    }
  }
  async function drop(): Promise<void> {
    try {
      await call(def.api.drop, { body: { id: state!.id } })
      setState(null)
      setProblem('')
    } catch (error) {
      failed(error)
    }
  }
  const save = (endpoint: Endpoint, query: object, name: string) =>
    callForBytes(endpoint, { query }).then((blob) => saveAs(blob, name), failed)
  useEffect(() => {
    call(def.api.latest, {}).then((open) => {
      setState(open)
      if (open?.unchecked) void steps('check', open)
      else if (open && !open.bad) setView(open.good ? 'good' : 'done')
    }, failed)
    return () => stop.current?.abort()
  }, [])

  const finished = state && state.good === 0 && state.unchecked === 0 && state.bad === 0
  return (
    <Drawer
      open
      title={`导入${def.title}`}
      size={state ? 'min(1080px, 100vw)' : 'min(640px, 100vw)'}
      onClose={onClose}
      footer={
        state ? (
          <div className="import-foot">
            <button className="button" disabled={!!busy} onClick={() => void drop()}>
              {finished ? '再导入一个文件' : '换一个文件'}
            </button>
            {state.bad > 0 && (
              <button
                className="button"
                disabled={!!busy}
                onClick={() => void save(def.api.failed, { id: state.id }, `${def.title}导入失败的行.xlsx`)}
              >
                下载有误的 {n(state.bad)} 行
              </button>
            )}
            <span className="grow" />
            {finished ? (
              <button className="button primary" onClick={onClose}>
                完成
              </button>
            ) : (
              <button
                className="button primary"
                disabled={!!busy || state.good === 0}
                onClick={() => void steps('run', state)}
              >
                导入 {n(state.good)} 行
              </button>
            )}
          </div>
        ) : undefined
      }
    >
      {problem && (
        <p
          className="state bad"
          role="alert"
          style={{
            height: 'auto',
            padding: '6px 12px',
            marginBottom: 12,
            borderRadius: 6,
            whiteSpace: 'normal',
          }}
        >
          {problem}
        </p>
      )}
      {state === null && (
        <Start
          def={def}
          reading={busy === 'upload'}
          onTemplate={() => void save(def.api.template, {}, `${def.title}导入模板.xlsx`)}
          onFile={(f) => void take(f)}
          onStop={() => stop.current?.abort()}
        />
      )}
      {state && (
        <>
          <div className="import-figures" role="status">
            <span>
              {state.fileName || '表格'}，共 <b>{n(state.total)}</b> 行
            </span>
            <span className="ok">
              可导入 <b>{n(state.good)}</b>
            </span>
            <span className={state.bad ? 'bad' : ''}>
              有误 <b>{n(state.bad)}</b>
            </span>
            <span>
              已导入 <b>{n(state.done)}</b>
            </span>
          </div>
          {busy && busy !== 'upload' && (
            <div className="import-progress">
              <span>
                {busy === 'check' ? '正在检查' : '正在导入'}{' '}
                {n(busy === 'check' ? state.total - state.unchecked : state.done)} /{' '}
                {n(busy === 'check' ? state.total : state.done + state.good)}
              </span>
              <progress
                aria-label={busy === 'check' ? '检查进度' : '导入进度'}
                max={busy === 'check' ? state.total : state.done + state.good}
                value={busy === 'check' ? state.total - state.unchecked : state.done}
              />
              <button className="button small" onClick={() => stop.current?.abort()}>
                停止
              </button>
            </div>
          )}
          {!busy && state.unchecked > 0 && (
            <p className="quiet" style={{ marginBottom: 12 }}>
              还有 {n(state.unchecked)} 行没有检查。
              <button className="text-button" onClick={() => void steps('check', state)}>
                继续检查
              </button>
            </p>
          )}
          {state.unchecked < state.total && (
            <Preview
              key={`${state.id}${view}`}
              def={def}
              state={state}
              view={view}
              onView={setView}
              busy={!!busy}
              onFixed={(row, was) =>
                setState({
                  ...state,
                  good: state.good + Number(row.state === 'good') - Number(was === 'good'),
                  bad: state.bad + Number(row.state === 'bad') - Number(was === 'bad'),
                })
              }
            />
          )}
          {given.length > 0 && (
            <p className="state wait import-given" role="status">
              {def.hands?.note}{' '}
              <button className="text-button" onClick={() => saveHanded(def, given)}>
                再下载一次（{n(given.length)} 个{def.hands?.secret}）
              </button>
            </p>
          )}
          {finished && (
            <p className="quiet" style={{ marginTop: 12 }}>
              全部导入完成。{state.done > IMPORT_STEP && '列表里已经能看到。'}
            </p>
          )}
        </>
      )}
    </Drawer>
  )
}

function Start({
  def,
  reading,
  onTemplate,
  onFile,
  onStop,
}: {
  def: ImportDef
  reading: boolean
  onTemplate: () => void
  onFile: (file: File | undefined) => void
  onStop: () => void
}) {
  const [over, setOver] = useState(false)
  if (reading)
    return (
      <div className="import-drop" role="status" style={{ cursor: 'default' }}>
        <b>正在读取表格…</b>
        <button className="button small" onClick={onStop}>
          停止
        </button>
      </div>
    )
  return (
    <>
      <ol className="import-steps">
        <li>
          <button className="text-button" onClick={onTemplate}>
            下载模板
          </button>
          ，按第二张表“填写说明”填写；带 * 的列必填：
          {def.columns
            .filter((c) => c.required)
            .map((c) => c.title)
            .join('、')}
          。
        </li>
        <li>上传填好的文件，先看哪些行有误，再导入可导入的行；有误的行改好后可以再导入。</li>
      </ol>
      <label
        className={`import-drop${over ? ' over' : ''}`}
        onDragOver={(e) => {
          e.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(e) => {
          e.preventDefault()
          setOver(false)
          onFile(e.dataTransfer.files[0])
        }}
      >
        <input
          type="file"
          accept=".xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          aria-label="选择 Excel 文件"
          onChange={(e) => {
            onFile(e.target.files?.[0])
            e.target.value = ''
          }}
        />
        <b>把 Excel 文件拖到这里，或点击选择</b>
        <span className="quiet">.xlsx，最大 8 MB，一次最多 {n(MAX_IMPORT_ROWS)} 行，读第一张表</span>
      </label>
    </>
  )
}

function Preview({
  def,
  state,
  view,
  busy,
  onView,
  onFixed,
}: {
  def: ImportDef
  state: ImportState
  view: View
  busy: boolean
  onView: (view: View) => void
  onFixed: (row: ImportRow, was: string) => void
}) {
  const client = useQueryClient()
  const [{ pageNo, pageSize }, setPage] = useState({ pageNo: 1, pageSize: PAGE_SIZE })
  const [editing, setEditing] = useState<ImportRow | null>(null)
  const query = { id: state.id, state: view, pageNo, pageSize }
  const { data, error, refetch } = useQuery({
    queryKey: [def.api.rows.path, query],
    enabled: !busy,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(def.api.rows, { query }, signal),
  })
  async function fix(was: ImportRow): Promise<void> {
    try {
      const row = await call(def.api.fix, { body: { id: state.id, row: was.row, cells: editing!.cells } })
      onFixed(row, was.state)
      setEditing(null)
      if (row.state === 'good') message.success(`第 ${row.row} 行可以导入了`)
      await client.invalidateQueries({ queryKey: [def.api.rows.path] })
    } catch (e) {
      message.error((e as Error).message)
    }
  }
  const reason = ({ column, text }: ImportRow['errors'][number]) => {
    const title = def.columns.find((c) => c.key === column)?.title
    return title && !text.startsWith(title) ? `${title}：${text}` : text
  }
  return (
    <>
      <div className="switch" role="group" aria-label="看哪些行" style={{ marginBottom: 10 }}>
        {(Object.keys(VIEW) as View[]).map((v) => (
          <button key={v} aria-pressed={v === view} onClick={() => onView(v)}>
            {VIEW[v]} {n(state[v])}
          </button>
        ))}
      </div>
      {error ? (
        <Failed error={error} again={() => void refetch()} />
      ) : data?.list.length === 0 ? (
        <p className="quiet">没有{VIEW[view]}的行。</p>
      ) : (
        <div className="import-table" tabIndex={0} role="region" aria-label={`${VIEW[view]}的行`}>
          <table className="grid">
            <thead>
              <tr>
                <th className="right">行</th>
                {view === 'bad' && <th>原因</th>}
                {def.columns.map((c) => (
                  <th key={c.key}>{c.title}</th>
                ))}
                {view === 'bad' && <th className="last">操作</th>}
              </tr>
            </thead>
            <tbody>
              {data?.list.map((r) => {
                const edit = editing?.row === r.row ? editing : null
                return (
                  <tr
                    key={r.row}
                    onKeyDown={(e) => {
                      if (edit && e.key === 'Enter') void fix(r)
                      else if (edit && e.key === 'Escape') {
                        e.stopPropagation()
                        setEditing(null)
                      }
                    }}
                  >
                    <td className="right">{r.row}</td>
                    {view === 'bad' && <td className="why">{r.errors.map(reason).join('；')}</td>}
                    {def.columns.map((c, i) => (
                      <td
                        key={c.key}
                        className={r.errors.some((e) => e.column === c.key) ? 'wrong' : ''}
                        title={r.cells[i]}
                      >
                        {edit ? (
                          <input
                            className="input"
                            aria-label={`第 ${r.row} 行${c.title}`}
                            autoFocus={r.errors[0]?.column === c.key}
                            value={edit.cells[i]}
                            maxLength={500}
                            onChange={(e) =>
                              setEditing({
                                ...edit,
                                cells: edit.cells.map((x, j) => (j === i ? e.target.value : x)),
                              })
                            }
                          />
                        ) : (
                          r.cells[i]
                        )}
                      </td>
                    ))}
                    {view === 'bad' && (
                      <td className="last">
                        <span className="actions">
                          {edit ? (
                            <>
                              <button onClick={() => void fix(r)}>保存</button>
                              <button onClick={() => setEditing(null)}>取消</button>
                            </>
                          ) : (
                            <button disabled={busy} onClick={() => setEditing(r)}>
                              修改
                            </button>
                          )}
                        </span>
                      </td>
                    )}
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      {data && data.totalCount > PAGE_SIZE && (
        <div className="pager">
          <Pager
            pageNo={pageNo}
            pageSize={pageSize}
            total={data.totalCount}
            onTurn={(to, size) => setPage({ pageNo: size === pageSize ? to : 1, pageSize: size })}
          />
        </div>
      )}
    </>
  )
}
