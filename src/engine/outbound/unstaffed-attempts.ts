import type { CallDistributor } from '../../acd/distributor.ts'
import type { TeamName } from '../../kernel/ids.ts'
import type { AttemptRunner } from './attempt-runner.ts'
import type { LiveAttempt } from './live-attempt.ts'

/** Attempts whose team has no agent at work any more: to be cancelled (F-F12). */
export function unstaffedAttempts(lines: AttemptRunner, distributor: CallDistributor): LiveAttempt[] {
  const ready = new Map<TeamName, number>()
  return [...lines.all()].filter((live) => {
    const { team } = live.campaign.campaign
    if (!ready.has(team)) ready.set(team, distributor.readyIn(team))
    return live.byHand === undefined ? ready.get(team) === 0 : !distributor.isLoggedIn(live.byHand)
  })
}
