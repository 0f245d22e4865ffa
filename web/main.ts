/** The sign-in form is painted before any of the application is asked for; then its chunks come while the user types. */
const signedIn = () => sessionStorage.getItem('token') !== null
const open = () => /^#\/(Preview|404)/.test(location.hash)
const load = () => import('./app/App.tsx')

async function show(): Promise<void> {
  const { mount } = await load()
  document.documentElement.className = ''
  mount(document.getElementById('app')!)
}

if (signedIn() || open()) void show()
else {
  window.addEventListener('zhuguan:in', () => void show(), { once: true })
  const soon = () => setTimeout(() => void load().catch(() => {}), 1200)
  if (document.readyState === 'complete') soon()
  else window.addEventListener('load', soon, { once: true })
  document.getElementById('l-form')?.addEventListener('input', () => void load().catch(() => {}), { once: true })
}
