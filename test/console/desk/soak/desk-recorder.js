/**
 * What proofs ask of a desk: each thing it shows is told once it is painted, with the instant at which the node
 * changed it. `tellDesk` comes from the test. Runs before the page.
 */
let isNews = false
let news
let seen = '|'

const heard = (data) => {
  if (typeof data !== 'string' || data[0] !== '{') return
  const { t, ops = [] } = JSON.parse(data)
  if (t !== 'd') return
  for (const [op, kind, , fields] of ops) {
    if (op !== 'u' || kind !== 'agent' || fields.state === undefined || fields.state === news?.state) continue
    news = { state: fields.state, changedAtMs: Date.parse(fields.sinceTs), arrivedAtMs: Date.now() }
    isNews = true
  }
}

globalThis.WebSocket = class extends WebSocket {
  constructor(...args) {
    super(...args)
    this.addEventListener('message', ({ data }) => heard(data))
  }
}

const look = () => {
  const state = document.querySelector('section[data-state]')?.dataset.state ?? ''
  const contact = document.querySelector('section[aria-label="Contact"] h2')?.textContent ?? ''
  const now = `${state}|${contact}`
  if (now === seen) return
  seen = now
  const told = isNews && news.state === state ? news : undefined
  if (told) isNews = false
  // A task that begins in the frame after the next picture was asked for: it is painted.
  requestAnimationFrame(() => setTimeout(() => tellDesk({ state, contact, paintedAtMs: Date.now(), news: told })))
}

new MutationObserver(look).observe(document, {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeFilter: ['data-state'],
})
