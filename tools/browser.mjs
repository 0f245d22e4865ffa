import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]

const hasChinese = () =>
  spawnSync('fc-list', [':lang=zh-cn', 'family'], { encoding: 'utf8' }).stdout?.trim().length > 0

/** Glyphs from the font package, where the system has none. */
function fontConfig() {
  const folder = dirname(
    createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans-sc/package.json'),
  )
  const file = join(tmpdir(), 'zhuguan-fonts', 'fonts.conf')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}</dir><dir>/usr/share/fonts</dir><cachedir>${join(dirname(file), 'cache')}</cachedir></fontconfig>`,
  )
  return file
}

/**
 * A real Chromium with Chinese glyphs: named, installed, installable, or the one inside a package. Never skipped.
 * @returns {Promise<{executablePath: string, args: string[], env: Record<string, string>}>}
 */
export async function findBrowser() {
  let executablePath = [process.env.CHROMIUM, ...PLACES].find((p) => p && existsSync(p))
  if (!executablePath && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('No Chromium found: installing the system packages chromium and fonts-noto-cjk')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    if (spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' }).status === 0)
      spawnSync('apt-get', ['install', '-y', '-qq', 'chromium', 'fonts-noto-cjk'], { env, stdio: 'ignore' })
    executablePath = PLACES.find((p) => existsSync(p))
  }
  let extra = []
  if (!executablePath) {
    const { default: packaged } = await import('@sparticuz/chromium')
    executablePath = await packaged.executablePath()
    extra = packaged.args
  }
  if (!executablePath) throw new Error('No Chromium: install chromium, or name its path in CHROMIUM')
  return {
    executablePath,
    args: [...new Set([...FLAGS, ...extra])],
    env: hasChinese() ? {} : { FONTCONFIG_FILE: fontConfig() },
  }
}
