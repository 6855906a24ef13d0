/** Performs the commands of attempts: one entry per command, each through a port or the distributor. */
import type { AttemptCommand, AttemptEvent, AttemptReport } from '../../dialer/attempt.machine.ts'
import type { LegId, PlaybackId } from '../../kernel/ids.ts'
import { HOLD_MUSIC } from '../../ports/pbx.ts'
import type { EngineContext } from '../context.ts'
import { answeredLine, type LiveAttempt } from './live-attempt.ts'

export interface Consequences {
  later(leg: LegId, event: AttemptEvent): void
  report(live: LiveAttempt, report: AttemptReport): void
}

type AttemptPerformers = {
  [T in AttemptCommand['type']]: (live: LiveAttempt, command: Extract<AttemptCommand, { type: T }>) => void
}

/** The performers of one engine. */
export function performers(context: EngineContext, { later, report }: Consequences): AttemptPerformers {
  const { dependencies, distributor, player } = context
  const nowMs = () => dependencies.clock.nowMs()
  const leaveBridge = (live: LiveAttempt) => {
    if (live.bridge) dependencies.pbx.leave(live.bridge, live.leg)
    live.bridge = undefined
  }
  return {
    originate: (live, { input: { number, callerId, dialTimeoutMs: ringTimeoutMs } }) => {
      live.seen.dialedAtMs = nowMs()
      const { trunk } = live.shown
      const reference = String(live.attempt)
      dependencies.pbx.dial(live.leg, {
        ...(trunk !== undefined && { trunk }),
        number,
        callerId,
        ringTimeoutMs,
        reference,
      })
    },
    hangUp: (_, { leg }) => dependencies.pbx.hangUp(leg),
    detectMachine: ({ campaign }, { leg }) => dependencies.pbx.detectMachine(leg, campaign.greetings),
    askForAgent: (live, { leg }) => {
      live.seen.wantsAgentAtMs ??= nowMs()
      const answered = answeredLine(live)
      if (answered) live.campaign.answered(answered)
      const { wrapUp } = live.campaign.campaign
      const { team } = live.shown
      // Whoever has lost an agent in the conversation gets the next one of the team, whomever the call was made for.
      const agent = live.talkedWith === undefined ? live.byHand : undefined
      context.performDistributor(distributor.ask({ leg, team, wrapUp, ...(agent !== undefined && { agent }) }, nowMs()))
    },
    withdrawAsk: (_, { leg }) => context.performDistributor(distributor.unask(leg, nowMs())),
    connect: (live, { leg }) => {
      if (live.bridge) dependencies.pbx.join(live.bridge, leg)
    },
    releaseAgent: (live, { agent }) => {
      // An agent who was never connected had no part in the call.
      live.agent = live.talkedWith ?? live.byHand
      context.performDistributor(distributor.release(agent, live.leg, nowMs()))
    },
    speak: (live, { leg, message }) => {
      leaveBridge(live)
      const answered = live.talkedWith === undefined ? answeredLine(live) : undefined
      if (message === 'dropped' && answered) live.campaign.abandoned(answered)
      const say = live.campaign.campaign.messages[message]
      if (!say) return later(leg, { type: 'playback.ended', message })
      player.play(`${leg}.${message}` as PlaybackId, leg, [{ text: say.text, voice: say.language }])
    },
    startMusic: (live, { leg }) => {
      leaveBridge(live)
      dependencies.pbx.startMusic(leg, HOLD_MUSIC)
    },
    stopMusic: (_, { leg }) => dependencies.pbx.stopMusic(leg),
    report: (live, command) => report(live, command.report),
  }
}
