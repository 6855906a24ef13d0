import type { AgentName, BridgeId, PlaybackId } from '../../kernel/ids.ts'
import type { EngineContext } from '../context.ts'
import { isTalking, type LiveAttempt } from './live-attempt.ts'

/** Words instead of silence, while the phone of a callee's agent is called again (campaigns-80). */
export function comfortCallee(context: EngineContext, live: LiveAttempt, agent: AgentName, bridge: BridgeId): void {
  const { clock, log } = context.dependencies
  const { attempt, leg, campaign } = live
  log.warn({ agent, attempt }, "an agent's phone was lost in a conversation; the callee waits for it")
  const say = campaign.campaign.messages.apology
  const playback = `${leg}.away-${clock.nowMs()}` as PlaybackId
  if (say) context.player.play(playback, leg, [{ text: say.text, voice: say.language }], { bridge })
}

/** Call it before the attempt hears of it: the line in the log says whether the two had talked. */
export function logLostAgent({ dependencies: { log } }: EngineContext, live: LiveAttempt, agent: AgentName): void {
  const why = isTalking(live)
    ? "an agent's phone is lost, and the callee gets the next agent"
    : "no packet came from an agent's phone, and the callee gets the next agent"
  log.warn({ agent, attempt: live.attempt }, why)
}
