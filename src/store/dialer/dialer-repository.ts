import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { Pools } from '../db/pools.ts'
import { agentSessions, removeAgentSession, saveAgentSession } from './agent-sessions.ts'
import { attemptConnected, attemptsToCancel, findAttempts } from './attempts.ts'
import { setCallback } from './callbacks.ts'
import { answeredCalls, answeredSums, campaigns, pauseCampaign, saveCampaign, triedAttempts } from './campaigns.ts'
import { claimDueTasks, releaseTask, reserveTask } from './claim-due-tasks.ts'
import { correctToMachine } from './corrections.ts'
import { describeTasks } from './due-tasks.ts'
import { endAttempt } from './end-attempt.ts'
import { endCallTask } from './end-call-task.ts'
import { recordFeedback } from './feedback.ts'
import { finishCall } from './finish-call.ts'
import { importCallTasks } from './import-call-tasks.ts'
import { isKillSwitchOn, setKillSwitch } from './kill-switch.ts'
import { keepLearning, keptLearning } from './learned-pacing.ts'
import { matchCaller } from './match-caller.ts'
import { adoptAttempts, dropLease, openAttempts, releaseForgotten, renewLease, takeLease } from './node-leases.ts'
import { callBegan, openCalls } from './open-calls.ts'
import { addStop, isStopped, removeStop } from './stop-lists.ts'

/** The records of the dialer in PostgreSQL. What each does is said where it is done. */
export function postgresDialerRepository(pools: Pools): DialerRepository {
  return {
    takeLease: (node, lifeMs) => takeLease(pools, node, lifeMs),
    renewLease: (lease, lifeMs) => renewLease(pools, lease, lifeMs),
    dropLease: (lease) => dropLease(pools, lease),
    adoptAttempts: (lease, graceMs) => adoptAttempts(pools, lease, graceMs),
    openAttempts: (lease) => openAttempts(pools, lease),
    attemptsToCancel: (lease) => attemptsToCancel(pools, lease),
    saveCampaign: (campaign, atMs) => saveCampaign(pools, campaign, atMs),
    campaigns: () => campaigns(pools),
    pauseCampaign: (pause) => pauseCampaign(pools, pause),
    triedAttempts: (campaign, sinceAtMs) => triedAttempts(pools, campaign, sinceAtMs),
    answeredCalls: (of, sinceAtMs) => answeredCalls(pools, of, sinceAtMs),
    answeredSums: (of, fromAtMs, beforeAtMs) => answeredSums(pools, of, fromAtMs, beforeAtMs),
    keepLearning: (lease, learning) => keepLearning(pools, lease, learning),
    keptLearning: (campaign, node) => keptLearning(pools, campaign, node),
    setKillSwitch: (isOn, by, atMs) => setKillSwitch(pools, isOn, by, atMs),
    isKillSwitchOn: () => isKillSwitchOn(pools),
    importCallTasks: (request) => importCallTasks(pools, request),
    claimDueTasks: (claim) => claimDueTasks(pools, claim),
    reserveTask: (command) => reserveTask(pools, command),
    releaseTask: (task, nextCallAtMs) => releaseTask(pools, task, nextCallAtMs),
    releaseForgotten: (lease, beforeAtMs) => releaseForgotten(pools, lease, beforeAtMs),
    describeTasks: (ids, dialedSinceAtMs) => describeTasks(pools, ids, dialedSinceAtMs),
    attemptConnected: (event) => attemptConnected(pools, event),
    endAttempt: (end) => endAttempt(pools, end),
    findAttempts: (by) => findAttempts(pools, by),
    endCallTask: (command) => endCallTask(pools, command),
    addStop: (corporation, stop, atMs) => addStop(pools, corporation, stop, atMs),
    removeStop: (corporation, stop) => removeStop(pools, corporation, stop),
    isStopped: (corporation, stop) => isStopped(pools, corporation, stop),
    callBegan: (lease, call) => callBegan(pools, lease, call),
    openCalls: (node) => openCalls(pools, node),
    finishCall: (call) => finishCall(pools, call),
    recordFeedback: (feedback) => recordFeedback(pools, feedback),
    setCallback: (callbackRequest) => setCallback(pools, callbackRequest),
    correctToMachine: (attempt, agent, atMs) => correctToMachine(pools, attempt, agent, atMs),
    matchCaller: (number) => matchCaller(pools, number),
    saveAgentSession: (lease, session) => saveAgentSession(pools, lease, session),
    removeAgentSession: (lease, agent) => removeAgentSession(pools, lease, agent),
    agentSessions: (node) => agentSessions(pools, node),
    onNews: (listener) => pools.news.onNews(listener),
  }
}
