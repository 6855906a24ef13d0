/** What the proof asks of a page: the sound of its telephone, counted by the browser itself. Runs before the page. */
const peers = []
globalThis.RTCPeerConnection = class extends RTCPeerConnection {
  constructor(...args) {
    super(...args)
    peers.push(this)
  }
}

/**
 * Packets and energy of sound that came in, packets that went out, and bytes of any kind that came in, of the
 * connections that this page has made. An idle leg gets a packet a second, and no sound.
 */
globalThis.soundOfPage = async () => {
  const sum = { received: 0, energy: 0, sent: 0, arrivedBytes: 0 }
  for (const peer of peers) {
    for (const row of (await peer.getStats()).values()) {
      if (row.type === 'inbound-rtp') sum.received += row.packetsReceived ?? 0
      if (row.type === 'inbound-rtp') sum.energy += row.totalAudioEnergy ?? 0
      if (row.type === 'candidate-pair') sum.arrivedBytes += row.bytesReceived ?? 0
      if (row.type === 'outbound-rtp') sum.sent += row.packetsSent ?? 0
    }
  }
  return sum
}

/** Connections of this page that are not closed. */
globalThis.openPeersOfPage = () => peers.filter(({ connectionState }) => connectionState !== 'closed').length
