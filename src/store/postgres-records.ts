import type { Records } from '../ports/records.ts'
import { endAttempt, findAttempts, recordAttemptEvent } from './attempts.ts'
import { searchCallTasks } from './call-task-search.ts'
import { streamCallTasks } from './call-task-stream.ts'
import { saveCampaign } from './campaigns.ts'
import { claimDueTasks } from './claim-due-tasks.ts'
import { claimDeliveries, settleDelivery } from './deliveries.ts'
import { endCallTask } from './end-call-task.ts'
import { finishCall } from './finish-call.ts'
import { importCallTasks } from './import-call-tasks.ts'
import { adoptAttempts, openAttempts, renewLease, takeLease } from './node-leases.ts'
import type { Pools } from './pools.ts'
import { addStop, isStopped, removeStop } from './stop-lists.ts'

/** The records of the dialer in PostgreSQL. What each does is said where it is done. */
export function postgresRecords(pools: Pools): Records {
  return {
    takeLease: (node, lifeMs) => takeLease(pools, node, lifeMs),
    renewLease: (lease, lifeMs) => renewLease(pools, lease, lifeMs),
    adoptAttempts: (lease) => adoptAttempts(pools, lease),
    openAttempts: (lease) => openAttempts(pools, lease),
    saveCampaign: (campaign, atMs) => saveCampaign(pools, campaign, atMs),
    importCallTasks: (request) => importCallTasks(pools, request),
    claimDueTasks: (claim) => claimDueTasks(pools, claim),
    recordAttemptEvent: (event) => recordAttemptEvent(pools, event),
    endAttempt: (end) => endAttempt(pools, end),
    findAttempts: (by) => findAttempts(pools, by),
    endCallTask: (wish) => endCallTask(pools, wish),
    searchCallTasks: (search) => searchCallTasks(pools, search),
    streamCallTasks: (search, fields) => streamCallTasks(pools, search, fields),
    addStop: (corporation, stop, atMs) => addStop(pools, corporation, stop, atMs),
    removeStop: (corporation, stop) => removeStop(pools, corporation, stop),
    isStopped: (corporation, stop) => isStopped(pools, corporation, stop),
    finishCall: (call) => finishCall(pools, call),
    claimDeliveries: (claim) => claimDeliveries(pools, claim),
    settleDelivery: (settlement) => settleDelivery(pools, settlement),
  }
}
