/** One simulated day: the production rules and ledger, a policy per campaign. Deterministic by seed, day and policy. */
import { isWithin, mayAgentLeave } from '../dialer/ledger.ts'
import { type CampaignDay, ledgerOver } from './campaign-day.ts'
import { EventHeap } from './event-heap.ts'
import { AWAY, Floor, IDLE, ON_BREAK, TALKING, TIMED_WRAP_UP, WRAPPING_UP } from './floor.ts'
import { Histogram } from './histogram.ts'
import { ANSWERS, FAILS, IS_MACHINE, lineOf, PASSES } from './lines.ts'
import { agentsOf, type Planned } from './plan.ts'
import { type Fault, type Scenario, waitMsOf } from './scenario.ts'
import { View } from './view.ts'
import { isShortRing, linesToWithdraw } from './withdraw.ts'

/** Called for every dial that the carrier took, with its campaign, its number and its fate. */
export type DialWatch = (campaign: number, dial: number, isPerson: boolean, ageMs: number) => void

/** Kinds of events. The rest of the payload is campaign and slot, the agent, or the index in the plan. */
const LINE = 1
const LOSS = 2
const AGENT = 3
const PLAN = 4
const KIND = 2 ** 24
const CAMPAIGN = 2 ** 20
/** The time from a dial to the carrier's refusal. */
const REFUSED_AFTER_MS = 500
/** Instants between two comparisons of counters with states. */
const CHECK_EVERY = 1024
/** The interval at which the day's rate of abandoned calls is noted, for plots. */
const MARK_EVERY_MS = 5 * 60_000

/** Runs one simulated day. */
export class Day {
  readonly floor: Floor
  readonly campaigns: readonly CampaignDay[]
  /** Idle times of agents: from the end of a call or break to the next call. */
  readonly idles = new Histogram(100, 3_600_000)
  linesPerAgentMax = 0
  decisions = 0
  readonly #scenario: Scenario
  readonly #views: readonly View[]
  readonly #plan: readonly Planned[]
  readonly #heap = new EventHeap()
  readonly #beginAtMs: number
  readonly #onDial: DialWatch | undefined
  #nowMs = 0
  #tickets = 0
  #breakRequests = 0
  #isRefused = 0
  #isBusy = 0
  #turn = 0
  #instants = 0
  #nextMarkMs = MARK_EVERY_MS

  constructor(
    scenario: Scenario,
    campaigns: readonly CampaignDay[],
    plan: readonly Planned[],
    beginAtMs: number,
    onDial?: DialWatch,
  ) {
    this.#scenario = scenario
    this.campaigns = campaigns
    this.floor = new Floor(scenario.agents)
    this.#beginAtMs = beginAtMs
    this.#onDial = onDial
    this.#plan = plan
    this.#views = campaigns.map((campaign) => {
      const others = campaigns.filter((other) => other !== campaign)
      return new View(this.floor, campaign, others, scenario.linesPerAgentMax)
    })
    for (const [place, { atMs }] of plan.entries()) this.#heap.push(atMs, PLAN * KIND + place)
    for (let agent = 0; agent < scenario.agents; agent++) this.floor.become(agent, IDLE, 0)
  }

  /** Runs the day to its end. Throws if a rule of the simulator or a promise of a policy is broken. */
  run(): void {
    const { dayMs } = this.#scenario
    for (;;) {
      let atMs = this.#heap.nextAtMs
      for (const { nextTickMs } of this.campaigns) if (nextTickMs < atMs) atMs = nextTickMs
      if (atMs >= dayMs) break
      this.#markBefore(atMs)
      this.#nowMs = atMs
      let happened = false
      while (this.#heap.nextAtMs === atMs) if (this.#happen()) happened = true
      if (happened && this.#breakRequests > 0) this.#letGo()
      this.#decide(happened)
      this.#check()
    }
    this.#markBefore(dayMs + 1)
    this.#nowMs = dayMs
    this.#close()
  }

  #markBefore(atMs: number): void {
    for (; this.#nextMarkMs < atMs; this.#nextMarkMs += MARK_EVERY_MS) {
      for (const campaign of this.campaigns) campaign.mark()
    }
  }

  /** Takes the next event; false if the event was cancelled. */
  #happen(): boolean {
    const [key, payload] = [this.#heap.nextKey, this.#heap.nextPayload]
    this.#heap.pop()
    const index = payload % CAMPAIGN
    const kind = Math.floor(payload / KIND)
    if (kind === PLAN) {
      this.#follow(this.#plan[payload % KIND]!)
      return true
    }
    if (kind === AGENT) {
      if (this.floor.dueKey[payload % KIND] !== key) return false
      this.#agentDue(payload % KIND)
      return true
    }
    const campaign = this.campaigns[Math.floor((payload % KIND) / CAMPAIGN)]!
    if (campaign.lines.dueKey[index] !== key) return false
    if (kind === LOSS) this.#lose(campaign, index)
    else this.#lineDue(campaign, index)
    return true
  }

  #lineDue(campaign: CampaignDay, slot: number): void {
    const { lines } = campaign
    const ageMs = this.#nowMs - lines.dialedAtMs[slot]!
    switch (lines.next[slot]) {
      case FAILS:
        return this.#fail(campaign, slot, ageMs)
      case ANSWERS:
        return this.#answer(campaign, slot)
      case PASSES:
        return this.#pass(campaign, slot)
      case IS_MACHINE:
        if (lines.isPerson[slot] === 0) return this.#fail(campaign, slot, ageMs)
        campaign.counts.personsHungUpOn++
        lines.end(slot)
        return campaign.learn({ type: 'line.failed', ageMs }, this.#nowMs)
    }
  }

  #fail(campaign: CampaignDay, slot: number, ageMs: number): void {
    campaign.counts.failed++
    campaign.lines.end(slot)
    campaign.learn({ type: 'line.failed', ageMs }, this.#nowMs)
  }

  #answer(campaign: CampaignDay, slot: number): void {
    const { lines } = campaign
    const dial = lines.dial[slot]!
    lines.answeredAtMs[slot] = this.#nowMs
    const takesMs = campaign.detectionMs(dial)
    if (takesMs === undefined) return this.#pass(campaign, slot)
    lines.next[slot] = campaign.passes(dial, lines.isPerson[slot] === 1) ? PASSES : IS_MACHINE
    this.#expect(campaign, slot, this.#nowMs + takesMs, LINE)
  }

  #pass(campaign: CampaignDay, slot: number): void {
    const { lines } = campaign
    const now = this.#nowMs
    campaign.count(1, 0, now)
    campaign.learn({ type: 'line.answered', ageMs: now - lines.dialedAtMs[slot]! }, now)
    lines.wait(slot, this.#tickets++)
    this.#serve()
    const isWaiting = lines.isWaiting(slot)
    if (isWaiting) {
      this.#expect(campaign, slot, campaign.lostAtMs(lines.dial[slot]!, lines.answeredAtMs[slot]!, now), LOSS)
    }
  }

  #lose(campaign: CampaignDay, slot: number): void {
    campaign.lines.leave(slot)
    campaign.counts.abandoned++
    campaign.count(0, 1, this.#nowMs)
    campaign.learn({ type: 'answer.resolved', isAbandoned: true }, this.#nowMs)
  }

  /** Connects waiting callees with idle agents. */
  #serve(): void {
    if (this.floor.counts[IDLE] === 0) return
    const [only] = this.campaigns
    const waiting = this.campaigns.length === 1 ? only!.lines.waiting : this.campaigns.flatMap((c) => c.lines.waiting)
    if (waiting.length === 0) return
    for (const { call, agent } of this.floor.assign(waiting)) {
      const { campaign, slot } = lineOf(call)
      this.#connect(this.campaigns[campaign]!, slot, agent)
    }
  }

  #connect(campaign: CampaignDay, slot: number, agent: number): void {
    const { floor } = this
    const { lines, counts } = campaign
    const isPerson = lines.isPerson[slot] === 1
    counts.connected++
    if (!isPerson) counts.connectedMachines++
    campaign.waits.add(this.#nowMs - lines.answeredAtMs[slot]!)
    lines.leave(slot)
    const call = floor.calls[agent]!++
    if (call > 0) this.idles.add(this.#nowMs - floor.sinceMs[agent]!)
    floor.campaign[agent] = campaign.index
    floor.become(agent, TALKING, this.#nowMs)
    this.#agentDueIn(agent, campaign.talkMs(agent, call, isPerson))
    campaign.learn({ type: 'answer.resolved', isAbandoned: false }, this.#nowMs)
  }

  #agentDue(agent: number): void {
    const { floor } = this
    const now = this.#nowMs
    const campaign = this.campaigns[floor.campaign[agent]!]!
    const lengthMs = now - floor.sinceMs[agent]!
    switch (floor.state[agent]) {
      case TALKING: {
        campaign.learn({ type: 'talk.ended', lengthMs }, now)
        const isTimed = campaign.scenario.wrapUp.kind === 'timed'
        const wrapUpMs = campaign.wrapUpMs(agent, floor.calls[agent]! - 1)
        floor.endsAtMs[agent] = now + wrapUpMs
        floor.become(agent, isTimed ? TIMED_WRAP_UP : WRAPPING_UP, now)
        return this.#agentDueIn(agent, wrapUpMs)
      }
      case WRAPPING_UP:
        campaign.learn({ type: 'wrapUp.ended', lengthMs }, now)
    }
    floor.dueKey[agent] = 0
    floor.become(agent, IDLE, now)
    this.#serve()
  }

  #follow(planned: Planned): void {
    if (planned.type === 'breakRequested') {
      if (this.floor.breakMs[planned.agent] === 0) this.#breakRequests++
      this.floor.requestBreak(planned.agent, planned.lengthMs)
      return
    }
    const { fault, type } = planned
    const change = type === 'faultBegins' ? 1 : -1
    if (fault.kind === 'carrierRefuses') this.#isRefused += change
    else if (fault.kind === 'linesBusy') this.#isBusy += change
    else if (type === 'faultBegins') this.#dropPhones(fault)
  }

  /** The agents with the highest numbers lose their phones at once; their conversations end. */
  #dropPhones({ share, forMs }: Extract<Fault, { kind: 'phonesDrop' }>): void {
    const { size } = this.floor
    for (let agent = size - agentsOf(share, size); agent < size; agent++) {
      this.floor.become(agent, AWAY, this.#nowMs)
      this.#agentDueIn(agent, forMs)
    }
    for (const campaign of this.campaigns) campaign.isExcused = true
  }

  /** Lets idle agents go on the break that they asked for. A strict policy keeps an agent whom a ledger needs. */
  #letGo(): void {
    const { floor } = this
    for (let agent = 0; agent < floor.size; agent++) {
      if (floor.breakMs[agent] === 0 || floor.state[agent] !== IDLE || !this.#mayLeave()) continue
      floor.become(agent, ON_BREAK, this.#nowMs)
      this.#agentDueIn(agent, floor.breakMs[agent]!)
      floor.breakMs[agent] = 0
      this.#breakRequests--
    }
  }

  #mayLeave(): boolean {
    return this.campaigns.every((campaign, index) => {
      if (!campaign.policy.isStrict) return true
      return mayAgentLeave(ledgerOver(campaign, this.#look(index).live))
    })
  }

  /** Lets every policy decide whose turn it is; the policy that placed last comes last. */
  #decide(happened: boolean): void {
    const count = this.campaigns.length
    const first = this.#turn
    for (let turn = 0; turn < count; turn++) {
      const index = (first + turn) % count
      const campaign = this.campaigns[index]!
      const { everyMs, decidesOnEvents } = campaign.policy
      const isTick = this.#nowMs % everyMs === 0
      if (happened || isTick) campaign.nextTickMs = (Math.floor(this.#nowMs / everyMs) + 1) * everyMs
      if (!isTick && !(happened && decidesOnEvents)) continue
      if (this.#ask(campaign, index) > 0) this.#turn = (index + 1) % count
    }
  }

  #ask(campaign: CampaignDay, index: number): number {
    const { policy } = campaign
    this.decisions++
    let view = this.#look(index)
    const surplus = policy.withdraw?.(view) ?? 0
    if (surplus > 0) {
      this.#withdraw(campaign, surplus)
      view = this.#look(index)
    }
    const wanted = policy.decide(view)
    if (!Number.isInteger(wanted) || wanted < 0) throw new RangeError(`${policy.name} wants ${wanted} lines`)
    const { inFlight, waiting } = view.live
    const agentRoom = Math.floor(view.linesPerAgentMax * view.agents) - inFlight - waiting
    const lines = Math.max(0, Math.min(wanted, view.linesFree, agentRoom))
    for (let line = 0; line < lines; line++) this.#dial(campaign)
    if (view.agents > 0) this.linesPerAgentMax = Math.max(this.linesPerAgentMax, (inFlight + lines) / view.agents)
    if (wanted === 0 && surplus === 0 && policy.standsUntilEvent?.()) campaign.nextTickMs = Number.POSITIVE_INFINITY
    return lines
  }

  #look(index: number): View {
    const view = this.#views[index]!
    view.refresh(this.#nowMs, this.#beginAtMs, this.#scenario.dayMs)
    let out = this.floor.counts[TALKING]!
    for (const { lines } of this.campaigns) out += lines.inFlight.size + lines.waiting.length
    view.linesFree = this.#isBusy > 0 ? 0 : Math.max(0, this.#scenario.trunkLines - out)
    return view
  }

  #dial(campaign: CampaignDay): void {
    const { lines, counts } = campaign
    const now = this.#nowMs
    counts.dials++
    if (this.#isRefused > 0) {
      const slot = lines.open(-1, now)
      lines.next[slot] = FAILS
      return this.#expect(campaign, slot, now + REFUSED_AFTER_MS, LINE)
    }
    const dial = campaign.takeDial()
    const { ageMs, isPerson, isPickedUp } = campaign.fateOf(dial, now)
    this.#onDial?.(campaign.index, dial, isPerson, ageMs)
    const slot = lines.open(dial, now)
    lines.isPerson[slot] = isPerson ? 1 : 0
    lines.next[slot] = isPickedUp ? ANSWERS : FAILS
    this.#expect(campaign, slot, now + ageMs, LINE)
  }

  #withdraw(campaign: CampaignDay, count: number): void {
    const { lines, counts, scenario } = campaign
    for (const slot of linesToWithdraw(lines, count, this.#nowMs, scenario.postDialMs)) {
      counts.withdrawn++
      if (isShortRing(this.#nowMs - lines.dialedAtMs[slot]!, scenario.postDialMs)) counts.ringsCut++
      lines.end(slot)
    }
  }

  #expect(campaign: CampaignDay, slot: number, atMs: number, kind: number): void {
    campaign.lines.dueKey[slot] = this.#heap.push(atMs, kind * KIND + campaign.index * CAMPAIGN + slot)
  }

  #agentDueIn(agent: number, inMs: number): void {
    this.floor.dueKey[agent] = this.#heap.push(this.#nowMs + inMs, AGENT * KIND + agent)
  }

  /** Checks the simulator's invariants, and the promise of strict policies, after each instant. */
  #check(): void {
    const idle = this.floor.counts[IDLE]!
    for (const [index, campaign] of this.campaigns.entries()) {
      if (idle > 0 && campaign.lines.waiting.length > 0) throw new Error('somebody waits while an agent is idle')
      if (campaign.policy.isStrict && this.campaigns.length === 1) this.#checkLedger(campaign, index)
    }
    if (++this.#instants % CHECK_EVERY === 0) for (const campaign of this.campaigns) campaign.assertConserved()
  }

  /** An agent whose timed wrap-up ends within the wait counts as idle: the wrap-up cannot be extended. */
  #checkLedger(campaign: CampaignDay, index: number): void {
    const ledger = ledgerOver(campaign, this.#look(index).live)
    if (isWithin(ledger)) {
      campaign.isExcused = false
      return
    }
    if (campaign.isExcused) return
    const soon = this.floor.wrappedUpBy(this.#nowMs + waitMsOf(campaign.scenario.loss))
    const live = { ...ledger.live, idleAgents: ledger.live.idleAgents + soon }
    if (soon === 0 || !isWithin({ ...ledger, live })) {
      throw new Error(`${campaign.policy.name} broke its ledger at ${this.#nowMs} ms: ${JSON.stringify(ledger)}`)
    }
  }

  #close(): void {
    this.floor.close(this.#nowMs)
    for (const campaign of this.campaigns) {
      campaign.assertConserved()
      campaign.counts.leftWaiting = campaign.lines.waiting.length
      campaign.count(-campaign.lines.waiting.length, 0, this.#nowMs)
    }
  }
}
