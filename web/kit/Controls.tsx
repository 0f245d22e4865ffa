import { ConfigProvider } from 'antd'
import type { Locale } from 'antd/es/locale/index.js'
import * as zhCN from 'antd/es/locale/zh_CN.js'
import type { ComponentType, ReactNode } from 'react'

import { usePreferences } from './preferences.ts'
import { themeOf } from './theme.ts'

/**
 * The library's controls in our language, colours and size. Not round the whole application: the shell and its lists
 * are drawn without the library, and wait for none of its code (docs/decisions/0671).
 */
export function Controls({ children }: { children: ReactNode }) {
  const { dark, size } = usePreferences()
  return (
    <ConfigProvider
      locale={zhCN.default as unknown as Locale}
      theme={themeOf(dark)}
      componentSize={size === 'medium' ? 'middle' : size}
      // As buttons that are drawn without the library.
      button={{ autoInsertSpace: false }}
    >
      {children}
    </ConfigProvider>
  )
}
/** A page that is itself drawn with controls. */
export const withControls = (Page: ComponentType): ComponentType =>
  function Controlled() {
    return (
      <Controls>
        <Page />
      </Controls>
    )
  }
