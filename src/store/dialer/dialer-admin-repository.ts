import type { DialerAdminRepository } from '../../ports/dialer-admin-repository.ts'
import type { Pools } from '../db/pools.ts'
import { calls, recordingFile, streamAttempts } from './call-search.ts'
import { streamCallTasks } from './call-task-stream.ts'
import { callerIds, changeCampaigns, findCampaigns, forecastFacts } from './campaign-admin.ts'
import { budgets } from './campaign-budgets.ts'
import { rehearseImports } from './import-call-tasks.ts'
import {
  cancelImport,
  claimImportPiece,
  failImport,
  findImport,
  forgetImports,
  importFaults,
  keepImport,
  listImports,
  queueImport,
  settleImportPiece,
  withFinalFeedback,
} from './import-jobs.ts'
import { askToLift, killSwitch, lift } from './kill-switch-admin.ts'
import { addStops, listStops, removeStops } from './stop-list-admin.ts'

/** The office in PostgreSQL. What each method does is said where it is done. */
export function postgresDialerAdmin(pools: Pools): DialerAdminRepository {
  return {
    changeCampaigns: (campaignsToSave) => changeCampaigns(pools, campaignsToSave),
    findCampaigns: (search) => findCampaigns(pools, search),
    budgets: (question) => budgets(pools, question),
    forecastFacts: (corporations, campaign, dueBeforeAtMs) =>
      forecastFacts(pools, corporations, campaign, dueBeforeAtMs),
    callerIds: (corporations) => callerIds(pools, corporations),
    streamCallTasks: (search, shape) => streamCallTasks(pools, search, shape),
    streamAttempts: (search, shape) => streamAttempts(pools, search, shape),
    calls: (corporations, ids) => calls(pools, corporations, ids),
    recordingFile: (corporations, file) => recordingFile(pools, corporations, file),
    withFinalFeedback: (question) => withFinalFeedback(pools, question),
    rehearseImports: (work) => rehearseImports(pools, work),
    queueImport: (job, pieces) => queueImport(pools, job, pieces),
    keepImport: (job, made) => keepImport(pools, job, made),
    claimImportPiece: (atMs, untilAtMs) => claimImportPiece(pools, atMs, untilAtMs),
    settleImportPiece: (importId, first, result, atMs) => settleImportPiece(pools, importId, first, result, atMs),
    failImport: (importId, why, atMs) => failImport(pools, importId, why, atMs),
    findImport: (corporations, importId) => findImport(pools, corporations, importId),
    importFaults: (importId) => importFaults(pools, importId),
    listImports: (search) => listImports(pools, search),
    cancelImport: (corporations, importId, atMs) => cancelImport(pools, corporations, importId, atMs),
    forgetImports: (beforeAtMs) => forgetImports(pools, beforeAtMs),
    addStops: (corporation, stops, note) => addStops(pools, corporation, stops, note),
    removeStops: (corporation, stops) => removeStops(pools, corporation, stops),
    listStops: (search) => listStops(pools, search),
    killSwitch: () => killSwitch(pools),
    askToLift: (question) => askToLift(pools, question),
    lift: (question, by) => lift(pools, question, by),
  }
}
