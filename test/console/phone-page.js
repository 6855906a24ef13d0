/** The smallest page that is an agent's phone: the desk's part, for tests. `window.place` comes from the test. */
import { Phone } from '../../src/console/phone/phone.ts'
import { RealClock } from '../../src/kernel/clock.ts'

const { headers, userName, sipOrigin } = window.place

async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

const ticket = async () => (await ask('POST', '/svcpbx/agents/me/tickets')).body.ticket

const ordered = async (type) => (await ask('POST', '/svcpbx/agents/me/orders', { type })).status === 200
/** The page comes to a shift that goes on, or begins one, once. */
let isAskedFor = true

window.told = []
const door = {
  async credentials(asked) {
    const { status, body } = await ask('POST', '/svcpbx/agents/me/phone', asked)
    if (status === 409) return 'elsewhere'
    if (status !== 200) throw new Error(body?.detail)
    return { ...body, wsUrl: (sipOrigin ?? '') + body.wsUrl }
  },
  ticket,
  async renewLeg() {
    const isRenewed = await ordered('renewLeg')
    if (isRenewed || (isAskedFor && (await ordered('logIn')))) isAskedFor = false
  },
  doubt: () => ask('POST', '/svcpbx/agents/me/orders', { type: 'doubtPhone' }),
  end: (epoch) => ask('DELETE', `/svcpbx/agents/me/phone?epoch=${epoch}`),
  report(report) {
    window.told.push(report)
    void ask('POST', '/svcpbx/agents/me/phone/report', report)
  },
}

const speaker = document.body.appendChild(document.createElement('audio'))
window.views = []
const phone = new Phone({ clock: new RealClock(), door, userName, speaker, changed: (view) => window.views.push(view) })
window.phone = phone

window.sound = async () => {
  const rows = [...((await phone.stats()) ?? new Map()).values()]
  const inbound = rows.find(({ type }) => type === 'inbound-rtp')
  const outbound = rows.find(({ type }) => type === 'outbound-rtp')
  return {
    received: inbound?.packetsReceived ?? 0,
    energy: inbound?.totalAudioEnergy ?? 0,
    sent: outbound?.packetsSent ?? 0,
    arrivedBytes: rows.reduce(
      (sum, { type, bytesReceived = 0 }) => sum + (type === 'candidate-pair' ? bytesReceived : 0),
      0,
    ),
  }
}

const events = new WebSocket(
  `${location.origin.replace('http', 'ws')}/svcpbx/agents/me/events?ticket=${await ticket()}`,
)
events.onmessage = ({ data }) => {
  const message = JSON.parse(data)
  if (message.type === 'leg') phone.send({ type: 'leg.expected', leg: message.legId })
  if (message.type === 'legEnded') phone.send({ type: 'leg.ended', leg: message.legId })
  if (message.type === 'call') phone.send({ type: 'call', isUp: true })
  if (message.type === 'call') phone.expectSound(true)
  if (message.type === 'callEnded') phone.send({ type: 'call', isUp: false })
  if (message.type === 'callEnded') phone.expectSound(false)
}
/** From now on the page knows what SIP tells alone: the news and Asterisk's BYE race each other. */
window.hearSipOnly = () => (events.onmessage = null)
window.hangUp = () => ask('POST', '/svcpbx/agents/me/orders', { type: 'hangUp' })
events.onopen = () => phone.send({ type: 'start' })
