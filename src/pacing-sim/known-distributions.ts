/** The distributions of a scenario as samplers: fates are drawn from them, and policies may learn them in advance. */

import type { Pacer } from '../dialer/pacing/pacer-interface.ts'
import type { Random } from '../kernel/random.ts'
import { meanOf, mixture, type Sampler, samplerOf, shifted, upTo } from './distributions.ts'
import { type CampaignScenario, hitRateAt, type Scenario } from './scenario.ts'

/** Ages count from the dial. Milliseconds. */
export interface KnownDistributions {
  hitRateAt(sinceBeginMs: number): number
  readonly answerAge: Sampler
  readonly failureAge: Sampler
  readonly talk: Sampler
  /** Absent if wrap-up is timed. */
  readonly wrapUp?: Sampler
  /** Absent if wrap-up ends by hand. */
  readonly timedWrapUpMs?: number
}

/** By campaign and length of day: callers cache by the identity of the object, over all days. */
const distributionsOf = new WeakMap<CampaignScenario, Map<number, KnownDistributions>>()

/** The distributions of a campaign of a scenario: one object for all of its days. */
export function knownDistributions(campaign: CampaignScenario, { dayMs }: Pick<Scenario, 'dayMs'>): KnownDistributions {
  const byDay = distributionsOf.get(campaign) ?? new Map<number, KnownDistributions>()
  distributionsOf.set(campaign, byDay)
  const distributions = byDay.get(dayMs) ?? makeDistributions(campaign, dayMs)
  byDay.set(dayMs, distributions)
  return distributions
}

/** With imperfect detection, an age includes the mean detection time. */
function makeDistributions(campaign: CampaignScenario, dayMs: number): KnownDistributions {
  const { hit, wrapUp, detection, giveUpAfterMs = Number.POSITIVE_INFINITY } = campaign
  const answered = ringAge(campaign)
  const inTime = answered.cdf(giveUpAfterMs)
  const laterMs = detection ? meanOf(samplerOf(detection.takes)) : 0
  return {
    hitRateAt: (sinceBeginMs) => hitRateAt(hit, sinceBeginMs, dayMs) * inTime,
    answerAge: shifted(inTime < 1 ? upTo(answered, giveUpAfterMs) : answered, laterMs),
    failureAge: failureAge(campaign, hitRateAt(hit, 0, dayMs) * (1 - inTime)),
    talk: samplerOf(campaign.talk),
    ...(wrapUp.kind === 'byHand' ? { wrapUp: samplerOf(wrapUp.distribution) } : { timedWrapUpMs: wrapUp.lengthMs }),
  }
}

/** The time from the dial to a person's answer. */
export function ringAge({ ring, ringLimitMs, postDialMs }: CampaignScenario): Sampler {
  return shifted(upTo(samplerOf(ring), ringLimitMs), postDialMs)
}

/** The time from the dial to the end of a line that no person answers, or that a person would answer too late. */
function failureAge({ failures, giveUpAfterMs, hit }: CampaignScenario, tooLate: number): Sampler {
  const failed = mixture(failures.map(({ share, after }) => ({ share, sampler: samplerOf(after) })))
  if (giveUpAfterMs === undefined) return failed
  const givenUp = samplerOf({ kind: 'fixed', ms: giveUpAfterMs })
  return mixture([
    { share: 1 - hit.levels[0]!.rate, sampler: atMost(failed, giveUpAfterMs) },
    { share: tooLate, sampler: givenUp },
  ])
}

function atMost(sampler: Sampler, limitMs: number): Sampler {
  return {
    drawMs: (uniform) => Math.min(limitMs, sampler.drawMs(uniform)),
    cdf: (ms) => (ms >= limitMs ? 1 : sampler.cdf(ms)),
  }
}

/** A pacer's state after `count` dials of such a day. It contains no abandoned calls: those depend on the policy. */
export function teach<Memory>(
  pacer: Pacer<Memory>,
  memory: Memory,
  distributions: KnownDistributions,
  count: number,
  random: Random,
  nowMs = 0,
): Memory {
  let learnt = memory
  const drawn = (sampler: Sampler) => Math.round(sampler.drawMs(Math.max(1e-12, random.next())))
  for (let dial = 0; dial < count; dial++) {
    if (random.next() >= distributions.hitRateAt(0)) {
      learnt = pacer.learn(learnt, { type: 'line.failed', ageMs: drawn(distributions.failureAge) }, nowMs)
      continue
    }
    learnt = pacer.learn(learnt, { type: 'line.answered', ageMs: drawn(distributions.answerAge) }, nowMs)
    learnt = pacer.learn(learnt, { type: 'talk.ended', lengthMs: drawn(distributions.talk) }, nowMs)
    if (distributions.wrapUp)
      learnt = pacer.learn(learnt, { type: 'wrapUp.ended', lengthMs: drawn(distributions.wrapUp) }, nowMs)
  }
  return learnt
}
