/** Messages that callers leave after a tone (calls-and-flows-51). */
import type { CallCommand, MessageFact } from '../../flow/model/call-messages.ts'
import type { RecordingId } from '../../kernel/ids.ts'
import type { FileId } from '../../ports/call-activity.ts'
import type { RecordingMade } from '../../ports/call-recordings.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { EngineContext, LiveCall } from '../context.ts'
import type { RecordingEnd } from '../leg-recordings.ts'
import { recordingRuleOf } from '../recording-rule.ts'

interface MessagesOptions {
  readonly dialerRepository: Pick<DialerRepository, 'fileNumber'>
  readonly fileAddress: (file: FileId) => string
}

/** Our choice: with the longest message (5 minutes) one call takes 50 MB at most. */
const MESSAGES_MAX = 10

/** Takes messages, files them with their calls, and tells the flow. */
export class Messages {
  readonly #context: EngineContext
  readonly #options: MessagesOptions

  constructor(context: EngineContext, options: MessagesOptions) {
    this.#context = context
    this.#options = options
  }

  /** The call belongs to the team of the message from now on. */
  take(live: LiveCall, { key, team, maxMs, silenceMs }: Extract<CallCommand, { type: 'takeMessage' }>): void {
    const { later, recordings } = this.#context
    if (live.recordings.filter(({ isMessage }) => isMessage).length >= MESSAGES_MAX) {
      const why = `a call may leave ${MESSAGES_MAX} messages`
      return later(live.call, { type: 'message.ended', key, end: 'failed', why })
    }
    if (team !== undefined) live.team = team
    live.message = { key, hasLeft: false }
    const { isTranscribed } = recordingRuleOf(this.#context, live.called, live.team)
    const rule = isTranscribed ? {} : { isTranscribed }
    const onEnd = (end: RecordingEnd, made: RecordingMade | undefined) => this.#ended(live, end, made)
    void this.#number(live, recordings.take(live, { maxMs, silenceMs }, rule, onEnd))
  }

  /** The address is known before the call is over. While the database is unavailable the message has none. */
  async #number(live: LiveCall, recording: RecordingId): Promise<void> {
    const fileId = await this.#options.dialerRepository.fileNumber().catch(() => undefined)
    if (fileId === undefined) return
    this.#context.enqueue(() => {
      const at = live.openRecordings.findIndex(({ id }) => id === recording)
      if (at < 0) return
      live.openRecordings[at] = { ...live.openRecordings[at]!, fileId }
      this.#context.inboundCalls?.callWent(live)
    })
  }

  #ended(live: LiveCall, end: RecordingEnd, made: RecordingMade | undefined): void {
    const { key, hasLeft } = live.message!
    const fact = this.#factOf(end, made)
    // The end of the leg tells the flow of the message.
    if (hasLeft || end.hasHungUp) {
      live.left = fact.end === 'done' ? fact.message : undefined
      return
    }
    live.message = undefined
    this.#context.sendToCall(live.call, { ...fact, key })
  }

  #factOf({ result, why, lengthMs = 0 }: RecordingEnd, made: RecordingMade | undefined): MessageFact {
    const type = 'message.ended'
    if (result === 'silent') return { type, end: 'noInput', why: 'nothing was said after the tone' }
    if (result === 'failed') return { type, end: 'failed', why: `the message could not be recorded: ${why}` }
    const url = made?.fileId === undefined ? {} : { url: this.#options.fileAddress(made.fileId) }
    return { type, end: 'done', message: { ...url, seconds: Math.max(1, Math.round(lengthMs / 1_000)) } }
  }
}
