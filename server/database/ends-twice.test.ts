import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

import { expect, it } from 'vitest'

import { readHead, writeBackup } from './backup-file.ts'

it('a backup in which an end stands that fits nothing is refused, though its last line fits', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'zhuguan-backup-')), 'a.backup')
  await writeBackup(file, async (to) => {
    await to.head({ migrations: [] })
    await to.rows('sites', '[{"id":1}]')
  })
  expect(await readHead(file)).toMatchObject({ migrations: [] })
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  writeFileSync(file, gzipSync(`${lines.toSpliced(1, 0, lines.at(-1)!).join('\n')}\n`))
  await expect(readHead(file)).rejects.toThrow('备份文件不完整或已损坏，没有改动现有数据')
})
