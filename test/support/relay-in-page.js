/** In the page: the only ICE candidate of either side is the relay, at the address that the other side has anyway. */
const pairOfPeer = new WeakMap()
let peerCount = 0

function pairOf(peer) {
  const known = pairOfPeer.get(peer) ?? globalThis.relayPairs[peerCount++ % globalThis.relayPairs.length]
  pairOfPeer.set(peer, known)
  return known
}

/** Both are on one machine; Chromium hides its own address behind a name (mDNS). */
let address

/** The first IPv4 candidate with another port; the others are left out. */
function withPort(sdp, port) {
  let isFirst = true
  const kept = sdp.split('\r\n').flatMap((line) => {
    if (!line.startsWith('a=candidate:')) return [line]
    const parts = line.split(' ')
    if (!isFirst || parts[2].toLowerCase() !== 'udp' || parts[4].includes(':')) return []
    isFirst = false
    if (parts[4].endsWith('.local')) parts[4] = address
    else address = parts[4]
    parts[5] = String(port)
    return [parts.join(' ')]
  })
  return kept.join('\r\n')
}

const { prototype } = RTCPeerConnection
const setRemote = prototype.setRemoteDescription
prototype.setRemoteDescription = function ({ type, sdp }) {
  return setRemote.call(this, { type, sdp: withPort(sdp, pairOf(this).page) })
}
const localDescription = Object.getOwnPropertyDescriptor(prototype, 'localDescription')
Object.defineProperty(prototype, 'localDescription', {
  configurable: true,
  get() {
    const own = localDescription.get.call(this)
    return own && { type: own.type, sdp: withPort(own.sdp, pairOf(this).switch) }
  },
})

const peers = new Set()
const moved = new WeakSet()
const { getStats } = prototype
/** Names another path (W3C WebRTC Stats 8.12) for whoever was moved, as after a choice of the browser's own. */
prototype.getStats = async function () {
  peers.add(this)
  const named = moved.has(this) ? { selectedCandidatePairId: 'the other' } : {}
  const rows = [...(await getStats.call(this))]
  return new Map(rows.map(([id, row]) => [id, row.type === 'transport' ? { ...row, ...named } : row]))
}
globalThis.relayMoved = () => {
  for (const peer of peers) moved.add(peer)
}
