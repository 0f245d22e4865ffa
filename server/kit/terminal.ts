import Bowser from 'bowser'

/** The program and the system behind a browser's own words; another program's words as they are. */
export function terminalOf(agent: string): string {
  if (!agent.includes('Mozilla')) return agent
  const { browser, os, platform } = Bowser.parse(agent)
  const program = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ')
  const system = [os.name, os.versionName ?? os.version?.split('.')[0]].filter(Boolean).join(' ')
  return [program, system, platform.type === 'mobile' ? '手机' : ''].filter(Boolean).join(' · ')
}
