/** An agent of a week: is at the screen, talks, and says things about calls, sometimes when the next call is up. */
import type { AgentName, CallId } from '../../src/kernel/ids.ts'
import { type Random, randomInt, randomOf } from '../../src/kernel/random.ts'
import type { AgentNotification, AgentOrder, AgentState } from '../../src/ports/agent-desktop.ts'
import type { SimContact } from '../../src/sim/sim-contact.ts'
import type { CampaignWorld } from '../worlds/campaign-world.ts'
import type { WeekLog, Word } from './week-log.ts'
import type { Manners } from './week-plan.ts'

const LOOKS_MS = [8_000, 30_000] as const
const PAUSE_MS = [20_000, 120_000] as const
/** From the end of a call to a word about it. */
const LATE_MS = [500, 6_000] as const
/** A word that names its call may come when others have come up. */
const NAMED_LATER_MS = 25_000

export class WeekAgent {
  readonly name: string
  readonly #world: CampaignWorld
  readonly #random: Random
  readonly #manners: Manners
  readonly #log: WeekLog
  #detach: (() => void) | undefined
  #isAtWork = false
  #shift = 0
  #pausedUntilMs = 0
  #state: AgentState = 'loggedOut'
  #notes = 0
  /** The call that the screen shows. */
  #callee: SimContact | undefined
  /** What the screen calls it. */
  #call: CallId | undefined

  constructor(world: CampaignWorld, random: Random, name: string, manners: Manners, log: WeekLog) {
    this.name = name
    this.#world = world
    this.#random = random
    this.#manners = manners
    this.#log = log
  }

  /** Comes to work. */
  begin(): void {
    this.#isAtWork = true
    const shift = ++this.#shift
    this.#after(randomInt(this.#random, 0, 20_000), () => this.#lookAround(shift))
  }

  /** Goes home. */
  leave(): void {
    this.#isAtWork = false
    void this.#order({ type: 'logOut' })
  }

  /** The engine is another one: the screen connects again. */
  reconnect(): void {
    this.#detach = undefined
    this.#callee = undefined
    this.#show('loggedOut')
    this.#after(randomInt(this.#random, 100, 2_000), () => this.#attach())
  }

  #attach(): void {
    const { engine, isAlive } = this.#world
    if (this.#detach || !isAlive) return
    this.#detach = engine.agentDesktop?.attach(this.name as AgentName, (news) => this.#hear(news))
  }

  #order(order: AgentOrder): Promise<{ ok: boolean; why?: string }> {
    const { engine, isAlive } = this.#world
    if (!isAlive) return Promise.resolve({ ok: false, why: 'no engine' })
    return engine.agentDesktop!.order(this.name as AgentName, order)
  }

  #show(state: AgentState): void {
    if (this.#state === state) return
    this.#state = state
    this.#log.statuses.push({ atMs: this.#nowMs, agent: this.name, state })
  }

  #lookAround(shift: number): void {
    if (shift !== this.#shift || !this.#isAtWork) return
    this.#after(randomInt(this.#random, ...LOOKS_MS), () => this.#lookAround(shift))
    if (!this.#world.isAlive) return
    this.#attach()
    const state = this.#world.engine.agentDesktop?.statuses().find(({ agent }) => agent === this.name)?.state
    this.#show(state ?? 'loggedOut')
    if (state === undefined || state === 'loggedOut') void this.#order({ type: 'logIn' })
    else if (state === 'paused' && this.#nowMs >= this.#pausedUntilMs) void this.#order({ type: 'ready' })
    else if (state === 'wrapUp') void this.#order({ type: 'endWrapUp' })
    else if (state === 'ready' && this.#random.next() < this.#manners.pauses) this.#pause()
    else if (state === 'ready') this.#dialByHand()
  }

  #pause(): void {
    this.#pausedUntilMs = this.#nowMs + randomInt(this.#random, ...PAUSE_MS)
    void this.#order({ type: 'pause', reason: 'coffee' })
  }

  /** What the list of a manual campaign shows as due. */
  #dialByHand(): void {
    const { campaigns, tasks } = this.#world.dialerRepository.view
    const manual = [...campaigns.values()].filter(({ settings }) => settings['dialMode'] === 'manual')
    if (manual.length === 0) return
    const mine = new Set(manual.filter(({ team }) => this.#isIn(team ?? '')).map(({ id }) => id))
    const due = [...tasks.values()].filter(
      ({ campaign, nextCallAtMs = Number.POSITIVE_INFINITY }) => mine.has(campaign) && nextCallAtMs <= this.#nowMs,
    )
    if (due.length > 0) void this.#order({ type: 'dial', task: randomOf(this.#random, due).id })
  }

  #isIn(team: string): boolean {
    return this.#log.teams.at(-1)?.teams[team]?.includes(this.name) === true
  }

  #hear(news: AgentNotification): void {
    if (news.type === 'status') this.#show(news.status.state)
    if (news.type === 'preview') this.#answerPreview()
    if (news.type === 'call' && news.call.direction === 'out') this.#talk(news.call.number, news.call.call)
    if (news.type === 'callEnded') this.#endTalk()
  }

  #answerPreview(): void {
    const skips = this.#random.next() < this.#manners.skips
    this.#after(randomInt(this.#random, 1_000, 8_000), () => void this.#order({ type: skips ? 'skip' : 'dial' }))
  }

  /** Who is there is heard: nobody marks a person as a machine. */
  #talk(number: string, call: CallId): void {
    const callee = this.#world.pbx.carrier.calls.findLast(
      ({ invite, endedAtMs }) => invite.number === number && endedAtMs === undefined,
    )
    this.#callee = callee
    this.#call = call
    if (!callee) return
    const { callbacks, feedback, hangsUp } = this.#manners
    const may = (chance: number) => this.#random.next() < chance
    const soon = () => randomInt(this.#random, 500, 12_000)
    const isUp = () => this.#callee === callee && callee.endedAtMs === undefined
    if (callee.voice === 'machine') {
      if (may(0.6)) this.#after(randomInt(this.#random, 1_500, 4_000), () => isUp() && this.#hangUp())
      return
    }
    if (may(feedback)) this.#after(soon(), () => isUp() && this.#say('feedback', callee))
    if (may(callbacks)) this.#after(soon(), () => isUp() && this.#say('callback', callee))
    if (may(hangsUp)) this.#after(soon(), () => isUp() && this.#hangUp())
  }

  #hangUp(): void {
    void this.#order({ type: 'hangUp' })
  }

  #endTalk(): void {
    const callee = this.#callee
    this.#callee = undefined
    if (!callee || callee.answeredAtMs === undefined) return
    const [isLate, isSaid] = [this.#random.next() < this.#manners.lateWords, this.#random.next() < 0.9]
    const word = callee.voice === 'machine' ? 'machine' : randomOf(this.#random, ['callback', 'feedback'] as const)
    if (!isLate && callee.voice !== 'machine') return
    const afterMs = randomInt(this.#random, ...LATE_MS)
    // Every other one names its call: no chance is drawn, which would move all others.
    const named = this.#notes % 2 === 0 ? this.#call : undefined
    const laterMs = named === undefined ? 0 : NAMED_LATER_MS
    if (isSaid) this.#after(afterMs + laterMs, () => this.#say(word, callee, named))
  }

  /** Without a name it is about the present call, once that has been up for some seconds (campaigns-54). */
  #say(what: Word['what'], meant: SimContact, call?: CallId): void {
    const about = call === undefined ? (this.#callee ?? meant) : meant
    const note = `${this.name}-${++this.#notes}`
    const dueAtMs = this.#nowMs + randomOf(this.#random, [2, 10, 60, 24 * 60]) * 60_000
    const isAskedFor = this.#random.next() < 0.7
    const named = call === undefined ? {} : { call }
    const order = {
      machine: { type: 'machine' },
      feedback: { type: 'feedback', feedbackType: 'talked', isFinal: false, note },
      callback: { type: 'callback', atMs: dueAtMs, askedByContact: isAskedFor },
    }[what] as AgentOrder
    const answer = this.#order({ ...order, ...named })
    const dated = what === 'callback' ? { dueAtMs, isAskedFor } : {}
    const word: Word = { atMs: this.#nowMs, agent: this.name, what, about, note, ...dated, answer, isAccepted: false }
    this.#log.words.push(word)
    answer.then(
      ({ ok }) => {
        word.isAccepted = ok
      },
      () => {},
    )
  }

  get #nowMs(): number {
    return this.#world.clock.nowMs()
  }

  #after(ms: number, act: () => void): void {
    this.#world.clock.schedule(this.#nowMs + ms, act)
  }
}
