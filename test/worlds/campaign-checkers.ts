/**
 * What must be true of every campaign-day once it is at rest, whatever happened in it: the engine's story (records)
 * against the truth of switch, carrier and ears (faults.md 3.1). Each fault names its rule, its place, what was
 * expected and what was found. Agents and conversations are looked at in `campaign-talks.ts`.
 */

import { type AttemptId, callOf } from '../../src/kernel/ids.ts'
import { isFinished } from '../../src/ports/call-task.ts'
import type { SimContact } from '../../src/sim/sim-contact.ts'
import type { SimAttempt } from '../sim/sim-dialer-repository-rows.ts'
import { isSpared } from '../sim/sim-dialer-repository-shape.ts'
import type { Lived } from './campaign-day.ts'
import { actsOnMachines, campaignOf, heardAgent, isCalm, talkedMs, wasTrouble } from './campaign-facts.ts'
import { talkFaults } from './campaign-talks.ts'

/** Everything that is wrong with a day. */
export function faultsOfDay(day: Lived): string[] {
  const { calls } = day.world.pbx.carrier
  const known = day.world.dialerRepository.view.attempts
  const all = calls.map((call) => [Number(call.invite.reference) as AttemptId, call] as const)
  // An INVITE of no attempt is a fault of the watch already.
  const dialed = new Map(all.filter(([id]) => known.has(id)))
  const attempts = [...known.values()]
  return [
    ...day.watch.faults,
    ...day.stuck,
    ...ourMistakes(day),
    ...leftovers(day),
    ...attempts.flatMap((attempt) => attemptFaults(day, attempt, dialed.get(attempt.id))),
    ...taskFaults(day),
    ...intervals(day, dialed),
    ...activities(day, dialed),
    ...inboundFaults(day),
    ...abandoned(day, dialed),
    ...takenBack(day, dialed),
    ...lostWords(day),
    ...talkFaults(day, dialed),
  ]
}

/** Warnings are part of a bad day; an error that names a mistake of ours is not. */
const MISTAKES = [
  'internal error',
  'an event handler threw',
  'dialing decision failed',
  'it is set aside',
  'a listener of ended calls failed',
]

function ourMistakes({ world }: Lived): string[] {
  const lines = world.logged.filter((line) => MISTAKES.some((words) => line.includes(words)))
  return lines.slice(0, 3).map((line) => `log: ${line.slice(0, 400)}`)
}

/** INV-A4, INV-A5 and liveness: nothing is left but agents who sit at their phones. */
function leftovers({ world, plan }: Lived): string[] {
  const { legs, bridges, playbacks } = world.pbx.switch
  const { engine } = world
  const names = new Set<string>(plan.agents.map(({ name }) => name))
  const statuses = engine.agentDesktop?.statuses() ?? []
  const stuckStates = statuses.filter(({ state }) => state === 'talking' || state === 'reserved' || state === 'calling')
  const dialer = engine.dialer!
  return [
    ...[...legs.values()]
      .filter(({ name }) => !names.has(name))
      .map(({ id }) => `INV-A4: the leg ${id} is still there`),
    ...[...playbacks.keys()].map((playback) => `INV-A4: the prompt ${playback} is still there`),
    ...(bridges.size > statuses.length ? [`INV-A4: ${bridges.size} bridges for ${statuses.length} agents`] : []),
    ...stuckStates.map(({ agent, state }) => `INV-A5: ${agent} is stuck in ${state}`),
    ...(dialer.callPlacer.attempts.count > 0
      ? [`INV-O1: the engine still has ${dialer.callPlacer.attempts.count} lines`]
      : []),
    ...(dialer.recordWriter.pending > 0 ? [`INV-O1: ${dialer.recordWriter.pending} entries are not written`] : []),
    ...(engine.callCount > 0 ? [`INV-A4: the engine still has ${engine.callCount} calls`] : []),
    ...(dialer.callPlacer.isWell ? [] : ['liveness: dialing does not resume']),
  ]
}

/** D-12, by a table of our own: what is seen of an attempt, and whether it counts. */
const NEVER_COUNTS = ['answered', 'withdrawn', 'blocked']

function countsOf({ result, reach, correction, counts }: SimAttempt): boolean {
  // While a carrier is down, what no phone noticed may be spared (campaigns-43).
  if (isSpared({ result, reach, counts })) return false
  if (correction) return true
  if (result === null || NEVER_COUNTS.includes(result)) return false
  if (result === 'failed') return reach !== 'nothing'
  if (result === 'cancelled') return reach === 'rang' || reach === 'answered'
  return true
}

const SENT_NOTHING = ['blocked', 'cancelled', 'failed', 'unknown']

/** INV-O1, INV-D8 and the results of D-11 against what was heard and seen at the other end. */
function attemptFaults(day: Lived, attempt: SimAttempt, contact: SimContact | undefined): string[] {
  const { id, result, reach, ended } = attempt
  const at = `attempt ${id} (${result}, ${reach})`
  const given = day.world.dialerRepository.view.givenLeases.filter(({ step }) => step < attempt.committed.step)
  const newest = given.at(-1)?.fence
  if (newest !== attempt.claimedUnder) return [`INV-D12: ${at} under ${attempt.claimedUnder}, the newest was ${newest}`]
  if (!ended || result === null) return [`INV-O1: ${at} has no end`]
  const faults: string[] = []
  if (attempt.counts !== countsOf(attempt)) faults.push(`D-12: ${at} counts: expected ${countsOf(attempt)}`)
  if (!contact) {
    const isExplained = SENT_NOTHING.includes(result) && (reach === 'nothing' || result === 'unknown')
    if (!isExplained && !wasTrouble(day, attempt.claimedAtMs, ended.atMs)) faults.push(`INV-D8: ${at} has no INVITE`)
    return faults
  }
  if (reach === 'nothing') faults.push(`INV-D8: ${at} was dialed`)
  const slackMs = day.watch.slackMs + (day.plan.weather.skews > 0 ? 30_000 : 0)
  if (contact.endedAtMs === undefined || ended.atMs < contact.endedAtMs - slackMs) {
    faults.push(`law 5: ${at} ended in the records before its leg did`)
  }
  if (isCalm(day)) faults.push(...resultFaults(day, attempt, contact))
  // Whatever died: by then the beginning of the talk was written or spooled.
  else if (talkedMs(contact) > TOLD_MS + day.watch.slackMs && !KNOWS_OF_TALK.includes(result)) {
    faults.push(`INV-O5: ${at} talked to an agent for ${talkedMs(contact)} ms`)
  }
  if (result === 'answered' && !heardAgent(contact)) faults.push(`D-11: ${at} heard no agent`)
  return faults
}

const KNOWS_OF_TALK = ['answered', 'voicemail']
const TOLD_MS = 15_000

/** A packet proves that the agent's phone is there; who hangs up before it comes has met nobody (campaigns-86). */
const PROOF_MS = 60

/** Another number of the task was answered. */
function isBesideAnswer({ world }: Lived, { task, id }: SimAttempt): boolean {
  const { attempts } = world.dialerRepository.view
  return [...attempts.values()].some((one) => one.task === task && one.id !== id && one.reach === 'answered')
}

const BY_CODE: Readonly<Record<number, string>> = {
  486: 'busy',
  603: 'rejected',
  404: 'invalidNumber',
  403: 'failed',
  480: 'noAnswer',
  500: 'failed',
  503: 'failed',
}
const MIN_RING_MS = 15_000
const AGENT_WAIT_MS = 2_000

function resultFaults(day: Lived, attempt: SimAttempt, contact: SimContact): string[] {
  const { id, result, agent } = attempt
  const { refusedWith, answeredAtMs, rangAtMs, endedAtMs, endedBy, voice } = contact
  const at = `attempt ${id} (${result})`
  const expect = (allowed: readonly string[], why: string) =>
    allowed.includes(result ?? '') ? [] : [`D-11: ${at} ${why}: expected ${allowed.join(' or ')}`]
  const { settings } = campaignOf(day, attempt)
  const { ringTimeoutSeconds } = settings
  const detects = actsOnMachines(settings)
  if (refusedWith !== undefined && endedBy === 'contact') {
    return expect([BY_CODE[refusedWith] ?? 'failed', 'cancelled', 'withdrawn'], `was refused with ${refusedWith}`)
  }
  if (answeredAtMs === undefined) {
    const rangMs = rangAtMs === undefined ? 0 : endedAtMs! - rangAtMs
    // A first ring that crosses our hang-up of a silent line came too late.
    const isShort =
      rangAtMs !== undefined &&
      rangMs > day.watch.slackMs &&
      rangMs < MIN_RING_MS - day.watch.slackMs &&
      !['cancelled', 'withdrawn'].includes(result ?? '')
    const ringMaxMs = Number(ringTimeoutSeconds) * 1_000
    // Whichever comes first: the ring timeout from the first ring, or the switch's own limit from the dial.
    const isFull = rangMs >= ringMaxMs - day.watch.slackMs
    const lineMaxMs = Math.max(20_000, ringMaxMs)
    const isCut = result === 'noAnswer' && !isFull && endedAtMs! - contact.invite.atMs < lineMaxMs - day.watch.slackMs
    return [
      ...expect(['noAnswer', 'cancelled', 'withdrawn'], 'was not answered'),
      ...(result === 'withdrawn' && !isBesideAnswer(day, attempt)
        ? [`campaigns-66: ${at} nobody else had answered`]
        : []),
      ...(isShort || isCut ? [`dialing-rules.md 0.4: ${at} rang for ${rangMs} ms only`] : []),
    ]
  }
  if (heardAgent(contact)) {
    const isMarked =
      day.deeds.some((deed) => deed.what === 'machine' && deed.agent === agent) ||
      day.words.some(({ what, call }) => what === 'machine' && call === callOf(attempt.leg))
    if (voice === 'machine' && detects) return [`D-11: ${at} a machine was put through`]
    const hasLeft =
      endedBy === 'contact' && endedAtMs! - contact.heard.find(({ what }) => what === 'person')!.fromMs < PROOF_MS
    const expected = [...(isMarked ? ['voicemail'] : []), ...(hasLeft ? ['lost'] : []), 'answered']
    return expect(expected, 'talked to an agent')
  }
  const heardMs = endedAtMs! - answeredAtMs
  if (endedBy === 'switch') {
    const isMute =
      result === 'dropped' && heardMs >= AGENT_WAIT_MS && !contact.heard.some(({ what }) => what === 'words')
    // Our hang-up crossed the answer: nobody had time to tell who it was, and then it is the result that costs us.
    const isCrossed = heardMs <= day.watch.slackMs
    const asMachine = isCrossed ? ['voicemail', 'dropped'] : ['voicemail']
    return [
      ...expect(voice === 'machine' && detects ? asMachine : ['dropped'], 'was let go'),
      ...(isMute ? [`INV-A3: ${at} was let go without a word`] : []),
    ]
  }
  if (!detects && heardMs < AGENT_WAIT_MS - day.watch.slackMs) return expect(['lost', 'dropped'], 'hung up at once')
  if (!detects && heardMs > AGENT_WAIT_MS + day.watch.slackMs)
    return expect(['dropped'], `waited ${heardMs} ms in vain`)
  return []
}

/** INV-D1, INV-O3, INV-O4, INV-O7. */
function taskFaults({ world }: Lived): string[] {
  const { tasks, attempts, imports } = world.dialerRepository.view
  const faults: string[] = []
  const byTask = Map.groupBy(attempts.values(), ({ task }) => task)
  for (const task of tasks.values()) {
    const at = `task ${task.id} (${task.status})`
    const own = byTask.get(task.id) ?? []
    const counted = own.filter(countsOf).length
    if (counted > task.attemptsMax) faults.push(`INV-D1: ${at} has ${counted} attempts of ${task.attemptsMax}`)
    if (counted !== task.attemptsCounted) faults.push(`INV-D1: ${at} counts ${task.attemptsCounted}, found ${counted}`)
    const first = task.history.findIndex(({ isFinished: is }) => is)
    if (first >= 0 && task.history.slice(first).some(({ isFinished: is }) => !is))
      faults.push(`INV-O3: ${at} came back`)
    const isTalked = own.some(({ result, correction }) => result === 'answered' && !correction)
    if (isTalked && !isFinished(task.status)) faults.push(`INV-O3: ${at} was answered and goes on`)
    if (task.status === 'answered' && !own.some(({ result }) => result === 'answered')) {
      faults.push(`INV-O3: ${at} has no attempt that was answered`)
    }
    const last = task.history.at(-1)
    if (last?.status !== task.status) faults.push(`INV-O4: ${at} was last written as ${last?.status}`)
    if (task.status === 'dialing' || task.status === 'inCall') faults.push(`INV-O1: ${at} is still being dialed`)
  }
  for (const [id, result] of imports) {
    const made = [...tasks.values()].filter(({ importId }) => importId === id).length
    const told = result.outcome === 'imported' ? result.imported.length : 0
    if (made !== told) faults.push(`INV-O7: import ${id} told of ${told} tasks, found ${made}`)
  }
  return faults
}

const FLOOR_MS = 60_000

/** INV-D2: from the true end of one call to the INVITE of the next. */
function intervals(day: Lived, dialed: ReadonlyMap<AttemptId, SimContact>): string[] {
  const { tasks, attempts } = day.world.dialerRepository.view
  const byTask = Map.groupBy(attempts.values(), ({ task }) => task)
  return [...byTask].flatMap(([id, own]) => {
    const task = tasks.get(id)!
    const placed = own.flatMap((attempt) => {
      const contact = dialed.get(attempt.id)
      return contact ? [{ attempt, contact }] : []
    })
    return placed.flatMap(({ attempt, contact }) => {
      // Numbers that are dialed by one claim ring together.
      const before = placed.filter((other) => other.attempt.committed.step < attempt.committed.step)
      const earlier = before.filter((other) => !isSpared(other.attempt))
      const last = Math.max(...earlier.map((other) => other.contact.endedAtMs ?? Number.POSITIVE_INFINITY))
      if (earlier.length === 0) return []
      const isPromised = day.watch.promised.has(attempt.id)
      const leastMs = Math.max(FLOOR_MS, isPromised ? 0 : task.intervalMs) - day.watch.slackMs
      const ms = contact.invite.atMs - last
      return ms >= leastMs ? [] : [`INV-D2: attempt ${attempt.id} ${ms} ms after the last, expected ${leastMs}`]
    })
  })
}

/** INV-O5, INV-O6, INV-O8, INV-E1, INV-E3. */
function activities(day: Lived, dialed: ReadonlyMap<AttemptId, SimContact>): string[] {
  const { calls, events, attempts } = day.world.dialerRepository.view
  const { loseEvents, hasCallEventLog } = day.plan.weather
  const faults: string[] = []
  const told = Map.groupBy(events, ({ activity }) => activity)
  for (const id of calls.keys()) {
    if (told.get(id)?.length !== 1) faults.push(`INV-E1: activity ${id} has ${told.get(id)?.length ?? 0} events`)
  }
  for (const id of told.keys()) if (!calls.has(id)) faults.push(`INV-E1: an event of ${id}, which is no activity`)
  if (new Set(events.map(({ eventName }) => eventName)).size !== events.length) faults.push('INV-E3: a name twice')
  for (const [id, contact] of dialed) {
    const attempt = attempts.get(id)
    const call = attempt && calls.get(attempt.activity)
    if (!attempt || !call) {
      faults.push(`INV-O5: the INVITE of attempt ${id} has no call activity`)
      continue
    }
    const isUnseen =
      loseEvents > 0 || (!hasCallEventLog && wasTrouble(day, contact.invite.atMs, contact.endedAtMs ?? 0))
    const isAnswered = contact.answeredAtMs !== undefined
    if (!isUnseen && (call.answeredAtMs !== undefined) !== isAnswered && !wasCrossed(day, contact)) {
      faults.push(`INV-O5: attempt ${id} (${attempt.result}) was ${isAnswered ? '' : 'not '}answered on the line`)
    }
    const isRecorded = (campaignOf(day, attempt).settings['recording'] as { mode: string }).mode === 'always'
    const hasTalked = attempt.result === 'answered'
    if (isRecorded && hasTalked && call.recordings.length === 0) faults.push(`INV-O6: attempt ${id} has no recording`)
  }
  const unknown = [...attempts.values()].filter(({ result }) => result === 'unknown')
  // What a claim under way at a crash commits is in flight as well.
  const late = unknown.filter(({ committed }) => {
    return day.troubles.some(({ what, fromMs }) => what === 'crash' && Math.abs(committed.atMs - fromMs) < CLAIM_MAX_MS)
  })
  if (unknown.length > day.inFlightAtTroubles + late.length) {
    faults.push(`INV-O8: ${unknown.length} unknown, ${day.inFlightAtTroubles} were in flight at faults`)
  }
  return faults
}

const CLAIM_MAX_MS = 8_000

/** A switch crash or a connection gap around the answer: the result is unknowable. */
function wasCrossed(day: Lived, { invite, endedAtMs }: SimContact): boolean {
  return wasTrouble(day, invite.atMs, endedAtMs ?? Number.POSITIVE_INFINITY, ['restart', 'cut', 'crash'])
}

/** So long it may take until it is written that somebody calls in. */
const BEGINNING_MAX_MS = 5_000

/** INV-O5 for those who called in: as many activities as calls that an engine was told of. */
function inboundFaults(day: Lived): string[] {
  const { calls, openCalls } = day.world.dialerRepository.view
  const inbound = [...calls.values()].filter(({ direction }) => direction === 'in')
  const faults = [...openCalls.keys()].map((call) => `INV-O5: the call ${call} that came in has no end`)
  for (const caller of new Set(day.callers.map((one) => one.caller))) {
    const theirs = day.callers.filter((one) => one.caller === caller)
    const sure = theirs.filter(({ person }) => {
      const arrivedAtMs = day.watch.arrivedAtMs.get(person.leg)
      // A beginning that slow records had not kept when the engine died is lost: two faults at once.
      return arrivedAtMs !== undefined && !wasTrouble(day, arrivedAtMs - 1_000, arrivedAtMs + BEGINNING_MAX_MS)
    })
    const told = theirs.filter(({ person }) => day.watch.arrivedAtMs.has(person.leg))
    const found = inbound.filter((call) => call.caller === caller).length
    if (found < sure.length || found > told.length) {
      faults.push(`INV-O5: ${found} activities of ${caller}, expected ${sure.length} to ${told.length}`)
    }
  }
  return faults
}

/** INV-D10: never more abandoned than the cap of those who answered allows, where agents and engine held. */
function abandoned(day: Lived, dialed: ReadonlyMap<AttemptId, SimContact>): string[] {
  if (!isCalm(day) || !day.plan.isSteady) return []
  const { attempts } = day.world.dialerRepository.view
  return day.plan.campaigns.flatMap(({ id, settings, mode }) => {
    const own = [...attempts.values()].filter(({ campaign }) => campaign === id)
    const answered = own.filter((one) => {
      const contact = dialed.get(one.id)
      // Whom an agent called a machine afterwards was a person to the ledger (ledger-watch.ts).
      return contact?.answeredAtMs !== undefined && (one.result !== 'voicemail' || heardAgent(contact))
    }).length
    const dropped = own.filter(({ result }) => result === 'dropped').length
    // Several numbers of one person at once: the second to be picked up is nobody's.
    const isSingle = settings['parallelCalls'] === 1
    const allowed = mode === 'progressive' && isSingle ? 0 : Math.floor(answered * Number(settings['maxAbandonRate']))
    return dropped > allowed
      ? [`INV-D10: campaign ${id} (${mode}) dropped ${dropped} of ${answered}, allowed ${allowed}`]
      : []
  })
}

/** campaigns-73: what an agent says of a call, and the engine takes, is kept, whatever dies after it. */
function lostWords(day: Lived): string[] {
  const { world, words } = day
  const { attempts, feedback, corrections, callbacks } = world.dialerRepository.view
  return words.flatMap(({ atMs, agent, what, call }) => {
    const attempt = [...attempts.values()].find(({ leg }) => callOf(leg) === call)
    const kept = {
      feedback: () => feedback.some((one) => one.activity === attempt?.activity && one.agent === agent),
      callback: () => callbacks.some((one) => one.attempt === attempt?.id && one.agent === agent),
      machine: () => corrections.some((one) => one.attempt === attempt?.id),
    }
    return kept[what]() ? [] : [`campaigns-73: the order ${what} of ${agent} about ${call} at ${atMs} is lost`]
  })
}

const TAKEN_BACK_WITHIN_MS = 2_000

/** D-13, F-H3, F-H4: what rings is taken back within 2 s. */
function takenBack(day: Lived, dialed: ReadonlyMap<AttemptId, SimContact>): string[] {
  if (!isCalm(day)) return []
  const { attempts, tasks, killSwitch } = day.world.dialerRepository.view
  return [...dialed].flatMap(([id, { invite, answeredAtMs, endedAtMs }]) => {
    const task = tasks.get(attempts.get(id)!.task)!
    const ended = task.history.find(({ what }) => what === 'ended from outside')
    const switched = killSwitch.filter(({ isOn }) => isOn)
    // F-F5: an inbound call from a number that rings comes first.
    const called = day.callers.flatMap(({ caller, person }) => {
      const atMs = day.watch.arrivedAtMs.get(person.leg)
      return caller === invite.number && atMs !== undefined ? [{ atMs }] : []
    })
    return [...(ended ? [ended] : []), ...switched, ...called].flatMap(({ atMs }) => {
      const wasOut = invite.atMs < atMs && (answeredAtMs ?? Number.POSITIVE_INFINITY) > atMs + TAKEN_BACK_WITHIN_MS
      const lateMs = (endedAtMs ?? Number.POSITIVE_INFINITY) - atMs - TAKEN_BACK_WITHIN_MS
      return wasOut && lateMs > day.watch.slackMs ? [`D-13: attempt ${id} rang on ${lateMs} ms too long`] : []
    })
  })
}
