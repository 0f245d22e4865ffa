import type { Page } from 'playwright-core'

/** Seconds of the keystroke-level model. */
const KEY = 0.28
const THINK = 1.35
/** A Chinese sign is typed as so many letters, and chosen. */
const PINYIN = 3

/** Hands that never leave the keyboard; what they spend is counted. */
export async function handsOn(page: Page, story: string) {
  const session = await page.context().newCDPSession(page)
  const spent = { keys: 0, thoughts: 0 }
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      spent.keys += key.split('+').length
      await page.keyboard.press(key)
    }
  }
  /** Every sign as a person types it: Chinese ones come from an input method. */
  const type = async (text: string) => {
    for (const sign of text) {
      const isChinese = sign.charCodeAt(0) > 255
      spent.keys += isChinese ? PINYIN : 1
      if (isChinese) {
        await session.send('Input.dispatchKeyEvent', {
          type: 'rawKeyDown',
          windowsVirtualKeyCode: 229,
          key: 'Process',
          code: '',
        })
        await page.keyboard.insertText(sign)
      } else await page.keyboard.type(sign)
    }
  }
  return {
    press,
    type,
    /** Before something that has to be decided or read. */
    think: () => (spent.thoughts += 1),
    /** Tabs until the keyboard is there. */
    async reach(selector: string, key = 'Tab', most = 40) {
      const isThere = () => page.evaluate((s) => !!document.activeElement?.closest(s), selector)
      for (let i = 0; i < most && !(await isThere()); i += 1) await press(key)
      if (!(await isThere())) throw new Error(`${selector} is not reached by ${most} × ${key}`)
    },
    said() {
      const seconds = Math.round(spent.keys * KEY + spent.thoughts * THINK)
      console.log(`${story}: ${spent.keys} keys, ${spent.thoughts} thoughts, ${seconds} s by the model`)
      return { ...spent, seconds }
    },
  }
}
