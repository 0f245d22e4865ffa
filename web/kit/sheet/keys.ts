import type { KeyboardEvent } from 'react'

/** The name of a key in a table of keys: Ctrl+D, Alt+ArrowUp, F2; the command key of a Mac counts as Ctrl. */
export function keyName(
  e: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): string {
  const letter = /^Key([A-Z])$/.exec(e.code)?.[1]
  const key = letter && (e.ctrlKey || e.metaKey || e.altKey) ? letter : e.key
  return [
    (e.ctrlKey || e.metaKey) && 'Ctrl',
    e.altKey && 'Alt',
    e.shiftKey && (key.length > 1 || letter === key) && 'Shift',
    key,
  ]
    .filter(Boolean)
    .join('+')
}

/** The keys of every sheet, as its list of keys says them. */
export const SHEET_KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['← ↑ → ↓', '移动；编辑刚打的字时也移动'],
  ['Tab / Shift Tab', '下一个、上一个能填的格子'],
  ['Enter / Shift Enter', '向下、向上；打字以后先记下'],
  ['直接打字', '替换格子里的内容'],
  ['F2', '编辑格子里的内容'],
  ['Esc', '不改了；没有在改时离开表格，到上面的按钮'],
  ['Delete', '清空'],
  ['Shift 方向键', '选一块；加 Ctrl 选到头'],
  ['Ctrl A', '全选'],
  ['Ctrl C / X / V', '复制、剪切、粘贴，和 Excel 互通'],
  ['Ctrl D', '向下填充'],
  ['Ctrl Enter', '在下面插入一行'],
  ['Alt Delete', '删除选中的行'],
  ['Alt ↑ / Alt ↓', '上移、下移选中的行'],
  ['Ctrl Z / Ctrl Y', '撤销、重做，各 100 步'],
  ['Ctrl Home / End', '到第一格、最后一格'],
  ['Ctrl 方向键', '到这一行、这一列的头'],
  ['PageUp / PageDown', '翻一屏'],
  ['F1', '显示这张表'],
]

const FAR = 1e6
/** The distance that the end of a selection moves. */
export const WAYS: Readonly<Record<string, readonly [rows: number, cols: number]>> = {
  'Shift+ArrowUp': [-1, 0],
  'Shift+ArrowDown': [1, 0],
  'Shift+ArrowLeft': [0, -1],
  'Shift+ArrowRight': [0, 1],
  'Ctrl+Shift+ArrowUp': [-FAR, 0],
  'Ctrl+Shift+ArrowDown': [FAR, 0],
  'Ctrl+Shift+ArrowLeft': [0, -FAR],
  'Ctrl+Shift+ArrowRight': [0, FAR],
  'Ctrl+Shift+Home': [-FAR, -FAR],
  'Ctrl+Shift+End': [FAR, FAR],
}

/** A sign that is written, and no command. */
export const isTyping = (e: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): boolean =>
  e.key.length === 1 && !e.ctrlKey && !e.metaKey && !e.altKey
