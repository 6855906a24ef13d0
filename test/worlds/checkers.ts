/**
 * What must be true of every world once it is quiet, whatever happened in it. The checkers compare the engine's
 * story (journal, records) with the truth of the switch and of the people at the phones (architecture-laws.md 7).
 */
import type { CallCommand, CallRecord } from '../../src/flow/model/call-messages.ts'
import type { CallId } from '../../src/kernel/ids.ts'
import type { JournalLine } from '../../src/ports/journal.ts'
import type { SimCaller } from '../../src/sim/sim-caller.ts'
import type { Heard } from '../../src/sim/sim-ear.ts'
import { QueueOrder } from './queue-order.ts'
import { SECRET, type World } from './world.ts'

/** The longest gap of a random world, and some repetitions of the command. */
const GONE_WITHIN_MS = 30_000

/** Everything that is wrong with a world in which every caller has put the phone down. */
export async function faultsOf(world: World): Promise<string[]> {
  return [
    ...leftovers(world),
    ...world.sms.problems,
    ...endings(world),
    ...lingering(world),
    ...world.callers.flatMap((caller) => untruths(world, caller)),
    ...[...world.phones].flatMap(([agent, phone]) => doubleTalks(agent, phone.heard)),
    ...new QueueOrder(world).read().faults,
    ...world.callers.flatMap((caller) => doubtfulTales(world, caller)),
    ...leaks(world),
    ...(await differentReplays(world)),
  ]
}

/** Nothing of a call outlives it: not here, not in the switch. */
function leftovers({ engine, pbx, clock }: World): string[] {
  const { legs, bridges, playbacks } = pbx.switch
  const states = [...engine.agentStates()].filter(([, state]) => state !== 'free' && state !== 'paused')
  return [
    ...[...legs.values()].map(({ id, name }) => `the leg ${id} of ${name} is still there`),
    ...[...bridges.keys()].map((bridge) => `the bridge ${bridge} is still there`),
    ...[...playbacks.keys()].map((playback) => `the prompt ${playback} is still there`),
    ...states.map(([agent, state]) => `${agent} is stuck in ${state}`),
    ...(engine.callCount > 0 ? [`the engine still has ${engine.callCount} calls at ${clock.nowMs()}`] : []),
  ]
}

/** Every call that began ends exactly once, and gives no command afterwards. */
function endings({ lines, records }: World): string[] {
  const faults: string[] = []
  const ended = new Set<CallId>()
  for (const { call, by, kind, what } of lines) {
    if (by !== 'call' || kind !== 'command') continue
    if (ended.has(call)) faults.push(`${call} commands ${what.type} after its end`)
    if (what.type === 'endCall') ended.add(call)
  }
  for (const { call, what } of lines) {
    if (what.type === 'call.began' && !ended.has(call)) faults.push(`${call} has no end`)
  }
  const told = records.map(({ call }) => call)
  if (new Set(told).size !== told.length) faults.push('a call was told to have ended twice')
  for (const call of ended) if (!told.includes(call)) faults.push(`nobody was told that ${call} has ended`)
  return faults
}

/** A lost hang-up is sent again: its leg is gone a minute later (law 5). */
function lingering({ lines }: World): string[] {
  const wished = new Map<unknown, number>()
  return lines.flatMap(({ atMs, what }) => {
    const leg = what['leg']
    if ((what.type === 'hangUp' || what.type === 'hangUpAgent') && !wished.has(leg)) wished.set(leg, atMs)
    const ms = what.type === 'leg.ended' ? atMs - (wished.get(leg) ?? atMs) : 0
    return ms > GONE_WITHIN_MS ? [`${leg} was let go of, and still there ${ms} ms later`] : []
  })
}

/** The record says what the caller knows: with whom they talked. */
function untruths(world: World, caller: SimCaller): string[] {
  const record = world.recordOf(caller)
  const talkedTo = new Set(caller.heard.filter(isPerson).map(({ text }) => text))
  const faults = caller.result === undefined ? [`${caller.leg} still holds the phone`] : []
  if (!record) return talkedTo.size > 0 ? [...faults, `${caller.leg} talked, and nobody knows of the call`] : faults
  for (const person of talkedTo) {
    if (!agentsOf(world, record).has(person))
      faults.push(`${record.call} talked to ${person}, the record does not say so`)
  }
  return faults
}

function agentsOf({ lines }: World, { call, agent }: CallRecord): Set<string> {
  const connected = lines.filter(({ call: of, what }) => of === call && what.type === 'agent.connected')
  return new Set([...connected.map(({ what }) => String(what['agent'])), ...(agent === undefined ? [] : [agent])])
}

/** An agent is in at most one conversation. */
function doubleTalks(agent: string, heard: readonly Heard[]): string[] {
  const talks = heard.filter(isPerson).sort((a, b) => a.fromMs - b.fromMs)
  return talks.flatMap((talk, at) => {
    const before = talks[at - 1]
    const overlaps = before !== undefined && talk.fromMs < (before.untilMs ?? Number.POSITIVE_INFINITY)
    return overlaps ? [`${agent} talked to ${before.text} and ${talk.text} at once`] : []
  })
}

/** "Closed" is said, and a text sent, only after an answer that says so without doubt. */
function doubtfulTales(world: World, caller: SimCaller): string[] {
  const record = world.recordOf(caller)
  if (record?.flow !== 'debtor-self-service') return []
  const lines = world.linesOf(record.call)
  const answers = commandsOf(lines, 'request').map(({ request, ask }) => believable(ask.url, answerTo(lines, request)))
  const saidClosed = caller.ear.words.includes('was closed on')
  const sentText = commandsOf(lines, 'sendSms').length > 0
  return [
    ...(saidClosed && !answers.some((answer) => typeof answer?.['closedDate'] === 'string')
      ? ['closed on a doubt']
      : []),
    ...(sentText && !answers.some((answer) => answer?.['closedDate'] === null) ? ['a text on a doubt'] : []),
  ].map((fault) => `${record.call}: ${fault}`)
}

function answerTo(lines: readonly JournalLine[], request: string): { status?: number; body?: string } {
  return (lines.find(({ what }) => what.type === 'request.answered' && what['request'] === request)?.what['answer'] ??
    {}) as object
}

/** An answer about the case that was asked for, with everything that the flow requires. */
function believable(url: string, { status, body = '' }: { status?: number; body?: string }) {
  try {
    const document = JSON.parse(body) as Record<string, unknown>
    const required = ['caseNumber', 'closedDate', 'remainingAmount', 'paymentUrl']
    const isWhole = !Array.isArray(document) && required.every((member) => Object.hasOwn(document, member))
    const isAsked = url.endsWith(`/${document['caseNumber']}`)
    return status === 200 && isWhole && isAsked ? document : undefined
  } catch {
    return undefined
  }
}

/** One prompt at a time: a second one is asked for only when the first is over or was stopped. */
export function overlaps({ lines }: World): string[] {
  const speaking = new Map<CallId, unknown>()
  return lines.flatMap(({ call, by, what }) => {
    if (by !== 'call') return []
    const before = speaking.get(call)
    if (what.type === 'play') speaking.set(call, what['playback'])
    else if (what['playback'] === before && /^(stopPlaying|playback\.ended)$/.test(what.type)) speaking.delete(call)
    return what.type === 'play' && before !== undefined ? [`${call} speaks over ${before}`] : []
  })
}

/** Secrets stay out of what is written down; the log knows no telephone number. */
function leaks({ lines, logged, records }: World): string[] {
  const numbers = records.flatMap(({ caller }) => (caller === undefined ? [] : [caller]))
  const faults = lines
    .filter((line) => JSON.stringify(line).includes(SECRET))
    .map(({ call }) => `${call} tells the secret`)
  if (logged.some((line) => line.includes(SECRET))) faults.push('the log tells the secret')
  if (logged.some((line) => numbers.some((number) => line.includes(number)))) faults.push('the log tells a number')
  return faults
}

/** Law 1: the recorded facts give the recorded commands. */
async function differentReplays(world: World): Promise<string[]> {
  const faults: string[] = []
  for (const { call } of world.records) {
    if (isMasked(world.linesOf(call)) || isBroken(world.linesOf(call))) continue
    const replayed = await world.replayed(call)
    if (replayed.result !== 'same') faults.push(`${call} replays differently: ${JSON.stringify(replayed)}`)
  }
  return faults
}

/** The journal does not hold what was typed at a secret gather; such calls are not replayed. */
export function isMasked(lines: readonly JournalLine[]): boolean {
  return lines.some(({ what }) => what.type === 'leg.digit' && what['digit'] === '•')
}

/** A port threw in the middle of the commands: the rest of them was never sent. */
function isBroken(lines: readonly JournalLine[]): boolean {
  return lines.some(({ what }) => what.type === 'call.broke')
}

/** All commands of one kind that a call gave. */
export function commandsOf<T extends CallCommand['type']>(lines: readonly JournalLine[], type: T) {
  const wished = lines.filter(({ kind, by, what }) => kind === 'command' && by === 'call' && what.type === type)
  return wished.map(({ what }) => what as unknown as Extract<CallCommand, { type: T }>)
}

const isPerson = ({ what }: Heard) => what === 'person'
