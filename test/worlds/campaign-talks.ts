/** Conversations of a campaign-day, as they were heard: who was with whom, who waited, and who ended it (INV-A). */
import type { AgentName, AttemptId } from '../../src/kernel/ids.ts'
import type { Voice } from '../../src/sim/person.ts'
import type { SimContact } from '../../src/sim/sim-contact.ts'
import type { Heard } from '../../src/sim/sim-ear.ts'
import type { Lived } from './campaign-day.ts'
import {
  actsOnMachines,
  campaignOf,
  heardAgent,
  isCalm,
  NO_PACKET_MS,
  NOTICED_MS,
  wasTrouble,
} from './campaign-facts.ts'
import { STAYS } from './campaign-world.ts'

/** What is wrong with who talked to whom. */
export function talkFaults(day: Lived, dialed: ReadonlyMap<AttemptId, SimContact>): string[] {
  const phones = day.plan.agents.map(({ name }) => {
    return { name, heard: day.world.pbx.agentPhone(name as AgentName, STAYS).heard }
  })
  return [
    ...phones.flatMap(({ name, heard }) => doubleTalks(name, heard)),
    ...[...dialed].flatMap(([id, { heard }]) => doubleTalks(`attempt ${id}`, heard)),
    ...day.callers.flatMap(({ caller, person }) => doubleTalks(`caller ${caller}`, person.heard)),
    ...[...dialed].flatMap(([id, contact]) => silences(day, id, contact)),
    ...[...dialed].flatMap(([id, contact]) => overGreeting(day, id, contact)),
    ...[...dialed].flatMap(([id, contact]) => cutOff(day, id, contact)),
    ...phones.flatMap(({ name, heard }) => hurried(day, name, heard)),
    ...[...dialed].flatMap(([id, contact]) => abandonedByPhone(day, id, contact)),
    ...[...dialed].flatMap(([id, { heard, endedAtMs }]) => leftAlone(day, `attempt ${id}`, heard, endedAtMs)),
    ...day.callers.flatMap(({ caller, person }) => leftAlone(day, `caller ${caller}`, person.heard)),
    ...givenToLost(day),
    ...surplus(day, dialed),
    ...overtaken(day, dialed),
  ]
}

const isPerson = ({ what }: Heard) => what === 'person'

/** INV-A1. */
function doubleTalks(who: string, heard: readonly Heard[]): string[] {
  const talks = heard.filter(isPerson).sort((a, b) => a.fromMs - b.fromMs)
  return talks.flatMap((talk, at) => {
    const before = talks[at - 1]
    const overlaps = before !== undefined && talk.fromMs < (before.untilMs ?? Number.POSITIVE_INFINITY)
    return overlaps ? [`INV-A1: ${who} with ${before.text} and ${talk.text} at once, at ${talk.fromMs}`] : []
  })
}

const HEARS_WITHIN_MS = 2_000
/** By the voice: a machine hears a message after its beep; a wrong one is said after 2.5 s of silence. */
const DETECTION_MS: Readonly<Record<Voice, number>> = { person: 8_000, machine: 12_000, silent: 6_000 }

/** INV-A3: a callee who answered hears an agent or a message within 2 s. */
function silences(day: Lived, id: AttemptId, contact: SimContact): string[] {
  const { answeredAtMs, endedAtMs, heard } = contact
  if (!isCalm(day) || answeredAtMs === undefined) return []
  const attempt = day.world.dialerRepository.view.attempts.get(id)!
  const detects = actsOnMachines(campaignOf(day, attempt).settings)
  const untilMs = heard[0]?.fromMs ?? endedAtMs ?? Number.POSITIVE_INFINITY
  const ms = untilMs - answeredAtMs
  const isOurs = heard.length > 0 || contact.endedBy !== 'contact'
  // A machine that is hung up on hears nothing.
  if (attempt.result === 'voicemail' && heard.length === 0) return []
  // An answer that crossed our hang-up is ended as soon as it is seen.
  if (!isOurs && ms <= HEARS_WITHIN_MS + day.watch.slackMs) return []
  const proofMs = day.lostPhones.length > 0 ? NO_PACKET_MS : 0
  const mostMs = HEARS_WITHIN_MS + proofMs + (detects ? DETECTION_MS[contact.voice] : 0) + day.watch.slackMs
  return ms > mostMs ? [`INV-A3: attempt ${id} (${attempt.result}) heard nothing for ${ms} ms`] : []
}

/** The standing text of campaigns, which no plan changes. */
const APOLOGY = 'One moment, please.'

/** A machine records no message that is spoken over its greeting. */
function overGreeting(day: Lived, id: AttemptId, { heard, greetingEndsAtMs = 0 }: SimContact): string[] {
  // Words instead of silence, for a machine that is not known yet and whose agent's phone sends nothing.
  const first = heard.find(({ text }) => text !== APOLOGY)
  const isMessage = day.world.dialerRepository.view.attempts.get(id)?.result === 'voicemail' && first?.what === 'words'
  const earlyMs = greetingEndsAtMs - (first?.fromMs ?? greetingEndsAtMs)
  return isMessage && earlyMs > 0 ? [`campaigns-82: the message of attempt ${id} began ${earlyMs} ms too early`] : []
}

/** Only the people in a conversation end it: neither a pause nor the end of the task does. */
function cutOff(day: Lived, id: AttemptId, contact: SimContact): string[] {
  if (contact.endedBy !== 'switch' || !heardAgent(contact)) return []
  const { latencyMaxMs, loseEvents } = day.plan.weather
  const endedAtMs = contact.endedAtMs!
  const last = contact.heard.findLast(isPerson)!
  const withinMs = (endedAtMs - (last.untilMs ?? endedAtMs) > 500 ? 40_000 : 1_000) + 4 * latencyMaxMs
  const isTheirs = day.deeds.some(
    ({ agent, what, atMs }) =>
      agent === last.text &&
      ((what === 'hangUp' && atMs >= endedAtMs - withinMs) || (what === 'losesPhone' && atMs >= endedAtMs - 40_000)),
  )
  const isLost = day.lostPhones.some(({ agent, fromMs }) => agent === last.text && fromMs >= endedAtMs - 40_000)
  const isFaulty = loseEvents > 0 || wasTrouble(day, last.fromMs - 60_000, endedAtMs, ['cut', 'restart'])
  if (isTheirs || isLost || isFaulty) return []
  return [`talk: attempt ${id} with ${last.text} was ended by us at ${endedAtMs}, nobody asked for it`]
}

/** While the phone of an agent who talks is called again, the other side stays (F-F4). */
function abandonedByPhone(day: Lived, id: AttemptId, { heard, endedBy, endedAtMs }: SimContact): string[] {
  if (!isCalm(day) || endedBy !== 'switch') return []
  // What an agent has called a machine waits for nobody else (campaigns-93).
  if (day.world.dialerRepository.view.attempts.get(id)?.correction) return []
  const last = heard.findLast(isPerson)
  const quietFromMs = last?.untilMs
  if (!last || quietFromMs === undefined || endedAtMs! - quietFromMs > CALLED_AGAIN_MS) return []
  const deeds = day.deeds.filter(
    ({ agent, atMs }) => agent === last.text && Math.abs(atMs - quietFromMs) < CALLED_AGAIN_MS,
  )
  const isLost =
    deeds.some(({ what, atMs }) => what === 'losesPhone' && Math.abs(atMs - quietFromMs) < 5) ||
    day.lostPhones.some(({ agent, fromMs }) => agent === last.text && fromMs === quietFromMs)
  // The next agent's phone may be lost as well: then the callee hears the message.
  const isLostTwice = day.lostPhones.some(({ agent, fromMs, untilMs }) => {
    return agent !== last.text && fromMs < endedAtMs! && untilMs + NOTICED_MS > quietFromMs
  })
  if (!isLost || isLostTwice || deeds.some(({ what }) => what === 'hangUp')) return []
  return [`F-F4: attempt ${id} was let go when the phone of ${last.text} was lost for a moment`]
}

const CALLED_AGAIN_MS = 10_000
/** The phone is called again for so long, before another agent goes on. */
const ALONE_MS = 2_000
/** Whoever waits for the next agent hears words so often. */
const WORDS_EVERY_MS = 6_500

/** Whoever talked to an agent whose phone is lost hears words as soon as this is known, and then again and again. */
function leftAlone(day: Lived, who: string, heard: readonly Heard[], endedAtMs?: number): string[] {
  const first = heard.find(isPerson)
  if (!isCalm(day) || !first) return []
  const sounds = heard.filter(({ fromMs }) => fromMs >= first.fromMs).sort((a, b) => a.fromMs - b.fromMs)
  return sounds.flatMap((sound, at) => {
    const untilMs = sounds[at + 1]?.fromMs ?? endedAtMs
    const lastMs = Math.max(...sounds.slice(0, at + 1).map((one) => one.untilMs ?? Number.POSITIVE_INFINITY))
    // What a caller's flow says after a conversation is its own affair.
    if (untilMs === undefined || (endedAtMs === undefined && !isPerson(sound))) return []
    const mostMs = isPerson(sound) ? NOTICED_MS : ALONE_MS + WORDS_EVERY_MS + NO_PACKET_MS
    const ms = untilMs - lastMs
    return ms > mostMs + day.watch.slackMs
      ? [`campaigns-87: ${who} heard nothing for ${ms} ms after ${sound.text}`]
      : []
  })
}

/** Nobody gets an agent whose phone is known to be lost, until a packet comes from it (campaigns-90). */
function givenToLost(day: Lived): string[] {
  if (!isCalm(day)) return []
  return day.watch.meetings.flatMap(({ callee, agent, atMs }) => {
    const lost = day.lostPhones.find(({ agent: whose, fromMs, untilMs }) => {
      return whose === agent && fromMs + NOTICED_MS + day.watch.slackMs < atMs && atMs < untilMs
    })
    return lost ? [`campaigns-90: ${callee} got ${agent}, whose phone ${lost.what} since ${lost.fromMs}`] : []
  })
}

/** D-15: after a conversation an agent has the time for wrap-up that the campaign says. */
function hurried(day: Lived, name: string, heard: readonly Heard[]): string[] {
  if (!isCalm(day) || !day.plan.isSteady) return []
  const talks = heard.filter(isPerson).sort((a, b) => a.fromMs - b.fromMs)
  const { attempts } = day.world.dialerRepository.view
  return talks.flatMap((talk, at) => {
    const next = talks[at + 1]
    const attempt = [...attempts.values()].find(
      (one) =>
        one.number === talk.text && one.agent === name && Math.abs((one.connectedAtMs ?? 0) - talk.fromMs) < 1_000,
    )
    if (!next || !attempt || talk.untilMs === undefined) return []
    const { wrapUpMode, wrapUpSeconds } = campaignOf(day, attempt).settings
    const leastMs = wrapUpMode === 'timed' ? Number(wrapUpSeconds) * 1_000 - day.watch.slackMs : 0
    const isEnded = day.deeds.some(({ agent, what, atMs }) => {
      return agent === name && what === 'endsWrapUp' && atMs >= talk.fromMs && atMs <= next.fromMs
    })
    const ms = next.fromMs - talk.untilMs
    return ms < leastMs && !isEnded ? [`wrap-up: ${name} had ${ms} ms after ${talk.text}, expected ${leastMs}`] : []
  })
}

const MIN_RING_MS = 15_000

/** Several numbers of a task at once: when a person is there, the others are let go as soon as they may be. */
function surplus(day: Lived, dialed: ReadonlyMap<AttemptId, SimContact>): string[] {
  if (!isCalm(day)) return []
  const { attempts } = day.world.dialerRepository.view
  const groups = Map.groupBy(dialed, ([id]) => {
    const { task, committed } = attempts.get(id)!
    return `${task} ${committed.step}`
  })
  return [...groups.values()].flatMap((group) => {
    const talks = group.filter(([, contact]) => heardAgent(contact))
    const [first] = talks.map(([, { heard }]) => heard.find(isPerson)!.fromMs).sort((a, b) => a - b)
    if (first === undefined) return []
    return group.flatMap(([id, { heard, answeredAtMs, rangAtMs, invite, endedAtMs }]) => {
      if (heard.some(isPerson) || (answeredAtMs ?? Number.POSITIVE_INFINITY) < first + MIN_RING_MS) return []
      const mayRingUntilMs = Math.max(first, (rangAtMs ?? invite.atMs) + MIN_RING_MS) + day.watch.slackMs
      const lateMs = (endedAtMs ?? Number.POSITIVE_INFINITY) - mayRingUntilMs
      return lateMs > 0 ? [`parallel: attempt ${id} rang on for ${lateMs} ms after another number was answered`] : []
    })
  })
}

/** INV-A2: of two who wait for agents of one team, the first to answer is the first to be served. */
function overtaken(day: Lived, dialed: ReadonlyMap<AttemptId, SimContact>): string[] {
  if (!isCalm(day)) return []
  const { attempts } = day.world.dialerRepository.view
  const waiting = [...dialed].flatMap(([id, contact]) => {
    const attempt = attempts.get(id)!
    const { team, settings } = campaignOf(day, attempt)
    const detects = actsOnMachines(settings)
    const isTheirs = attempt.madeFor !== undefined
    if (contact.answeredAtMs === undefined || detects || isTheirs) return []
    // The phone of the agent who was given may be dead: then the turn has come, and the next agent follows.
    const metAtMs = day.watch.meetings.find(({ callee }) => callee === attempt.leg)?.atMs
    const servedAtMs = metAtMs ?? contact.heard.find(isPerson)?.fromMs
    return [{ id, team, answeredAtMs: contact.answeredAtMs, servedAtMs, endedAtMs: contact.endedAtMs ?? 0 }]
  })
  return waiting.flatMap((one) =>
    waiting.flatMap((other) => {
      const isFirst = one.team === other.team && one.answeredAtMs < other.answeredAtMs - day.watch.slackMs
      const servedAtMs = other.servedAtMs ?? Number.POSITIVE_INFINITY
      const isPassed = servedAtMs < Math.min(one.servedAtMs ?? one.endedAtMs, one.answeredAtMs + HEARS_WITHIN_MS)
      const isClear = servedAtMs - one.answeredAtMs > day.watch.slackMs
      if (!isFirst || !isPassed || !isClear) return []
      return [`INV-A2: attempt ${other.id} was served before ${one.id}, who had answered first`]
    }),
  )
}
