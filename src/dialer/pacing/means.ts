/** The mean of each learnt distribution, for screens. In seconds. */
import type { WrapUp } from '../../acd/agent-session-messages.ts'
import { type Hazards, survivalOf } from './hazards.ts'
import type { LearnedDistributions } from './learned-distributions.ts'
import { RING_SPAN_S } from './ring-time-distribution.ts'

/** Mean times: from the dial to an answer, of a conversation, of a wrap-up. */
export function meansOf({ rings: { answers }, talks, wrapUps }: LearnedDistributions, wrapUp: WrapUp) {
  const total = answers.reduce((sum, count) => sum + count, 0)
  const answerS = answers.reduce((sum, count, place) => sum + count * (place + 0.5) * RING_SPAN_S, 0)
  return {
    answerS: answerS / Math.max(1e-9, total),
    talkS: lengthS(talks),
    wrapUpS: wrapUp.kind === 'timed' ? wrapUp.lengthMs / 1_000 : lengthS(wrapUps),
  }
}

/** Two hours. Longer conversations do not change the shown figure. */
const REACH_S = 7_200
const STEP_S = 2

function lengthS(hazards: Hazards): number {
  const alive = survivalOf(hazards, STEP_S, REACH_S / STEP_S)
  return (alive.reduce((sum, share) => sum + share, 0) - 0.5) * STEP_S
}
