/** Campaigns in `SimRecords`: changed from outside, or paused by themselves (F-F7). */

import type { AtMs } from '../../src/kernel/clock.ts'
import type { CampaignId } from '../../src/kernel/ids.ts'
import type { TriedAttempt } from '../../src/ports/attempt.ts'
import type { CampaignLearning } from '../../src/ports/campaign-learning.ts'
import type { Campaign, CampaignPause, DialerRepository, StoredCampaign } from '../../src/ports/dialer-repository.ts'
import { jsonOf } from './sim-dialer-repository-shape.ts'
import type { SimRepositoryState } from './sim-dialer-repository-state.ts'

const TRIED_MAX = 100

/** It keeps its corporation. Made active again, it begins anew. */
export function saveCampaign(memory: SimRepositoryState, campaign: Campaign, atMs: AtMs): void {
  const earlier = memory.campaigns.get(campaign.id)
  if (earlier && earlier.corporation !== campaign.corporation) return
  const { activeSinceAtMs = 0, pausedReason } = earlier ?? {}
  const isBack = campaign.active && earlier?.active === false
  const { pausedReason: _, ...given } = jsonOf(campaign) as StoredCampaign
  memory.campaigns.set(campaign.id, {
    ...given,
    activeSinceAtMs: isBack ? Math.max(atMs, activeSinceAtMs + 1) : activeSinceAtMs,
    settingsVersion: (earlier?.settingsVersion ?? 0) + 1,
    ...(!campaign.active && pausedReason !== undefined && { pausedReason }),
  })
}

/** Only where it is active since that very instant. */
export function pauseCampaign(memory: SimRepositoryState, pause: CampaignPause): 'paused' | 'not active' {
  const { campaign, activeSinceAtMs, why } = pause
  const stored = memory.campaigns.get(campaign)
  if (!stored?.active || stored.activeSinceAtMs !== activeSinceAtMs) return 'not active'
  memory.campaigns.set(campaign, {
    ...stored,
    active: false,
    pausedReason: why,
    settingsVersion: stored.settingsVersion! + 1,
  })
  return 'paused'
}

/** What a newer lease of the node wrote is not touched. */
export function keepLearning(
  memory: SimRepositoryState,
  { node, fence }: Parameters<DialerRepository['keepLearning']>[0],
  learning: CampaignLearning,
): void {
  const { campaign } = learning
  const earlier = memory.learning.find((one) => one.node === node && one.campaign === campaign)
  if (!memory.campaigns.has(campaign) || (earlier && earlier.fence > fence)) return
  const kept = { ...learning, data: jsonOf(learning.data), node, fence }
  memory.learning = [...memory.learning.filter((one) => one !== earlier), kept]
}

/** The learned data of this node, or else of the node that stored last. */
export function keptLearning(memory: SimRepositoryState, campaign: CampaignId, node: string): object | undefined {
  const kept = memory.learning.filter((one) => one.campaign === campaign)
  const latest = kept.toSorted((a, b) => b.atMs - a.atMs)[0]
  const found = kept.find((one) => one.node === node) ?? latest
  return found && jsonOf(found.data)
}

/** The latest by their claims: those that were placed, and are over. */
export function triedAttempts(
  memory: SimRepositoryState,
  campaign: CampaignId,
  sinceAtMs: AtMs,
): readonly TriedAttempt[] {
  const tried = [...memory.attempts.values()].flatMap((attempt): TriedAttempt[] => {
    const { result, reach, claimedAtMs, endedAtMs, answeredAtMs, sipStatus } = attempt
    const isAsked = attempt.campaign === campaign && claimedAtMs >= sinceAtMs && reach !== 'nothing'
    if (!isAsked || result === null || reach === null || endedAtMs === null) return []
    return [
      {
        result,
        reach,
        claimedAtMs,
        endedAtMs,
        ...(answeredAtMs !== null && { answeredAtMs }),
        ...(sipStatus !== null && { sipStatus }),
      },
    ]
  })
  return tried.sort((a, b) => a.claimedAtMs - b.claimedAtMs).slice(-TRIED_MAX)
}
