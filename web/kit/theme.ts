import { theme as antd, type ThemeConfig } from 'antd'

/** The accent is for fills; text and links take a darker shade, whose contrast on white is 5.6 : 1 (docs/looks.md). */
export const ACCENT = '#409EFF'
export const INK = '#1769c4'

export const themeOf = (dark: boolean): ThemeConfig => ({
  algorithm: dark ? antd.darkAlgorithm : antd.defaultAlgorithm,
  token: {
    colorPrimary: dark ? ACCENT : INK,
    colorLink: dark ? '#7ab8ff' : INK,
    colorInfo: INK,
    colorError: '#c5221f',
    colorWarning: '#b06000',
    colorSuccess: '#137333',
    borderRadius: 6,
    fontSize: 14,
    lineHeight: 1.57,
    controlHeight: 32,
    fontFamily:
      '"PingFang SC","HarmonyOS Sans SC","Microsoft YaHei","Noto Sans SC","Noto Sans CJK SC",sans-serif',
    motionDurationMid: '0.15s',
    motionDurationSlow: '0.2s',
    wireframe: false,
    // The stylesheet stops what moves where the system asks for it; drawers wait for the end of a motion and must know.
    motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    ...(dark
      ? // A drawer is a card in front of cards (--card in base.css).
        { colorBgElevated: '#1b222c' }
      : {
          colorText: '#1f2937',
          colorTextSecondary: '#52606f',
          colorTextPlaceholder: '#68758a',
          colorBorder: '#d5dae3',
          colorBorderSecondary: '#e6e8ee',
          colorBgLayout: '#f5f7fa',
        }),
  },
})
