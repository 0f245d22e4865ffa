import { basename } from 'node:path'

const MOST = 30

/** Where a suite's time went: its longest files in seconds, with what each sets up before its first story, and all. */
export default class Longest {
  files = []

  onTestModuleEnd(file) {
    const name = basename(file.moduleId).replace(/\.test\.tsx?$/, '')
    this.files.push({ name, ms: file.diagnostic().duration })
  }

  onTestRunEnd() {
    const all = this.files.reduce((sum, { ms }) => sum + ms, 0)
    const longest = this.files.toSorted((a, b) => b.ms - a.ms).slice(0, MOST)
    const named = longest.map((f) => `${f.name} ${(f.ms / 1000).toFixed(0)}`).join(', ')
    console.log(`${this.files.length} files in ${(all / 1000).toFixed(0)} s, the longest: ${named}`)
  }
}
