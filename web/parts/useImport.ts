import { useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import type { Handed, ImportDef, ImportState } from '@zhuguan/contract/kit/imports.ts'
import { useEffect, useRef, useState } from 'react'

import { call, callForBytes, upload } from '../kit/api.ts'
import { message } from '../kit/notices.ts'
import { saveAs, saveCsv } from '../kit/save.ts'
import { counted, type ImportView } from './importWords.ts'

/** What is told once goes to the clerk's disk at once, whatever becomes of the page. */
export const saveHanded = ({ title, hands }: ImportDef, given: readonly Handed[]) =>
  saveCsv(
    [[hands!.name, hands!.secret], ...given.map((g) => [g.name, g.secret])],
    `导入的${title}：${hands!.secret}.csv`,
  )

/** An import from its file to its last row; what was left open is found again. */
export function useImport(def: ImportDef, onDone: () => void) {
  const client = useQueryClient()
  const [state, setState] = useState<ImportState | null | undefined>(undefined)
  const [busy, setBusy] = useState<'upload' | 'check' | 'run' | null>(null)
  const [problem, setProblem] = useState('')
  const [view, setView] = useState<ImportView>('bad')
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
      if (what === 'run') message.success(`已导入 ${counted(now.done - from.done)} 行`)
    } catch (error) {
      failed(error)
    } finally {
      setBusy(null)
      if (what === 'run') onDone()
      if (handed.length) {
        setGiven((old) => [...old, ...handed])
        saveHanded(def, handed)
      }
      const rest = what === 'run' ? 'done' : 'good'
      setView(now.bad ? 'bad' : rest)
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
  const halt = () => stop.current?.abort()
  return { state, setState, busy, problem, view, setView, given, steps, take, drop, save, halt }
}
