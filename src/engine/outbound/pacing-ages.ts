import type { AgentSession } from '../../acd/agent-session.ts'
import type { PacingAges } from '../../dialer/pacing/pacer-interface.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import { type LiveAttempt, phaseOf } from './live-attempt.ts'

type SessionAtWork = Pick<AgentSession, 'work' | 'sinceAtMs' | 'isAsked' | 'wrapUpEndsAtMs'>

/**
 * How long a campaign's lines and its team's agents have been at what they do, for forecasts. Form L2 of the ledger,
 * which counts an agent as idle whose timed wrap-up is nearly over, is not used here: the agent may still go on a break
 * or log out, and then a line would have no agent. No agent counts as nearer to the end than the time that a callee
 * waits; for a forecast that is as good as free.
 */
export function pacingAges(
  run: CampaignRun,
  lines: Iterable<LiveAttempt>,
  sessions: readonly SessionAtWork[],
  nowMs: AtMs,
): PacingAges {
  const ages = { linesMs: [] as number[], talksMs: [] as number[], wrapUpsMs: [] as number[] }
  const wrapUpsLeftMs: number[] = []
  for (const live of lines) {
    if (live.campaign !== run || live.byHand !== undefined || phaseOf(live) !== 'out') continue
    ages.linesMs.push(nowMs - (live.seen.dialedAtMs ?? live.claimedAtMs))
  }
  for (const { work, sinceAtMs, isAsked, wrapUpEndsAtMs } of sessions) {
    // An agent who goes on a break after this call will not be free.
    if (isAsked) continue
    if (work === 'talking') ages.talksMs.push(nowMs - sinceAtMs)
    else if (work === 'wrapUp' && wrapUpEndsAtMs === undefined) ages.wrapUpsMs.push(nowMs - sinceAtMs)
    else if (wrapUpEndsAtMs !== undefined) {
      wrapUpsLeftMs.push(Math.max(run.campaign.agentWaitMs, wrapUpEndsAtMs - nowMs))
    }
  }
  return { ...ages, wrapUpsLeftMs }
}
