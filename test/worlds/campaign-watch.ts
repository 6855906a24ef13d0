/**
 * Stands beside the carrier: at every INVITE, the physical truth of a dial, it looks whether it was allowed (faults.md
 * 3.1, INV-D). What it knows it reads off the records' own rows, never off the engine.
 */

import type { AttemptId, BridgeId, CampaignId, LegId } from '../../src/kernel/ids.ts'
import type { Stop } from '../../src/ports/dialer-repository.ts'
import type { SimContact, SimInvite } from '../../src/sim/sim-contact.ts'
import type { SimPbx } from '../../src/sim/sim-pbx.ts'
import type { SimAttempt, SimTask } from '../sim/sim-dialer-repository-rows.ts'
import { isSpared } from '../sim/sim-dialer-repository-shape.ts'
import type { CampaignPlan, DayPlan } from './campaign-plan.ts'
import { type CampaignWorld, CORPORATION } from './campaign-world.ts'

const DAY_MS = 24 * 3_600_000
/** The clocks of engine and database may be so far apart in a day with skew (F-G1). */
const SKEW_MS = 2_000
/** D-13, F-H4: whatever is forbidden is not placed any more after so long. */
const STOPS_WITHIN_MS = 2_000
const DUE_FOR_LONG_MS = 5 * 60_000

export class DialWatch {
  readonly faults: string[] = []
  /** Legs of callers of which an engine was told, and when first. */
  readonly arrivedAtMs = new Map<string, number>()
  /** Attempts at a date that the contact had asked for. */
  readonly promised = new Set<AttemptId>()
  /** Callees who were put into a bridge with the phone of an agent who is logged in. */
  readonly meetings: { readonly callee: string; readonly agent: string; readonly atMs: number }[] = []
  /** How each attempt's end was first seen, to be the same for ever (INV-O2). */
  readonly #results = new Map<AttemptId, string>()
  readonly #world: CampaignWorld
  readonly #plan: DayPlan
  readonly #invited = new Set<string>()
  readonly #inactiveSinceMs = new Map<CampaignId, number>()
  /** When it was last set active. */
  readonly #activeSinceMs = new Map<CampaignId, number>()
  #heeded: SimPbx | undefined

  constructor(world: CampaignWorld, plan: DayPlan) {
    this.#world = world
    this.#plan = plan
  }

  /** How late something may be that passed the line, and how far clocks may be apart. */
  get slackMs(): number {
    const { latencyMaxMs, skews } = this.#plan.weather
    return 3 * latencyMaxMs + 20 + (skews > 0 ? SKEW_MS : 0)
  }

  /** Listens to what this connection tells its engine. */
  heeds(pbx: SimPbx): void {
    if (this.#heeded === pbx) return
    this.#heeded = pbx
    pbx.onEvent((event) => {
      if (event.type === 'bridge.joined') this.#noteMeeting(pbx, event.bridge, event.leg)
      if (event.type !== 'leg.arrived' || this.arrivedAtMs.has(event.leg)) return
      this.arrivedAtMs.set(event.leg, this.#world.clock.nowMs())
    })
  }

  #noteMeeting(pbx: SimPbx, bridge: BridgeId, leg: LegId): void {
    const members = [...(pbx.switch.bridges.get(bridge)?.members ?? [])]
    const callee = members.find(({ id, caller }) => id === leg && caller !== undefined)
    const isAgent = ({ name }: { readonly name: string }) => this.#plan.agents.some((agent) => agent.name === name)
    const agent = members.find(isAgent)
    // The phone of an agent without a session rings for each caller; whoever answers it is there.
    const statuses = this.#world.engine.agentDesktop?.statuses() ?? []
    const isLoggedIn = statuses.some(({ agent: name, state }) => name === agent?.name && state !== 'loggedOut')
    if (callee && agent && isLoggedIn) {
      this.meetings.push({ callee: leg, agent: agent.name, atMs: this.#world.clock.nowMs() })
    }
  }

  activated(campaign: CampaignId): void {
    this.#inactiveSinceMs.delete(campaign)
    this.#activeSinceMs.set(campaign, this.#world.clock.nowMs())
  }

  deactivated(campaign: CampaignId): void {
    // A later activation may have overtaken the stop.
    const isInactive = this.#world.dialerRepository.view.campaigns.get(campaign)?.active === false
    if (isInactive) this.#inactiveSinceMs.set(campaign, this.#world.clock.nowMs())
  }

  /** Attempts that are committed and not over. */
  inFlight(): number {
    this.#lookAtResults()
    return (
      [...this.#world.dialerRepository.view.attempts.values()].filter(({ ended }) => !ended).length + this.#up().length
    )
  }

  /** An INVITE is about to arrive. */
  dialed(invite: SimInvite): void {
    const { attempts, tasks } = this.#world.dialerRepository.view
    const attempt = attempts.get(Number(invite.reference) as AttemptId)
    const say = (what: string) =>
      this.faults.push(`${what} (INVITE ${invite.reference} at ${this.#clockOf(invite.atMs)})`)
    if (!attempt) return void say('INV-D8: an INVITE of no attempt that is committed')
    if (this.#invited.has(invite.reference)) say('INV-D8: a second INVITE of one attempt')
    this.#invited.add(invite.reference)
    const task = tasks.get(attempt.task)!
    if (task.callback?.askedByContact) this.promised.add(attempt.id)
    const isMine = attempt.leg === invite.leg && attempt.number === invite.number
    if (!isMine) say(`INV-D8: leg or number differ: expected ${attempt.leg}, found ${invite.leg}`)
    if (attempt.ended) say(`INV-D8: dialed after its end was written as ${attempt.result}`)
    for (const fault of [
      ...this.#together(attempt, task),
      ...this.#finished(attempt, task),
      ...this.#stopped(attempt, task),
      ...this.#forbidden(attempt, invite),
      ...this.#capacity(invite),
      ...this.#frequency(attempt, task, invite),
      ...this.#order(attempt, task),
      ...this.#dropped(attempt),
      ...this.#failing(attempt, invite),
    ])
      say(fault)
    this.#lookAtResults()
  }

  /** INV-O2: what came of an attempt does not change by itself. */
  #lookAtResults(): void {
    for (const { id, result } of this.#world.dialerRepository.view.attempts.values()) {
      if (result === null) continue
      const before = this.#results.get(id)
      if (before !== undefined && before !== result)
        this.faults.push(`INV-O2: attempt ${id} was ${before}, is ${result}`)
      this.#results.set(id, result)
    }
  }

  #up(): SimContact[] {
    return this.#world.pbx.carrier.calls.filter(({ endedAtMs }) => endedAtMs === undefined)
  }

  #clockOf(atMs: number): string {
    return new Date(atMs).toISOString().slice(11, 23)
  }

  /** INV-D3: one at a time for each number, task and person; several numbers of a task only by one claim. */
  #together(attempt: SimAttempt, task: SimTask): string[] {
    const { attempts } = this.#world.dialerRepository.view
    return this.#up().flatMap(({ invite }) => {
      const other = attempts.get(Number(invite.reference) as AttemptId)
      if (!other || other === attempt) return []
      const isOneClaim = other.task === task.id && other.committed.step === attempt.committed.step
      const faults: string[] = []
      if (invite.number === attempt.number) faults.push(`INV-D3: ${other.id} is up at the same number`)
      if (other.task === task.id && !isOneClaim) faults.push(`INV-D3: ${other.id} of the same task is up`)
      const isPerson = task.person !== undefined && other.person === task.person && other.task !== task.id
      if (isPerson) faults.push(`INV-D3: ${other.id} to the same person is up`)
      return faults
    })
  }

  /** INV-D4. */
  #finished(attempt: SimAttempt, { history, id }: SimTask): string[] {
    const end = history.find(({ isFinished }) => isFinished)
    if (!end || end.step > attempt.committed.step) return []
    return [`INV-D4: task ${id} was ${end.status} before the attempt was committed`]
  }

  /** INV-D5. */
  #stopped(attempt: SimAttempt, { externalCustomer }: SimTask): string[] {
    const concerns = (stop: Stop) =>
      stop.kind === 'number' ? stop.number === attempt.number : stop.externalCustomer === externalCustomer
    const before = this.#world.dialerRepository.view.stops.filter(
      ({ step, stop, corporation }) => corporation === CORPORATION && step < attempt.committed.step && concerns(stop),
    )
    return before.at(-1)?.what === 'added' ? ['INV-D5: on a stop list before the attempt was committed'] : []
  }

  /** INV-D6, INV-D13, the permit's life, and campaigns that are not active. */
  #forbidden(attempt: SimAttempt, { atMs }: SimInvite): string[] {
    const { view, skewMs } = this.#world.dialerRepository
    const faults: string[] = []
    const minute = ((atMs + 3_600_000) % DAY_MS) / 60_000
    const [open] = this.#campaignOf(attempt).settings['callWindows'] as [{ from: string; to: string }]
    const slack = this.slackMs
    if (minute < minuteOf(open.from) || minute > minuteOf(open.to) + slack / 60_000) {
      faults.push(`INV-D6: outside ${open.from} to ${open.to}`)
    }
    const killed = view.killSwitch.at(-1)
    if (killed?.isOn && atMs > killed.atMs + STOPS_WITHIN_MS + slack) faults.push('INV-D13: the kill switch is on')
    const { validUntilAtMs } = attempt.permit as { validUntilAtMs: number }
    if (atMs + Math.min(0, skewMs) > validUntilAtMs + slack) faults.push('R2: the permit had run out')
    const isInactive = view.campaigns.get(attempt.campaign)?.active === false
    const inactive = isInactive ? this.#inactiveSinceMs.get(attempt.campaign) : undefined
    if (inactive !== undefined && atMs > inactive + STOPS_WITHIN_MS + slack)
      faults.push('F-H2: the campaign is not active')
    return faults
  }

  /** INV-D9. */
  #capacity({ atMs }: SimInvite): string[] {
    const { linesMax, callsPerSecondMax, weather } = this.#plan
    const { calls } = this.#world.pbx.carrier
    const lines = this.#up().length + 1
    const withinMs = 1_000 - 2 * weather.latencyMaxMs
    let lately = 1
    for (let at = calls.length - 1; at >= 0 && calls[at]!.invite.atMs > atMs - withinMs; at--) lately++
    const faults: string[] = []
    if (lines > linesMax) faults.push(`INV-D9: ${lines} lines at once, allowed are ${linesMax}`)
    const isNew = weather.crashes > 0
    if (lately > callsPerSecondMax * (isNew ? 2 : 1)) {
      faults.push(`INV-D9: ${lately} calls in a second, allowed are ${callsPerSecondMax}`)
    }
    return faults
  }

  /** INV-D11: how often, over all campaigns, and how soon after a conversation. */
  #frequency(attempt: SimAttempt, task: SimTask, { atMs }: SimInvite): string[] {
    const { attempts } = this.#world.dialerRepository.view
    const cap = this.#campaignOf(attempt).settings['frequencyCap'] as { calls: number; quietDaysAfterTalk: number }
    const numbers = task.numbers.map(({ number }) => number)
    const earlier = this.#world.pbx.carrier.calls.filter(({ invite }) => {
      const other = attempts.get(Number(invite.reference) as AttemptId)
      if (other && isSpared(other)) return false
      return task.person === undefined ? numbers.includes(invite.number) : other?.person === task.person
    })
    const faults: string[] = []
    if (earlier.length + 1 > cap.calls) {
      faults.push(`INV-D11: call ${earlier.length + 1} to the person, allowed are ${cap.calls}`)
    }
    if (cap.quietDaysAfterTalk === 0) return faults
    // A callback is not held by the quiet of the talk in which it was promised (campaigns-46).
    const promisedAtMs = task.callback?.promisedAtMs ?? Number.NEGATIVE_INFINITY
    const talked = earlier.filter(({ heard, invite }) => {
      const { result, correction, endedAtMs } = attempts.get(Number(invite.reference) as AttemptId) ?? {}
      const hasTalked = heard.some(({ what }) => what === 'person') && result === 'answered' && !correction
      return hasTalked && (endedAtMs ?? Number.POSITIVE_INFINITY) > promisedAtMs
    })
    if (talked.length > 0 && atMs > 0) faults.push('INV-D11: the person has talked to us today')
    return faults
  }

  /** Numbers that the network did not know, before this attempt was made. */
  #deadBefore({ committed }: SimAttempt): ReadonlySet<string> {
    const earlier = [...this.#world.dialerRepository.view.attempts.values()].filter(({ ended, result }) => {
      return result === 'invalidNumber' && ended !== undefined && ended.step < committed.step
    })
    return new Set(earlier.map(({ number }) => number))
  }

  /** INV-D7, where one number is dialed at a time and none was ever stopped. */
  #order(attempt: SimAttempt, task: SimTask): string[] {
    if (this.#campaignOf(attempt).settings['parallelCalls'] !== 1 || this.#world.dialerRepository.view.stops.length > 0)
      return []
    const placed = [...this.#world.dialerRepository.view.attempts.values()].filter(
      ({ id, task: of, reach }) => of === task.id && id < attempt.id && reach !== 'nothing',
    )
    // A callback goes to the number that was talked on (campaigns-48).
    if (task.callback?.number === attempt.number) return []
    const dead = this.#deadBefore(attempt)
    const turn = task.numbers.map((_, step) => task.numbers[(placed.length + step) % task.numbers.length]!.number)
    const wanted = turn.find((number) => !dead.has(number)) ?? 'none'
    if (wanted === attempt.number) return []
    return [`INV-D7: attempt ${placed.length + 1} at ${attempt.number}, expected ${wanted}`]
  }

  /** D-12: a person whom we dropped is left in peace, or gets an agent of their own. */
  #dropped(attempt: SimAttempt): string[] {
    const dropped = [...this.#world.dialerRepository.view.attempts.values()].find(
      ({ task, result, id }) => task === attempt.task && result === 'dropped' && id < attempt.id,
    )
    if (!dropped) return []
    if (this.#campaignOf(attempt).settings['afterDropped'] === 'quietAndAgent') {
      return [`D-12: dialed again within 72 h of being dropped by ${dropped.id}`]
    }
    return attempt.madeFor === undefined ? [`D-12: dialed without an agent after being dropped by ${dropped.id}`] : []
  }

  /** F-F7, by what is certain: calls that nobody can have taken for anything but failures, of the last 50. */
  #failing({ campaign }: SimAttempt, { atMs }: SimInvite): string[] {
    if (!this.#plan.weather.isCalm) return []
    const { attempts } = this.#world.dialerRepository.view
    const sinceMs = this.#activeSinceMs.get(campaign) ?? 0
    const over = this.#world.pbx.carrier.calls.filter(({ invite, endedAtMs }) => {
      const isTheirs = attempts.get(Number(invite.reference) as AttemptId)?.campaign === campaign
      return isTheirs && invite.atMs > sinceMs && endedAtMs !== undefined && endedAtMs < atMs - this.slackMs
    })
    const latest = over.sort((a, b) => a.endedAtMs! - b.endedAtMs!).slice(-50)
    const failures = latest.filter((call) => this.#isFailure(call)).length
    return failures > 30 ? [`F-F7: ${failures} of the last ${latest.length} calls of ${campaign} had failed`] : []
  }

  #isFailure({ refusedWith, answeredAtMs, endedAtMs, endedBy, voice }: SimContact): boolean {
    if (refusedWith !== undefined) return [404, 603, 403].includes(refusedWith)
    const isShort = answeredAtMs !== undefined && endedAtMs! - answeredAtMs < 1_000 - this.slackMs
    return isShort && endedBy === 'contact' && voice !== 'machine'
  }

  #campaignOf({ campaign }: SimAttempt): CampaignPlan {
    return this.#plan.campaigns.find(({ id }) => id === campaign)!
  }

  /** How many lines depend on this agent and colleagues, where every one of those who are ready is needed for one. */
  linesOn(agent: string): number | undefined {
    const { teams, campaigns, weather } = this.#plan
    const mine = Object.entries(teams).filter(([, members]) => (members as readonly string[]).includes(agent))
    const [name, members] = (mine[0] ?? ['', []]) as [string, readonly string[]]
    const isShared = members.some((member) => {
      return Object.entries(teams).some(
        ([team, others]) => team !== name && (others as readonly string[]).includes(member),
      )
    })
    if (!weather.isCalm || isShared) return undefined
    const statuses = this.#world.engine.agentDesktop?.statuses() ?? []
    const ready = statuses.filter((one) => one.state === 'ready' && members.includes(one.agent))
    if (!ready.some((one) => one.agent === agent && one.asked === undefined)) return undefined
    const ids = campaigns.filter(({ team }) => team === name).map(({ id }) => id)
    const lines = this.#up().filter(({ answeredAtMs, invite }) => {
      const attempt = this.#world.dialerRepository.view.attempts.get(Number(invite.reference) as AttemptId)
      const isTheirs = attempt !== undefined && ids.includes(attempt.campaign) && attempt.madeFor === undefined
      return isTheirs && answeredAtMs === undefined
    })
    return lines.length >= ready.length ? lines.length : undefined
  }

  /** D-15: a pause or log-out waits for the lines that depend on the agent. */
  hasNotLeft(agent: string, lines: number): void {
    const status = this.#world.engine.agentDesktop?.statuses().find((one) => one.agent === agent)
    if (status?.state === 'ready' && status.asked !== undefined) return
    this.faults.push(`dialing-rules.md 0.2: ${agent} left (${status?.state}) while ${lines} lines depended on them`)
  }

  /** Liveness: tasks that have been due for minutes while agents are idle and no line is dialed. */
  stuck(): string[] {
    const nowMs = this.#world.clock.nowMs()
    const statuses = this.#world.engine.agentDesktop?.statuses() ?? []
    const isIdle = statuses.filter(({ state, sinceAtMs }) => state === 'ready' && sinceAtMs < nowMs - DUE_FOR_LONG_MS)
    const idle = new Set<string>(isIdle.map(({ agent }) => agent))
    const lately = this.#world.pbx.carrier.invites.filter(({ atMs }) => atMs > nowMs - DUE_FOR_LONG_MS)
    const isCrowded = this.#plan.linesMax < 10 || this.#plan.callsPerSecondMax < 5
    return this.#plan.campaigns.flatMap(({ id, mode, team, settings }) => {
      const [{ to }] = settings['callWindows'] as [{ to: string }]
      const isActive = this.#world.dialerRepository.view.campaigns.get(id)?.active === true
      const isAutomatic = mode !== 'manual' && mode !== 'preview' && isActive
      const isOpen = ((nowMs + 3_600_000) % DAY_MS) / 60_000 < minuteOf(to)
      const agents = (this.#plan.teams[team] as readonly string[]).filter((agent) => idle.has(agent))
      const isDialing = lately.some(({ reference }) => isCrowded || this.#campaignOfReference(reference) === id)
      return isAutomatic && isOpen && agents.length > 0 && !isDialing ? this.#due(id, nowMs) : []
    })
  }

  #due(id: CampaignId, nowMs: number): string[] {
    return [...this.#world.dialerRepository.view.tasks.values()].flatMap((task) => {
      const { campaign, nextCallAtMs, finishedAtMs, status } = task
      if (campaign !== id || finishedAtMs !== undefined) return []
      const isLate = nextCallAtMs !== undefined && nextCallAtMs < nowMs - DUE_FOR_LONG_MS
      const isLost = nextCallAtMs === undefined && status !== 'dialing' && status !== 'inCall' && status !== 'reserved'
      return isLate || isLost
        ? [`liveness: task ${task.id} (${status}) is due since ${nextCallAtMs}, agents are idle`]
        : []
    })
  }

  #campaignOfReference(reference: string): CampaignId | undefined {
    return this.#world.dialerRepository.view.attempts.get(Number(reference) as AttemptId)?.campaign
  }
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}
