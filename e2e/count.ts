import type { Page } from 'playwright-core'

/** Clicks and seconds of a story, said at its end: what a person spends on it. */
export async function counted(
  page: Page,
  story: string,
): Promise<{ said: () => Promise<{ clicks: number; seconds: number }> }> {
  const begun = performance.now()
  await page.evaluate(() => {
    const w = window as unknown as { clicks: number }
    w.clicks = 0
    addEventListener(
      'click',
      (e) => {
        if (e.isTrusted) w.clicks += 1
      },
      true,
    )
  })
  return {
    async said() {
      const clicks = await page.evaluate(() => (window as unknown as { clicks: number }).clicks)
      const seconds = Math.round((performance.now() - begun) / 100) / 10
      console.log(`${story}: ${clicks} clicks, ${seconds} s`)
      return { clicks, seconds }
    },
  }
}
