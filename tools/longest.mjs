import { basename } from 'node:path'

const MOST = 15

/** Where a suite's time went: its longest files in seconds, with what each sets up before its first story. */
export default class Longest {
  files = []

  onTestModuleEnd(file) {
    const name = basename(file.moduleId).replace(/\.test\.tsx?$/, '')
    this.files.push({ name, ms: file.diagnostic().duration })
  }

  onTestRunEnd() {
    const longest = this.files.toSorted((a, b) => b.ms - a.ms).slice(0, MOST)
    console.log(`最长的文件（秒）：${longest.map((f) => `${f.name} ${(f.ms / 1000).toFixed(0)}`).join('、')}`)
  }
}
