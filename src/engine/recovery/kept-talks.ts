/** Callers whose conversation an earlier engine connected: it goes on, until one of the two hangs up. */
import type { AgentName, CallId, LegId } from '../../kernel/ids.ts'
import type { FinishedCall } from '../../ports/dialer-repository.ts'
import type { OpenCall } from '../../ports/open-call.ts'
import { AFTER_KEPT_CALL, runSteps } from '../after-call.ts'
import type { EngineContext, KeptCallers, KeptTalk } from '../context.ts'
import type { RecordWriter } from '../record-writer.ts'
import { recordingRuleOf } from '../recording-rule.ts'
import { pastCall } from './past-calls.ts'

interface KeptTalksOptions {
  readonly node: string
  readonly recordWriter: RecordWriter
  /** Writes the call, after what its flow does when the caller has gone. */
  readonly finish: (value: FinishedCall, call: OpenCall) => void
  readonly callers: { readonly serveAgain: (call: OpenCall) => boolean }
}

/** Shows them to their agents, stores what becomes of them, and ends them. */
export class KeptTalks implements KeptCallers {
  readonly #context: EngineContext
  readonly #options: KeptTalksOptions

  constructor(context: EngineContext, options: KeptTalksOptions) {
    this.#context = context
    this.#options = options
  }

  /** `isPair`: an agent left the caller with somebody outside, has the next call on the screen, and records no more. */
  begin(kept: KeptTalk, isPair: boolean): void {
    const { keptTalks, recordings } = this.#context
    keptTalks.set(kept.leg, kept)
    recordings.adopt(kept)
    if (isPair) recordings.stop(kept)
    else this.#show(kept, false)
  }

  met(call: CallId, agent: AgentName): void {
    const kept = this.#ofCall(call)
    if (!kept) return
    kept.agent = agent
    this.#show(kept, true)
    this.went(kept.leg)
  }

  went(leg: LegId): void {
    const kept = this.#context.keptTalks.get(leg)
    if (!kept?.call.progress) return
    const { node, recordWriter } = this.#options
    recordWriter.write({ key: leg, what: 'callBegan', value: [node, callNow(kept)] })
  }

  /** The rule is that of step, team or number as it was when the talk began, which is stored with the open call. */
  consented(call: CallId): boolean {
    const kept = this.#ofCall(call)
    if (!kept?.call.progress?.isByConsent) return false
    const { isTranscribed } = recordingRuleOf(this.#context, kept.call.called, kept.call.progress.team)
    if (this.#context.recordings.begin(kept, isTranscribed ? {} : { isTranscribed })) this.went(kept.leg)
    return true
  }

  /** The caller has hung up. False: the leg belongs to no kept conversation. */
  ended(leg: LegId): boolean {
    const kept = this.#context.keptTalks.get(leg)
    if (!kept) return false
    const { distributor, performDistributor } = this.#context
    const afterKeptCall = {
      forgetCall: () => void this.#context.keptTalks.delete(leg),
      finishFlow: () => this.#finish(kept),
      partAgent: () => {
        performDistributor(distributor.partyEnded(leg, this.#nowMs()))
        performDistributor(distributor.leave(kept.call.call, this.#nowMs()))
        if (kept.agent) this.#context.agentDesktop?.callerParted(kept.agent, kept.call.call)
      },
    }
    runSteps(AFTER_KEPT_CALL, afterKeptCall, kept)
    return true
  }

  /** The caller has no place in the flow any more. */
  agentLeft(leg: LegId): void {
    const kept = this.#context.keptTalks.get(leg)
    if (!kept) return
    kept.hasAgentLeft = true
    this.#context.dependencies.pbx.hangUp(leg)
  }

  agentLeftCall(call: CallId): void {
    const kept = this.#ofCall(call)
    if (kept) this.agentLeft(kept.leg)
  }

  /** The caller waits for the next agent where the flow was, as after a crash without an agent. */
  agentLost(call: CallId): void {
    const kept = this.#ofCall(call)
    if (!kept) return
    const { distributor, performDistributor, keptTalks, agentDesktop } = this.#context
    keptTalks.delete(kept.leg)
    if (kept.agent) agentDesktop?.callerParted(kept.agent, call)
    performDistributor(distributor.leave(call, this.#nowMs()))
    if (!this.#options.callers.serveAgain(callNow(kept))) this.#finish(kept)
  }

  #finish(kept: KeptTalk): void {
    const { agent, sinceMs, hasAgentLeft } = kept
    const call = callNow(kept)
    const nowMs = this.#nowMs()
    const loggedEnd = { answeredAtMs: call.createdAtMs, endedAtMs: nowMs, reason: 'hungUp' } as const
    this.#context.recordings.finish(kept, () => {
      const value = pastCall(call, loggedEnd, { agent, sinceMs }, this.#context.eventName(), nowMs, kept.recordings)
      this.#options.finish({ ...value, hungUpBy: hasAgentLeft ? 'agent' : 'caller' }, call)
    })
  }

  /** The agent goes on with the call on the screen, and can say what came of it. */
  #show({ agent, call: { call, leg, caller, called, progress } }: KeptTalk, isNew: boolean): void {
    if (agent === undefined) return
    const { team, matched, popup } = progress ?? {}
    this.#context.agentDesktop?.callerConnected(agent, { call, leg, caller, called, team, matched, popup }, isNew)
  }

  #ofCall(call: CallId): KeptTalk | undefined {
    return [...this.#context.keptTalks.values()].find((kept) => kept.call.call === call)
  }

  #nowMs(): number {
    return this.#context.dependencies.clock.nowMs()
  }
}

/** The call as it is now, for its record and for the next engine. */
function callNow({ call, agent, transfers, openRecordings, recordings: made }: KeptTalk): OpenCall {
  if (!call.progress) return call
  const noted = transfers.size > 0 && { transfers: Object.fromEntries(transfers) }
  const recordings = { open: [...openRecordings], made: [...made] }
  return Object.assign({}, call, {
    progress: Object.assign({}, call.progress, agent && { agent }, noted, { recordings }),
  })
}
