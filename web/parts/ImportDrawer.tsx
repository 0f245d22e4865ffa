import { IMPORT_STEP, type ImportDef, type ImportState } from '@zhuguan/contract/kit/imports.ts'
import { Drawer } from 'antd'

import { ImportPreview } from './ImportPreview.tsx'
import { ImportStart } from './ImportStart.tsx'
import { counted } from './importWords.ts'
import { saveHanded, useImport } from './useImport.ts'

import './import.css'

/**
 * An Excel list: template, upload, preview with what is wrong, and the good rows stored step by step.
 * What was left open is found again.
 */
export default function ImportDrawer({
  def,
  onClose,
  onDone,
}: {
  def: ImportDef
  onClose: () => void
  onDone: () => void
}) {
  const im = useImport(def, onDone)
  const { state, setState, busy, problem, view, setView, given, steps, take, save, halt } = im
  const finished = !!state && state.good === 0 && state.unchecked === 0 && state.bad === 0
  return (
    <Drawer
      open
      title={`导入${def.title}`}
      size={state ? 'min(1080px, 100vw)' : 'min(640px, 100vw)'}
      onClose={onClose}
      footer={
        state ? <Foot {...im} def={def} state={state} finished={finished} onClose={onClose} /> : undefined
      }
    >
      {problem && (
        <p className="state bad import-problem" role="alert">
          {problem}
        </p>
      )}
      {state === null && (
        <ImportStart
          def={def}
          reading={busy === 'upload'}
          onTemplate={() => void save(def.api.template, {}, `${def.title}导入模板.xlsx`)}
          onFile={(f) => void take(f)}
          onStop={halt}
        />
      )}
      {state && (
        <>
          <Figures state={state} />
          {(busy === 'check' || busy === 'run') && <Progress state={state} what={busy} onStop={halt} />}
          {!busy && state.unchecked > 0 && (
            <p className="quiet lead">
              还有 {counted(state.unchecked)} 行没有检查。
              <button className="text-button" onClick={() => void steps('check', state)}>
                继续检查
              </button>
            </p>
          )}
          {state.unchecked < state.total && (
            <ImportPreview
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
                再下载一次（{counted(given.length)} 个{def.hands?.secret}）
              </button>
            </p>
          )}
          {finished && (
            <p className="quiet import-done">
              全部导入完成。{state.done > IMPORT_STEP && '列表里已经能看到。'}
            </p>
          )}
        </>
      )}
    </Drawer>
  )
}

function Foot({
  def,
  state,
  finished,
  busy,
  drop,
  save,
  steps,
  onClose,
}: Pick<ReturnType<typeof useImport>, 'busy' | 'drop' | 'save' | 'steps'> & {
  def: ImportDef
  state: ImportState
  finished: boolean
  onClose: () => void
}) {
  return (
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
          下载有误的 {counted(state.bad)} 行
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
          导入 {counted(state.good)} 行
        </button>
      )}
    </div>
  )
}

const Figures = ({ state }: { state: ImportState }) => (
  <div className="import-figures" role="status">
    <span>
      {state.fileName || '表格'}，共 <b>{counted(state.total)}</b> 行
    </span>
    <span className="ok">
      可导入 <b>{counted(state.good)}</b>
    </span>
    <span className={state.bad ? 'bad' : ''}>
      有误 <b>{counted(state.bad)}</b>
    </span>
    <span>
      已导入 <b>{counted(state.done)}</b>
    </span>
  </div>
)

const DOING = { check: ['正在检查', '检查进度'], run: ['正在导入', '导入进度'] } as const
/** The progress of the checking or the storing. */
function Progress({
  state,
  what,
  onStop,
}: {
  state: ImportState
  what: 'check' | 'run'
  onStop: () => void
}) {
  const [doing, label] = DOING[what]
  const done = what === 'check' ? state.total - state.unchecked : state.done
  const all = what === 'check' ? state.total : state.done + state.good
  return (
    <div className="import-progress">
      <span>
        {doing} {counted(done)} / {counted(all)}
      </span>
      <progress aria-label={label} max={all} value={done} />
      <button className="button small" onClick={onStop}>
        停止
      </button>
    </div>
  )
}
