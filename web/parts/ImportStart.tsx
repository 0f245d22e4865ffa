import { type ImportDef, MAX_IMPORT_ROWS } from '@zhuguan/contract/kit/imports.ts'
import { useState } from 'react'

import { counted } from './importWords.ts'

/** Before a file is there: the template, and where the file is dropped. */
export function ImportStart({
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
      <div className="import-drop reading" role="status">
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
        <span className="quiet">.xlsx，最大 8 MB，一次最多 {counted(MAX_IMPORT_ROWS)} 行，读第一张表</span>
      </label>
    </>
  )
}
