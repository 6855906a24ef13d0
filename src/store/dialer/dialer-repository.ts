import type { DialerRepository } from '../../ports/dialer-repository.ts'
import { typedNumbers } from '../by-hand/typed-numbers.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { usedAbroad } from '../limits/used-abroad.ts'
import { outcomesOf } from '../outcomes/outcome-catalogue.ts'
import { agentSessions } from './agent-sessions.ts'
import { attempts } from './attempts.ts'
import { callbacks } from './callbacks.ts'
import { campaigns } from './campaigns.ts'
import { changeCallTask } from './change-call-task.ts'
import { claimDueTasks } from './claim-due-tasks.ts'
import { corrections } from './corrections.ts'
import { doNotCall } from './do-not-call.ts'
import { dueTasks } from './due-tasks.ts'
import { endAttempt } from './end-attempt.ts'
import { endCallTask } from './end-call-task.ts'
import { expireTasks } from './expire-tasks.ts'
import { feedback } from './feedback.ts'
import { matchCaller } from './find-caller-task.ts'
import { finishCall } from './finish-call.ts'
import { greetings } from './greetings.ts'
import { importCallTasks } from './import-call-tasks.ts'
import { killSwitch } from './kill-switch.ts'
import { learnedPacing } from './learned-pacing.ts'
import { nodeLeases } from './node-leases.ts'
import { openCalls } from './open-calls.ts'
import { queuePlaces } from './queue-places.ts'
import { stopLists } from './stop-lists.ts'

/** The dialer's repository in PostgreSQL. */
export function postgresDialerRepository(pools: Pools): DialerRepository {
  return portOf<DialerRepository>(pools, {
    ...nodeLeases,
    ...attempts,
    ...claimDueTasks,
    ...dueTasks,
    ...endAttempt,
    ...finishCall,
    ...openCalls,
    ...campaigns,
    ...learnedPacing,
    ...killSwitch,
    ...importCallTasks,
    ...endCallTask,
    ...expireTasks,
    ...changeCallTask,
    ...stopLists,
    ...doNotCall,
    ...feedback,
    ...outcomesOf,
    ...callbacks,
    ...queuePlaces,
    ...typedNumbers,
    ...corrections,
    ...greetings,
    ...matchCaller,
    ...agentSessions,
    ...usedAbroad,
    ...notifications,
  })
}

const notifications = {
  onNotification({ news }, listener) {
    return news.onNotification(listener)
  },
} satisfies Partial<In<DialerRepository>>
