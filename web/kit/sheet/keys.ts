import type { KeyboardEvent } from 'react'

/** What a key is called in a table of keys: Ctrl+D, Alt+ArrowUp, F2; the command key of a Mac counts as Ctrl. */
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
  ['Esc', '不改了'],
  ['Delete', '清空'],
  ['Shift 方向键', '选一块'],
  ['Ctrl A', '全选'],
  ['Ctrl C / X / V', '复制、剪切、粘贴，和 Excel 互通'],
  ['Ctrl D', '向下填充'],
  ['Ctrl Enter', '在下面插入一行'],
  ['Alt Delete', '删除选中的行'],
  ['Alt ↑ / Alt ↓', '上移、下移选中的行'],
  ['Ctrl Z / Ctrl Y', '撤销、重做，各 100 步'],
  ['Ctrl Home / End', '到第一格、最后一格'],
  ['PageUp / PageDown', '翻一屏'],
  ['F1', '显示这张表'],
]
