import type { CallDistributor } from '../../acd/distributor.ts'
import type { AttemptRunner } from './attempt-runner.ts'
import type { LiveAttempt } from './live-attempt.ts'

/** Attempts whose team has no agent at work any more: to be cancelled (F-F12). */
export function unstaffedAttempts(lines: AttemptRunner, distributor: CallDistributor): LiveAttempt[] {
  return [...lines.all()].filter(({ byHand, shown: { team } }) =>
    byHand === undefined ? !distributor.isStaffed(team) : !distributor.isLoggedIn(byHand),
  )
}
