/** Lives through the campaign-day of a seed: what may happen does, then all faults heal, and it comes to rest. */
import type { AgentName, CampaignId } from '../../src/kernel/ids.ts'
import { type Random, randomInt, randomOf, seededRandom } from '../../src/kernel/random.ts'
import type { NewCallTask, Stop } from '../../src/ports/dialer-repository.ts'
import {
  type AgentAction,
  AgentAtWork,
  type Called,
  drawCaller,
  drawContact,
  drawSpoilt,
  LostPhones,
  type TakenWord,
} from './campaign-people.ts'
import { type CampaignPlan, type DayPlan, drawDay } from './campaign-plan.ts'
import { DialWatch } from './campaign-watch.ts'
import { CampaignWorld, CORPORATION, INBOUND, SYSTEM } from './campaign-world.ts'
import { ledgerFaults } from './ledger-truth.ts'

const MINUTE_MS = 60_000
/** After the last fault: due callees are dialed, conversations finish. */
const HEALED_MS = 15 * MINUTE_MS
/** Dialing has stopped: open calls end, and all records are written. */
const REST_MS = 6 * MINUTE_MS

/** How many of the orders that agents give are the last that their engine takes. */
const DIES_AFTER_WORDS = 0.15

/** No divisor of anything: every phase of a call is met. */
const LEDGERS_EVERY_MS = 7_919

/** A time in which something was broken on purpose. */
export interface Trouble {
  readonly what: 'cut' | 'restart' | 'crash' | 'away' | 'trunkDown' | 'skew'
  readonly fromMs: number
  untilMs: number
}

/** A day that was lived. */
export interface Lived {
  readonly plan: DayPlan
  readonly world: CampaignWorld
  readonly watch: DialWatch
  readonly troubles: readonly Trouble[]
  readonly deeds: readonly AgentAction[]
  readonly lostPhones: LostPhones['all']
  readonly words: readonly TakenWord[]
  readonly callers: readonly Called[]
  readonly startedAtMs: number
  /** When the last fault had healed. */
  readonly healedAtMs: number
  /** Calls that were up at each instant at which the engine or the switch died, or could not be heard. */
  readonly inFlightAtTroubles: number
  /** Tasks that were due for long with everything well and agents idle, seen before the rest began. */
  readonly stuck: readonly string[]
}

/** Lives a day through. */
export async function liveDay(seed: number): Promise<Lived> {
  const random = seededRandom(seed)
  const plan = drawDay(seed, random)
  return new Day(plan, random).live()
}

class Day {
  readonly #plan: DayPlan
  readonly #random: Random
  readonly #world: CampaignWorld
  readonly #watch: DialWatch
  readonly #desks: AgentAtWork[]
  readonly #lostPhones: LostPhones
  readonly #dying: Random
  readonly #troubles: Trouble[] = []
  readonly #deeds: AgentAction[] = []
  readonly #words: TakenWord[] = []
  readonly #callers: Called[] = []
  #inFlightAtTroubles = 0
  #startAgainAtMs = 0
  #isHealed = false
  #spoiltFromMs = Number.POSITIVE_INFINITY

  constructor(plan: DayPlan, random: Random) {
    const { weather, seed } = plan
    this.#plan = plan
    this.#random = random
    const people = seededRandom(seed + 1_000_000)
    const spoilt = seededRandom(seed + 3_000_000)
    this.#world = new CampaignWorld({
      seed,
      teams: plan.teams,
      linesMax: plan.linesMax,
      callsPerSecondMax: plan.callsPerSecondMax,
      hasCallEventLog: weather.hasCallEventLog,
      logLevel: 'warn',
      contactOf: (_number, invite) => {
        this.#watch.dialed(invite)
        const contact = this.#isSpoilt && spoilt.next() < 0.9 ? drawSpoilt(spoilt) : drawContact(people, plan.temper)
        this.#lostPhones.dialed(contact)
        return contact
      },
      pbx: {
        latencyMs: [1, weather.latencyMaxMs],
        loseEvents: weather.loseEvents,
        doubleEvents: weather.doubleEvents,
        detection: { errorRate: weather.detectionErrors },
        recordingFails: () => (people.next() < weather.recordingFails ? 'no space on the disk' : undefined),
      },
      records: { newsLost: weather.newsLost, newsEveryMs: 30_000 },
    })
    this.#watch = new DialWatch(this.#world, plan)
    this.#dying = seededRandom(seed + 6_000_000)
    this.#lostPhones = new LostPhones(this.#world, seededRandom(seed + 5_000_000), plan)
    this.#desks = plan.agents.map((agent) => {
      const its = seededRandom(randomInt(random, 1, 2 ** 30))
      return new AgentAtWork(this.#world, its, agent, plan, this.#deeds, this.#watch, (word) => this.#wasSaid(word))
    })
  }

  async live(): Promise<Lived> {
    const { lengthMs } = this.#plan
    const { clock, dialerRepository } = this.#world
    const startedAtMs = clock.nowMs()
    for (const campaign of this.#plan.campaigns) await this.#open(campaign)
    if (this.#plan.spoiltAfterMs !== undefined) this.#spoiltFromMs = startedAtMs + this.#plan.spoiltAfterMs
    const { before, after, slow, slowMs } = this.#plan.weather
    dialerRepository.faults = { before, after, slow, slowMs }
    this.#schedule()
    this.#lostPhones.begin()
    this.#compareLedgers()
    await this.#startEngine()
    for (const distributor of this.#desks) distributor.begin()
    await this.#runUntil(startedAtMs + lengthMs)
    this.#heal()
    if (!this.#world.isAlive) await this.#startEngine()
    const healedAtMs = clock.nowMs()
    await this.#runUntil(healedAtMs + HEALED_MS)
    const stuck = this.#watch.stuck()
    this.#insist(() => dialerRepository.setKillSwitch(true, 'night', clock.nowMs()))
    await this.#runUntil(clock.nowMs() + REST_MS)
    return {
      plan: this.#plan,
      world: this.#world,
      watch: this.#watch,
      troubles: this.#troubles,
      deeds: this.#deeds,
      lostPhones: this.#lostPhones.all,
      words: this.#words,
      callers: this.#callers,
      startedAtMs,
      healedAtMs,
      inFlightAtTroubles: this.#inFlightAtTroubles,
      stuck,
    }
  }

  /** What the engine counts is what the records say, at every instant that nothing is to be written. */
  #compareLedgers(): void {
    this.#watch.faults.push(...ledgerFaults(this.#world))
    this.#after(LEDGERS_EVERY_MS, () => this.#compareLedgers())
  }

  get #isSpoilt(): boolean {
    return !this.#isHealed && this.#world.clock.nowMs() >= this.#spoiltFromMs
  }

  async #open(campaign: CampaignPlan): Promise<void> {
    const { id, settings, team, tasks } = campaign
    await this.#world.campaign(settings, id, team)
    await this.#world.during(
      this.#world.dialerRepository.importCallTasks(this.#importOf(campaign, tasks, `first-${id}`)),
    )
  }

  #importOf({ id, attemptsMax, intervalMs }: CampaignPlan, callTasks: readonly NewCallTask[], importId: string) {
    const { clock } = this.#world
    return {
      importId,
      campaign: id,
      externalSystem: SYSTEM,
      attemptsMax,
      intervalMs,
      callTasks,
      atMs: clock.nowMs(),
      stoppedNumbers: 'drop',
    } as const
  }

  /** Lets the time of the day pass, and starts an engine wherever one has died. */
  async #runUntil(atMs: number): Promise<void> {
    const { clock } = this.#world
    while (clock.nowMs() < atMs) {
      const leftMs = atMs - clock.nowMs()
      if (this.#world.isAlive) await clock.runWithPromisesUntil(() => !this.#world.isAlive, leftMs)
      else if (this.#startAgainAtMs > clock.nowMs()) await clock.runWithPromises(this.#startAgainAtMs - clock.nowMs())
      else await this.#startEngine()
    }
  }

  async #startEngine(): Promise<void> {
    const starting = this.#world.start()
    this.#watch.heeds(this.#world.pbx)
    for (const distributor of this.#desks) distributor.reconnect()
    await starting
    const { clock } = this.#world
    for (const trouble of this.#troubles) {
      if (trouble.what === 'crash' && trouble.untilMs === Number.POSITIVE_INFINITY) trouble.untilMs = clock.nowMs()
    }
  }

  #schedule(): void {
    const { weather, orders } = this.#plan
    this.#times(weather.cuts, () => this.#cut())
    this.#times(weather.restarts, () => this.#restart())
    this.#times(weather.crashes, () => this.#crash())
    this.#times(weather.aways, () => this.#goAway())
    this.#times(weather.skews, () => this.#skew())
    this.#times(weather.trunkDowns, () => this.#trunkDown())
    this.#times(orders.ends, () => this.#endTask())
    this.#times(orders.stops, () => this.#stopSomebody())
    this.#times(orders.campaignPauses, () => this.#pauseCampaign())
    this.#times(orders.killSwitches, () => this.#killSwitch())
    this.#times(orders.callers, () => this.#callIn())
    for (const campaign of this.#plan.campaigns) {
      if (campaign.later.length === 0) continue
      this.#times(1, () => {
        const request = this.#importOf(campaign, campaign.later, `later-${campaign.id}`)
        this.#insist(() => this.#world.dialerRepository.importCallTasks(request))
      })
    }
  }

  #times(count: number, act: () => void): void {
    const { clock } = this.#world
    for (let left = count; left > 0; left--) {
      clock.schedule(clock.nowMs() + randomInt(this.#random, 0, this.#plan.lengthMs - 2 * MINUTE_MS), act)
    }
  }

  #after(ms: number, act: () => void): void {
    const { clock } = this.#world
    clock.schedule(clock.nowMs() + ms, act)
  }

  #trouble(what: Trouble['what'], forMs: number): void {
    const nowMs = this.#world.clock.nowMs()
    this.#troubles.push({ what, fromMs: nowMs, untilMs: nowMs + forMs })
    this.#inFlightAtTroubles += this.#watch.inFlight()
  }

  #cut(): void {
    const forMs = randomOf(this.#random, [50, 1_000, 15_000])
    this.#trouble('cut', forMs)
    this.#world.pbx.cut(forMs)
  }

  #restart(): void {
    const forMs = randomOf(this.#random, [1_000, 15_000, 60_000])
    this.#trouble('restart', forMs)
    this.#world.pbx.restart(forMs)
  }

  #crash(): void {
    const { clock } = this.#world
    const forMs = randomOf(this.#random, [100, 3_000, 30_000, 2 * MINUTE_MS])
    const [again, isAimed] = [this.#random.next() < 0.3, this.#random.next() < 0.5]
    if (isAimed) this.#crashInClaim(clock.nowMs() + MINUTE_MS)
    else this.#die(forMs, again)
  }

  /** At the worst of all instants: a claim is under way, and the next engine is there at once. */
  #crashInClaim(untilMs: number): void {
    const { clock, engine, isAlive } = this.#world
    if (isAlive && engine.dialer?.callPlacer.isClaiming) this.#die(randomOf(this.#random, [5, 50]), false)
    else if (clock.nowMs() < untilMs && !this.#isHealed) this.#after(3, () => this.#crashInClaim(untilMs))
  }

  /** Where engines die at all, some die as soon as an agent's order was taken: the worst instant for its record. */
  #wasSaid(word: TakenWord): void {
    this.#words.push(word)
    if (this.#plan.weather.crashes === 0 || this.#dying.next() >= DIES_AFTER_WORDS) return
    this.#after(randomOf(this.#dying, [0, 1, 30, 1_000]), () => this.#die(3_000, false))
  }

  #die(forMs: number, again: boolean): void {
    const { clock } = this.#world
    if (!this.#world.isAlive || this.#isHealed) return
    this.#trouble('crash', Number.POSITIVE_INFINITY)
    this.#startAgainAtMs = clock.nowMs() + forMs
    void this.#world.crash()
    // It dies again while it finds out what the first one left, or soon after.
    if (again) this.#after(forMs + randomOf(this.#random, [2, 10, 800]), () => this.#crash())
  }

  #goAway(): void {
    const { dialerRepository, clock } = this.#world
    const forMs = randomOf(this.#random, [500, 10_000, 2 * MINUTE_MS])
    this.#trouble('away', forMs)
    dialerRepository.away = [...dialerRepository.away, { fromAtMs: clock.nowMs(), untilAtMs: clock.nowMs() + forMs }]
    const diesToo = seededRandom(this.#plan.seed + 7_000_000 + this.#troubles.length)
    if (this.#plan.weather.crashes === 0 || diesToo.next() >= 0.3) return
    this.#after(randomInt(diesToo, 0, forMs), () => this.#die(3_000, false))
  }

  #skew(): void {
    const { dialerRepository } = this.#world
    const skewMs = randomOf(this.#random, [-30_000, -1_500, 1_500, 30_000])
    const forMs = MINUTE_MS
    this.#trouble('skew', forMs)
    dialerRepository.skewMs = skewMs
    this.#after(forMs, () => {
      dialerRepository.skewMs = 0
    })
  }

  #trunkDown(): void {
    const forMs = 2 * MINUTE_MS
    this.#trouble('trunkDown', forMs)
    const trunk = this.#world.pbx.carrier.trunks.get('main')
    if (!trunk) return
    trunk.isDown = true
    this.#after(forMs, () => {
      trunk.isDown = false
    })
  }

  /** A task that is being dialed, most often. */
  #someTask() {
    const { tasks, attempts } = this.#world.dialerRepository.view
    const open = [...attempts.values()].filter(({ ended }) => !ended).map(({ task }) => tasks.get(task)!)
    const all = [...tasks.values()]
    return open.length > 0 && this.#random.next() < 0.7 ? randomOf(this.#random, open) : randomOf(this.#random, all)
  }

  #endTask(): void {
    const { dialerRepository, clock } = this.#world
    const { id } = this.#someTask()
    const command = { task: id, corporations: [CORPORATION], status: 'endedBySystem', atMs: clock.nowMs() } as const
    this.#insist(() => dialerRepository.endCallTask(command))
  }

  #stopSomebody(): void {
    const { dialerRepository, clock } = this.#world
    const { numbers, externalCustomer } = this.#someTask()
    const isPerson = externalCustomer !== undefined && this.#random.next() < 0.5
    const number = randomOf(this.#random, numbers).number
    const person = { kind: 'person', externalSystem: SYSTEM, externalCustomer: externalCustomer ?? '' } as const
    const stop: Stop = isPerson ? person : { kind: 'number', number }
    this.#insist(() => dialerRepository.addStop(CORPORATION, stop, clock.nowMs()))
  }

  #pauseCampaign(): void {
    const { id } = randomOf(this.#random, this.#plan.campaigns)
    this.#setActive(id, false)
    this.#after(randomOf(this.#random, [5_000, 5 * MINUTE_MS]), () => this.#setActive(id, true))
  }

  #setActive(id: CampaignId, active: boolean): void {
    const { dialerRepository, clock } = this.#world
    const campaign = dialerRepository.view.campaigns.get(id)
    if (!campaign) return
    if (active) this.#watch.activated(id)
    const saved = () => dialerRepository.saveCampaign({ ...campaign, active }, clock.nowMs())
    this.#insist(() => saved().then(() => !active && this.#watch.deactivated(id)))
  }

  #killSwitch(): void {
    const { dialerRepository, clock } = this.#world
    this.#insist(() => dialerRepository.setKillSwitch(true, 'supervisor', clock.nowMs()))
    this.#after(randomOf(this.#random, [20_000, 4 * MINUTE_MS]), () =>
      this.#insist(() => dialerRepository.setKillSwitch(false, 'supervisor', clock.nowMs())),
    )
  }

  #callIn(): void {
    const { numbers } = this.#someTask()
    const caller = randomOf(this.#random, numbers).number
    const person = this.#world.pbx.callIn({ called: INBOUND, caller, person: drawCaller(this.#random) })
    this.#callers.push({ caller, person })
  }

  /** Retries a command to the records until it succeeds. */
  #insist(ask: () => Promise<unknown>): void {
    ask().catch(() => this.#after(1_000, () => this.#insist(ask)))
  }

  /** Everything works again, and everybody does their work. */
  #heal(): void {
    const { dialerRepository, pbx, clock } = this.#world
    this.#isHealed = true
    dialerRepository.faults = { ...dialerRepository.faults, before: 0, after: 0, slow: 0 }
    dialerRepository.away = []
    dialerRepository.skewMs = 0
    for (const trunk of pbx.carrier.trunks.values()) trunk.isDown = false
    this.#lostPhones.heal()
    for (const distributor of this.#desks) distributor.isDutiful = true
    for (const { name } of this.#plan.agents) pbx.agentPhone(name as AgentName, { does: 'answer', afterMs: 300 })
    this.#insist(() => dialerRepository.setKillSwitch(false, 'supervisor', clock.nowMs()))
    for (const { id } of this.#plan.campaigns) this.#setActive(id, true)
  }
}
