/** A database that is put back under the running service dials nobody: it lacks calls of ours (campaigns-143). */
import type { DialerRepository } from '../ports/dialer-repository.ts'
import type { EarlierClaim } from './behind.ts'

/** Each is another transaction. More than claims run at once: their answers may overtake each other. */
const EARLIER_MAX = 20

/**
 * The same repository. Each claim names the newest ones before it, at first those of the journal, and a database that
 * lacks one of them claims nothing. Each renewal asks for them too: another node may dial by then. `stopIfForgotten`
 * says whether it has stopped all dialing.
 */
export function sameDatabase(
  dialerRepository: DialerRepository,
  claims: readonly EarlierClaim[],
  stopIfForgotten: (earlier: readonly EarlierClaim[]) => Promise<boolean>,
): DialerRepository {
  let earlier = claims.slice(-EARLIER_MAX)
  const look = async () => {
    // A claim that cannot be imported stays unknown: it stops the dialing once.
    if (earlier.length > 0 && (await stopIfForgotten(earlier))) earlier = []
  }
  return {
    ...dialerRepository,
    async claimDueTasks(claim) {
      const result = await dialerRepository.claimDueTasks({ ...claim, earlier })
      if (result.outcome === 'behind') await look()
      const newest = result.outcome === 'claimed' && result.attempts.at(-1)
      if (newest) earlier = [...earlier, { attempt: newest.id, task: newest.task.id }].slice(-EARLIER_MAX)
      return result
    },
    async renewLease(...asked) {
      const lease = await dialerRepository.renewLease(...asked)
      // The next renewal asks again.
      void look().catch(() => {})
      return lease
    },
  }
}
