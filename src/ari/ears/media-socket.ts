import { WebSocket } from 'ws'

/** A frame is 320 bytes; text frames are shorter than this too. */
const FRAME_BYTES_MAX = 64 * 1024
const OPENING_MAX_MS = 3_000

/** The sound of one channel, from its opening to its loss. Closing it hangs up the channel (asterisk.md 7). */
export interface MediaSocket {
  close(): void
}

interface MediaSocketOptions {
  /** Of the HTTP server that also serves ARI. */
  readonly address: { readonly origin: string }
  readonly authorization: string
  /** `MEDIA_WEBSOCKET_CONNECTION_ID` of the channel: random, and valid for one connection. */
  readonly connection: string
  /** Samples at 8 kHz (`slin`), in order. */
  onSound(samples: Int16Array): void
  /** At most once; no sound follows. */
  onLost(why: string): void
}

/** Connects to a channel of `chan_websocket`, on the HTTP server that also serves ARI. */
export function openMediaSocket({
  address,
  authorization,
  connection,
  onSound,
  onLost,
}: MediaSocketOptions): MediaSocket {
  const url = `${address.origin.replace(/^http/, 'ws')}/media/${encodeURIComponent(connection)}`
  const headers = { authorization }
  const limits = { maxPayload: FRAME_BYTES_MAX, handshakeTimeout: OPENING_MAX_MS, perMessageDeflate: false }
  const socket = new WebSocket(url, ['media'], { headers, ...limits })
  let isOpen = true
  const lose = (why: string) => {
    if (!isOpen) return
    isOpen = false
    onLost(why)
  }
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary && isOpen) onSound(new Int16Array(Uint8Array.from(data.subarray(0, data.length & ~1)).buffer))
  })
  socket.on('error', (error) => lose(error.message))
  socket.on('close', () => lose('the socket was closed'))
  return {
    close() {
      isOpen = false
      // Also while it opens: `ws` reports that as an error, which is heard above.
      socket.close()
    },
  }
}
