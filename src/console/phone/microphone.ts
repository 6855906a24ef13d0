/** The microphone: opened once for a shift, so that no call waits for it. */
import type { MicrophoneFailure, PhoneEvent } from './phone-messages.ts'

/** Names of `DOMException` (W3C Media Capture 10.3), as Chromium uses them. */
const FAILURES: Readonly<Record<string, MicrophoneFailure>> = {
  NotFoundError: 'notFound',
  OverconstrainedError: 'notFound',
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotReadableError: 'inUse',
  AbortError: 'inUse',
}

/** One microphone at a time; closed outside of shifts, and not heard outside of calls. */
export class Microphone {
  readonly #tell: (event: PhoneEvent) => void
  #stream: MediaStream | undefined
  #isOpen = false
  /** The opening that counts: people may be asked again before they have answered. */
  #wanted: object | undefined

  constructor(tell: (event: PhoneEvent) => void) {
    this.#tell = tell
    navigator.mediaDevices.addEventListener('devicechange', () => this.#tell({ type: 'devices.changed' }))
    // Firefox does not know this permission; its users press Start again.
    navigator.permissions
      .query({ name: 'microphone' })
      .then((permission) => permission.addEventListener('change', () => this.#tell({ type: 'devices.changed' })))
      .catch(() => {})
  }

  get stream(): MediaStream | undefined {
    return this.#stream
  }

  get track(): MediaStreamTrack | undefined {
    return this.#stream?.getAudioTracks()[0]
  }

  /** Tells `microphone.open` or `microphone.failed`, and `microphone.lost` when a headset is pulled. */
  async open(): Promise<void> {
    this.close()
    const mine = {}
    this.#wanted = mine
    try {
      const processing = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }
      const stream = await navigator.mediaDevices.getUserMedia({ audio: processing })
      if (this.#wanted !== mine) return stop(stream)
      this.#stream = stream
      this.setOpen(this.#isOpen)
      this.track?.addEventListener('ended', () => this.#stream === stream && this.#tell({ type: 'microphone.lost' }))
      this.#tell({ type: 'microphone.open' })
    } catch (error) {
      const why = FAILURES[(error as DOMException).name] ?? 'failed'
      if (this.#wanted === mine) this.#tell({ type: 'microphone.failed', why })
    }
  }

  close(): void {
    this.#wanted = undefined
    stop(this.#stream)
    this.#stream = undefined
  }

  /** Whether the other side hears it. */
  setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen
    if (this.track) this.track.enabled = isOpen
  }
}

function stop(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
