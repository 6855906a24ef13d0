/** The people of a campaign-day: debtors who are called or call in, and agents who act at their screens. */
import type { AgentName, CallId, PhoneNumber } from '../../src/kernel/ids.ts'
import { type Random, randomInt, randomOf } from '../../src/kernel/random.ts'
import type { AgentNotification, AgentOrder, AgentState } from '../../src/ports/agent-desktop.ts'
import type { Caller, Contact } from '../../src/sim/person.ts'
import type { SimCaller } from '../../src/sim/sim-caller.ts'
import type { AgentPlan, CampaignPlan, DayPlan, Temper } from './campaign-plan.ts'
import type { DialWatch } from './campaign-watch.ts'
import { type CampaignWorld, STAYS } from './campaign-world.ts'

/** Draws the person who answers the next INVITE. Every person hangs up eventually. */
export function drawContact(random: Random, { answers, machines, talkMaxMs, ringMaxMs, hasty }: Temper): Contact {
  const ringsAfterMs = randomInt(random, 200, 2_000)
  const afterMs = ringsAfterMs + randomInt(random, 500, ringMaxMs)
  const [does, isMachine, isHasty] = [random.next() < answers, random.next() < machines, random.next() < hasty]
  const hangsUpAfterMs = isHasty ? randomInt(random, 0, 2_500) : randomInt(random, 3_000, talkMaxMs)
  const other = randomOf<Contact>(random, [
    { does: 'ignore', ringsAfterMs, afterMs: 0 },
    { does: 'ignore', ringsAfterMs, afterMs: 0 },
    { does: 'busy', afterMs: 800 },
    { does: 'reject', ringsAfterMs, afterMs },
    { does: 'fail', code: randomOf(random, [404, 403, 480, 500, 503]), afterMs: 300 },
  ])
  if (!does) return other
  const voice = isMachine ? 'machine' : 'person'
  return { does: 'answer', ringsAfterMs, afterMs, hangsUpAfterMs: isMachine ? 25_000 : hangsUpAfterMs, voice }
}

/** A person on a spoilt list: the number is unassigned, or rejects the caller id (F-F7). */
export function drawSpoilt(random: Random): Contact {
  const afterMs = randomInt(random, 1_000, 3_000)
  return randomOf<Contact>(random, [
    { does: 'fail', code: 404, afterMs: 300 },
    { does: 'fail', code: 404, afterMs: 300 },
    { does: 'reject', ringsAfterMs: 500, afterMs },
    { does: 'answer', ringsAfterMs: 500, afterMs, hangsUpAfterMs: randomInt(random, 0, 500) },
  ])
}

/** An inbound caller: types little, waits for an agent, and hangs up. */
export function drawCaller(random: Random): Caller {
  return {
    presses: random.next() < 0.5 ? [] : [{ afterMs: 3_000, keys: randomOf(random, ['0', '4711#', '#']) }],
    hangsUpAfterMs: randomInt(random, 1_000, 150_000),
    waitsMaxMs: 180_000,
  }
}

/** An inbound caller. */
export interface Called {
  readonly caller: PhoneNumber
  readonly person: SimCaller
}

/** What an agent did that explains what happened to a call. */
export interface AgentAction {
  readonly atMs: number
  readonly agent: string
  readonly what: 'hangUp' | 'machine' | 'losesPhone' | 'losesScreen' | 'logOut' | 'pause' | 'endsWrapUp'
}

/** What an agent said of a call, and the engine took it: nothing of it may be lost. */
export interface TakenWord {
  readonly atMs: number
  readonly agent: string
  readonly what: 'feedback' | 'callback' | 'machine'
  readonly call: CallId
}

const LOOKS_MS = [15_000, 60_000] as const

/** An agent's phone that was lost: without power, or up and without a packet. */
export interface LostPhone {
  readonly agent: string
  readonly what: 'vanishes' | 'isMute'
  readonly fromMs: number
  untilMs: number
}

/** The shorter ones are over before the switch notices. */
const LOST_FOR_MS = [300, 900, 1_500, 5_000, 20_000, 90_000] as const
/** Whose phone is lost around an answer: of the agent who waits for it, or of one who talks. */
const AROUND_ANSWER = [
  { state: 'ready', offsetMs: [-3_000, 300] },
  { state: 'talking', offsetMs: [300, 6_000] },
] as const

/** Phones of agents that are lost, and come back. */
export class LostPhones {
  readonly all: LostPhone[] = []
  readonly #world: CampaignWorld
  readonly #random: Random
  readonly #plan: DayPlan
  #isOver = false

  constructor(world: CampaignWorld, random: Random, plan: DayPlan) {
    this.#world = world
    this.#random = random
    this.#plan = plan
  }

  /** At random times. */
  begin(): void {
    const { lengthMs, lostPhones } = this.#plan
    for (let left = lostPhones.times; left > 0; left--) {
      const { state } = randomOf(this.#random, AROUND_ANSWER)
      this.#loseAfter(randomInt(this.#random, 0, lengthMs), state)
    }
  }

  /** Perhaps one is lost when this contact answers. */
  dialed({ does, afterMs }: Contact): void {
    if (does !== 'answer' || this.#random.next() >= this.#plan.lostPhones.atAnswers) return
    const { state, offsetMs } = randomOf(this.#random, AROUND_ANSWER)
    this.#loseAfter(Math.max(0, afterMs + randomInt(this.#random, offsetMs[0], offsetMs[1])), state)
  }

  /** Every phone works again. */
  heal(): void {
    this.#isOver = true
    const nowMs = this.#world.clock.nowMs()
    for (const lost of this.all) {
      if (lost.untilMs > nowMs) this.#returns(lost)
    }
  }

  #loseAfter(ms: number, state: AgentState): void {
    const { clock } = this.#world
    clock.schedule(clock.nowMs() + ms, () => this.#lose(state))
  }

  #lose(state: AgentState): void {
    const { clock, pbx } = this.#world
    const agent = this.#somebody(state)
    const nowMs = clock.nowMs()
    if (this.#isOver || this.all.some((lost) => lost.agent === agent && lost.untilMs >= nowMs)) return
    const what = randomOf(this.#random, ['vanishes', 'isMute'] as const)
    const lost = { agent, what, fromMs: nowMs, untilMs: nowMs + randomOf(this.#random, LOST_FOR_MS) }
    this.all.push(lost)
    const phone = pbx.agentPhone(agent as AgentName, STAYS)
    if (what === 'vanishes') phone.vanish()
    else phone.mute()
    clock.schedule(lost.untilMs, () => this.#isOver || this.#returns(lost))
  }

  #returns(lost: LostPhone): void {
    lost.untilMs = this.#world.clock.nowMs()
    this.#world.pbx.agentPhone(lost.agent as AgentName, STAYS).returns()
  }

  /** Most often whoever is in this state for longest: of those who are ready, the one who gets the next call. */
  #somebody(state: AgentState): string {
    const { engine, isAlive } = this.#world
    const statuses = isAlive ? (engine.agentDesktop?.statuses() ?? []) : []
    const [next] = statuses.filter((one) => one.state === state).sort((a, b) => a.sinceAtMs - b.sinceAtMs)
    return next && this.#random.next() < 0.8 ? next.agent : randomOf(this.#random, this.#plan.agents).name
  }
}

/** One agent at work, who checks the screen at intervals and responds to it. */
export class AgentAtWork {
  readonly #world: CampaignWorld
  readonly #random: Random
  readonly #plan: AgentPlan
  readonly #campaigns: readonly CampaignPlan[]
  readonly #deeds: AgentAction[]
  readonly #said: (word: TakenWord) => void
  readonly #watch: DialWatch
  #detach: (() => void) | undefined
  #isAtWork = true
  /** Once the day is over they stay, and do their work. */
  isDutiful = false

  constructor(
    world: CampaignWorld,
    random: Random,
    plan: AgentPlan,
    day: DayPlan,
    deeds: AgentAction[],
    watch: DialWatch,
    said: (word: TakenWord) => void,
  ) {
    this.#world = world
    this.#random = random
    this.#plan = plan
    this.#campaigns = day.campaigns.filter(({ team }) => (day.teams[team] as readonly string[]).includes(plan.name))
    this.#deeds = deeds
    this.#said = said
    this.#watch = watch
  }

  /** Comes to work. */
  begin(): void {
    this.#after(this.#plan.arrivesAfterMs, () => this.#lookAround())
  }

  /** The engine is another one: the screen connects again. */
  reconnect(): void {
    this.#detach = undefined
    this.#after(randomInt(this.#random, 500, 5_000), () => this.#attach())
  }

  get #agent(): AgentName {
    return this.#plan.name as AgentName
  }

  #attach(): void {
    const { engine, isAlive } = this.#world
    if (this.#detach || !isAlive) return
    this.#detach = engine.agentDesktop?.attach(this.#agent, (notification) => this.#hear(notification))
  }

  #order(order: AgentOrder): void {
    const { engine, isAlive } = this.#world
    if (isAlive) void engine.agentDesktop?.order(this.#agent, order)
  }

  #say(order: Extract<AgentOrder, { type: TakenWord['what'] }> & { readonly call: CallId }): void {
    const { engine, isAlive, clock } = this.#world
    if (!isAlive) return
    const word = { atMs: clock.nowMs(), agent: this.#plan.name, what: order.type, call: order.call }
    void engine.agentDesktop?.order(this.#agent, order).then(({ ok }) => {
      // What a dead engine would have answered, nobody has heard.
      if (ok && this.#world.engine === engine && this.#world.isAlive) this.#said(word)
    })
  }

  #did(what: AgentAction['what']): void {
    this.#deeds.push({ atMs: this.#world.clock.nowMs(), agent: this.#plan.name, what })
  }

  #lookAround(): void {
    this.#after(randomInt(this.#random, ...LOOKS_MS), () => this.#lookAround())
    if (!this.#world.isAlive) return
    const chance = this.#random.next()
    const { pauses, logsOut, losesPhone, losesScreen } = this.#plan
    if (this.isDutiful || !this.#isAtWork) {
      this.#isAtWork ||= this.isDutiful || chance < 0.2
      if (this.#isAtWork) this.#work()
      return
    }
    if (chance < pauses) this.#leave({ type: 'pause', reason: 'coffee' }, 'pause')
    else if (chance < pauses + logsOut) this.#leave({ type: 'logOut' }, 'logOut')
    else if (chance < pauses + logsOut + losesPhone) this.#losePhone()
    else if (chance < pauses + logsOut + losesPhone + losesScreen) this.#loseScreen()
    else this.#work()
  }

  #leave(order: AgentOrder, what: 'pause' | 'logOut'): void {
    this.#isAtWork = false
    this.#did(what)
    const dependent = this.#watch.linesOn(this.#agent)
    this.#order(order)
    if (dependent !== undefined) this.#watch.hasNotLeft(this.#agent, dependent)
  }

  #losePhone(): void {
    const phone = this.#world.pbx.agentPhone(this.#agent, STAYS)
    this.#did('losesPhone')
    phone.hangUp()
  }

  #loseScreen(): void {
    this.#did('losesScreen')
    this.#detach?.()
    this.#detach = undefined
    this.#after(randomOf(this.#random, [2_000, 30_000]), () => this.#attach())
  }

  /** Is where an agent at work should be, and does what an agent does. */
  #work(): void {
    this.#attach()
    const state = this.#world.engine.agentDesktop?.statuses().find(({ agent }) => agent === this.#agent)?.state
    if (state === undefined) this.#order({ type: 'logIn' })
    else if (state === 'paused') this.#order({ type: 'ready' })
    else if (state === 'ready') this.#dialByHand()
    else if (state === 'wrapUp' && this.#hasWrapUpByHand) {
      this.#did('endsWrapUp')
      this.#order({ type: 'endWrapUp' })
    }
  }

  get #hasWrapUpByHand(): boolean {
    return this.#campaigns.some(({ settings }) => settings['wrapUpMode'] === 'byHand')
  }

  #dialByHand(): void {
    const manual = this.#campaigns.filter(({ mode }) => mode === 'manual').map(({ id }) => id)
    if (manual.length === 0) return
    const due = [...this.#world.dialerRepository.view.tasks.values()].filter(
      ({ campaign, nextCallAtMs }) =>
        manual.includes(campaign) && nextCallAtMs !== undefined && nextCallAtMs <= this.#world.clock.nowMs(),
    )
    if (due.length > 0) this.#order({ type: 'dial', task: randomOf(this.#random, due).id })
  }

  #hear(notification: AgentNotification): void {
    if (notification.type === 'preview') this.#answerPreview()
    if (notification.type === 'call' && notification.call.direction === 'out') this.#talk(notification.call.call)
  }

  #answerPreview(): void {
    const chance = this.#random.next()
    if (chance > 0.95 && !this.isDutiful) return
    const skips = chance < this.#plan.skips
    const afterMs = randomInt(this.#random, 1_000, this.#plan.isSlow ? 40_000 : 10_000)
    this.#after(afterMs, () => this.#order({ type: skips ? 'skip' : 'dial' }))
  }

  #talk(call: CallId): void {
    const { hangsUp, marksMachine, givesFeedback, givesCallback } = this.#plan
    const soon = () => randomInt(this.#random, 500, 20_000)
    const nowMs = this.#world.clock.nowMs()
    const may = (chance: number) => this.#random.next() < chance
    if (may(0.5)) this.#after(1_000, () => this.#order({ type: 'recordingConsent', call }))
    if (may(givesFeedback)) {
      this.#after(soon(), () => this.#say({ type: 'feedback', call, feedbackType: 'talked', isFinal: false }))
    }
    if (may(givesCallback)) {
      const atMs = nowMs + randomOf(this.#random, [2, 10, 40]) * 60_000
      const askedByContact = may(0.5)
      this.#after(soon(), () => this.#say({ type: 'callback', call, atMs, askedByContact }))
    }
    if (may(marksMachine)) {
      this.#after(soon(), () => {
        this.#did('machine')
        this.#say({ type: 'machine', call })
      })
    }
    if (may(hangsUp)) {
      this.#after(soon(), () => {
        this.#did('hangUp')
        this.#order({ type: 'hangUp', call })
      })
    }
  }

  #after(ms: number, act: () => void): void {
    const { clock } = this.#world
    clock.schedule(clock.nowMs() + ms, act)
  }
}
