import type { AtMs } from '../../kernel/clock.ts'
import type { InfoKey } from './leg-keys.ts'

/** A request INFO (RFC 6086), or the response to one. */
export interface InfoCopy {
  readonly callId: string
  readonly cseq: string
  /** When the switch received or sent it, by its own clock. */
  readonly atMs: AtMs
  /** Of a response. */
  readonly status?: number
  /** Of a request. */
  readonly contentType?: string
  readonly body?: string
}

/** A key and the call that it was sent in. */
export interface SentKey extends InfoKey {
  readonly callId: string
}

/** INFO whose response or repetitions may come; the oldest are forgotten. */
const INFOS_MAX = 1_000
/** What Asterisk assumes when INFO does not say for how long a key was held. */
const HELD_MS = 100

/**
 * Keys that telephones send as SIP INFO, from the copies of requests and responses. A key counts once, when Asterisk
 * takes it with 200: a request may be sent again, with a password too, and one from outside the call is refused.
 */
export class InfoKeys {
  /** By call and `CSeq`: the key that was sent, until it was taken. */
  readonly #sent = new Map<string, Pick<InfoKey, 'digit' | 'heldMs'> | 'taken'>()

  /** The key that this message completes. */
  receive({ callId, cseq, atMs, status, contentType, body = '' }: InfoCopy): SentKey | undefined {
    const id = `${callId} ${cseq}`
    const sent = this.#sent.get(id)
    if (status === undefined) {
      const key = keyIn(contentType, body)
      if (!key || sent) return undefined
      this.#sent.set(id, key)
      const [oldest] = this.#sent.keys()
      if (this.#sent.size > INFOS_MAX && oldest !== undefined) this.#sent.delete(oldest)
    } else if (status === 200 && sent && sent !== 'taken') {
      this.#sent.set(id, 'taken')
      return { callId, ...sent, atMs }
    }
    return undefined
  }
}

/** As Asterisk reads it (`res_pjsip_dtmf_info.c`). */
function keyIn(contentType: string | undefined, body: string): Pick<InfoKey, 'digit' | 'heldMs'> | undefined {
  const isRelay = contentType === 'application/dtmf-relay'
  if (!isRelay && contentType !== 'application/dtmf') return undefined
  const signal = isRelay ? /^Signal[ \t]*=[ \t]*(\S+)/im.exec(body)?.[1] : body
  const digit = /^([*#A-D]|\d+)/i.exec(signal ?? '')?.[1]
  const heldMs = isRelay ? /^Duration[ \t]*=[ \t]*(\d+)/im.exec(body)?.[1] : undefined
  if (digit === undefined || Number(digit) > LAST_EVENT) return undefined
  return { digit: EVENTS[Number(digit)] ?? digit, heldMs: heldMs === undefined ? HELD_MS : Number(heldMs) }
}

/** RFC 4733 3.2. */
const EVENTS = '0123456789*#ABCD'
const LAST_EVENT = EVENTS.length - 1
