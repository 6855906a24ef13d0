/** Claims and stops are in the journal before anybody acts on them: a restored backup lacks them (storage-08). */
import type { AtMs } from '../kernel/clock.ts'
import type { CallId } from '../kernel/ids.ts'
import type { Witness } from '../ports/calls/witness.ts'
import type { Journal } from '../ports/journal.ts'
import type { Repositories } from './repositories.ts'

/** No call of anybody's: an erasure takes all lines of a call that names the person. */
const about = (whom: number | string) => `stop ${whom}` as CallId

/** The same repositories. A claim returns when its attempts can be read in the journal. */
export function witnessed<Given extends Pick<Repositories, 'dialerRepository' | 'dialerAdmin'>>(
  repositories: Given,
  journal: Pick<Journal, 'append' | 'flush'>,
): Given {
  const { dialerRepository, dialerAdmin } = repositories
  const write = (atMs: AtMs, what: Witness, call: CallId) =>
    journal.append({ atMs, call, kind: 'note', by: 'witness', what: { ...what } })
  return {
    ...repositories,
    dialerRepository: {
      ...dialerRepository,
      async claimDueTasks(claim) {
        const result = await dialerRepository.claimDueTasks(claim)
        if (result.outcome !== 'claimed' || result.attempts.length === 0) return result
        for (const { id: attempt, task, number, attemptNumber, activity, leg } of result.attempts) {
          const { id, campaign, corporation, person } = task
          const made = { attempt, task: id, campaign, corporation, number, attemptNumber, activity }
          write(claim.atMs, { type: 'attempt.claimed', ...made, ...(person && { person }) }, leg as string as CallId)
        }
        await journal.flush()
        return result
      },
      async doNotCall(request) {
        const { corporation, number, task, by, reason, atMs } = request
        write(atMs, { type: 'stop.added', corporation, number, by, reason, ...(task && { task }) }, about(number))
        return dialerRepository.doNotCall(request)
      },
    },
    dialerAdmin: {
      ...dialerAdmin,
      async addStops(corporation, stops, note) {
        const { by, reason, atMs } = note
        for (const { kind: _, ...whom } of stops) {
          const call = about('number' in whom ? whom.number : whom.externalCustomer)
          write(atMs, { type: 'stop.added', corporation, by, reason, ...whom }, call)
        }
        return dialerAdmin.addStops(corporation, stops, note)
      },
    },
  }
}
