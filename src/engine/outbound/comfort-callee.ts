import type { AgentName, BridgeId, LegId, PlaybackId } from '../../kernel/ids.ts'
import type { EngineContext } from '../context.ts'
import type { LiveAttempt } from './live-attempt.ts'

/** Words instead of silence, while the phone of a callee's agent is called again (campaigns-80). */
export function comfortCallee(context: EngineContext, live: LiveAttempt, agent: AgentName, bridge: BridgeId): void {
  const { clock, log } = context.dependencies
  const { attempt, leg, campaign } = live
  log.warn({ agent, attempt }, "an agent's phone was lost in a conversation; the callee waits for it")
  const say = campaign.campaign.messages.apology
  if (say) context.player.play(idOf(leg, clock.nowMs()), leg, [{ text: say.text, voice: say.language }], bridge)
}

function idOf(leg: LegId, atMs: number): PlaybackId {
  return `${leg}.away-${atMs}` as PlaybackId
}
