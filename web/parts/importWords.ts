/** The rows of an import that are looked at. */
export type ImportView = 'bad' | 'good' | 'done'
export const IMPORT_VIEWS: Record<ImportView, string> = { bad: '有误', good: '可导入', done: '已导入' }
export const counted = (value: number) => value.toLocaleString('zh-CN')
