import type { CallCommand, CallFact, TransferFact } from '../flow/model/call-messages.ts'
import type { SmsResult } from '../ports/sms.ts'
import type { WebAnswer, WebRequest } from '../ports/web.ts'

/** What the world answers. `undefined` for a request: nobody said what the answer is. */
export interface World {
  answer(ask: WebRequest): Reply | undefined
  /** Undefined: the gateway never answers. */
  settleText(to: string): SmsResult | undefined
  stopCaller(): Omit<Extract<CallFact, { type: 'caller.stopped' }>, 'type' | 'key'>
  refuses(team: string): 'full' | 'closed' | undefined
  /** Why no event can come; undefined if events come. */
  refusesWait(): string | undefined
  /** Why no message can be recorded; undefined if it can. */
  refusesMessage(): string | undefined
  /** What comes of a transfer that this call did not begin before. */
  transfer(asked: Extract<CallCommand, { type: 'transfer' }>): TransferReply
  canPlay(sentence: string): boolean
  /** The caller's place in the queue, and the expected wait where it is known. */
  place(): { readonly position: number; readonly waitMs?: number }
  /** Whether callers in the queue may be called back, and their places can be kept. */
  callsBack(): boolean
}

export interface TransferReply {
  readonly end: Extract<TransferFact, { type: 'transfer.ended' }>['end']
  /** Until the answer, the refusal, or the report of the other network. */
  readonly afterMs: number
  readonly talkMs: number
  readonly why?: string
}

export interface Reply {
  /** Undefined: as long as the request waits. */
  readonly afterMs: number | undefined
  readonly answer: WebAnswer
}

/** What comes of a request, and when: it waits no longer than its time-out. */
export function inTime({ answer, afterMs }: Reply, { timeoutMs }: WebRequest): Reply & { readonly afterMs: number } {
  if (afterMs !== undefined && afterMs < timeoutMs) return { answer, afterMs }
  return { answer: { outcome: 'timeout', why: `no answer within ${timeoutMs} ms` }, afterMs: timeoutMs }
}
