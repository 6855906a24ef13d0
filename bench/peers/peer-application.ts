/** The Stasis application of the peer that serves calls. */
export const PEER_APPLICATION = 'peer'
