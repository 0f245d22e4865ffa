/** Where Chromium is, and how it is started there (browser.mjs). */
export function findBrowser(): Promise<{
  executablePath: string
  args: string[]
  env: Record<string, string>
}>
