/**
 * A shift among bad luck, on virtual time: the production engine, a simulated switch and database, agents at their
 * pages, callees and callers. Misfortunes strike for a while; then everything works, and nobody but the agents helps.
 */
import { FlowRegistry } from '../../../src/engine/flow-registry.ts'
import type { AgentName, PhoneNumber } from '../../../src/kernel/ids.ts'
import { type Random, randomInt, randomOf, seededRandom } from '../../../src/kernel/random.ts'
import type { AgentOrder } from '../../../src/ports/agent-desktop.ts'
import type { Contact } from '../../../src/sim/person.ts'
import type { SimCaller } from '../../../src/sim/sim-caller.ts'
import { CampaignWorld, INBOUND } from '../../worlds/campaign-world.ts'
import { flowOf } from '../../worlds/set-up.ts'
import { atRestFaults, lastingFaults } from './bad-luck-faults.ts'
import { AgentPage } from './bad-luck-page.ts'

const flowTo = (whisper: string) => `
flow: debtor-self-service
start: team
steps:
  team:
    queue: { team: experts, timeout: 30m${whisper} }
    mark: reached-a-person
    next: goodbye
    on: { full: goodbye, closed: goodbye, timeout: goodbye }
  goodbye: { hangup: { say: Goodbye. } }
`
const FLOWS = [flowOf(flowTo('')), flowOf(flowTo(', whisper: ["Case"]'))]
const AGENTS = ['anna', 'ben', 'carl', 'dora'] as const
const OUTSIDE = ['+4526900001', '+4526900001', '+4526900002', '+4526900003', '+4526900004'] as const
const TASKS = 12
/** Misfortunes strike so long at least. */
const SHIFT_MS = 60_000
/** The longest one takes so long. */
const LASTS_MAX_MS = 20_000
/** When agents look at their pages again. */
const LOOKS_MS = [25_000, 50_000, 80_000] as const
/** Longer than every wait of a session in a row: three hang-ups in vain, and the last call to a phone. */
const HEALED_MS = 125_000
const SECOND_LOOK_MS = 20_000
/** Goodbyes, wrap-ups, records. */
const REST_MS = 45_000

export class BadLuckShift {
  readonly world: CampaignWorld
  readonly pages: readonly AgentPage[]
  readonly callers: SimCaller[] = []
  readonly did: string[] = []
  readonly #random: Random
  readonly #people: Random
  #startAgainAtMs = 0
  #isHealed = false
  #isServed = false
  #refuses = 0
  readonly #refusesMax: number
  #loses = 0
  #doubles = 0
  /** Whether something was wrong when the last misfortune had struck. */
  wasUnwell = false

  constructor(seed: number) {
    const random = seededRandom(seed)
    this.#random = random
    this.#people = seededRandom(seed + 1_000_000)
    const flow = FLOWS[seed % 2]!
    this.#refusesMax = [0.1, 0.3, 0.7][seed % 3]!
    const browsers = new Set(AGENTS.filter(() => random.next() < 0.5))
    this.world = new CampaignWorld({
      seed,
      teams: { collections: ['anna', 'ben', 'carl'], experts: ['carl', 'dora'] },
      logLevel: 'error',
      phoneGraceMs: (agent) => (browsers.has(agent as (typeof AGENTS)[number]) ? 15_000 : undefined),
      contactOf: (number) => this.#contact(number),
      transferCountries: ['DK'],
      pbx: {
        latencyMs: [1, randomOf(random, [5, 5, 60, 400])],
        loseEvents: () => this.#loses,
        doubleEvents: () => this.#doubles,
        refusesToJoin: () => this.#refuses > 0 && this.#people.next() < this.#refuses,
      },
      parts: () => ({ flows: new FlowRegistry([flow]) }),
    })
    const changed = (page: AgentPage) => this.#noticed(page)
    const isServed = () => this.#isServed
    const said = (line: string) => this.#note(line)
    this.pages = AGENTS.map(
      (agent) => new AgentPage(this.world, agent, browsers.has(agent), { isServed, changed, said }),
    )
  }

  /** Everything that is wrong at the end. */
  async live(): Promise<string[]> {
    const { world } = this
    const isByHand = this.#random.next() < 0.3
    await world.campaign(isByHand ? { wrapUpMode: 'byHand', wrapUpSeconds: undefined } : {})
    await world.import(TASKS)
    await this.#start()
    for (const page of this.pages) page.begin(randomInt(this.#random, 0, 4_000))
    const lengthMs = SHIFT_MS + randomInt(this.#random, 0, SHIFT_MS)
    this.#schedule(lengthMs)
    await this.#runFor(lengthMs)
    const atMs = world.clock.nowMs()
    this.#heal()
    for (const ms of LOOKS_MS) this.#after(ms, () => this.#settleAll())
    await this.#runFor(LASTS_MAX_MS)
    this.wasUnwell = lastingFaults(this).length > 0
    await this.#runFor(atMs + HEALED_MS - world.clock.nowMs())
    const first = lastingFaults(this)
    await this.#runFor(SECOND_LOOK_MS)
    const lasting = lastingFaults(this).filter((one) => first.includes(one))
    if (lasting.length > 0) return lasting
    for (const party of this.parties()) party.hangUp()
    for (let looks = 0; looks < 3; looks++) {
      await this.#runFor(REST_MS / 3)
      this.#settleAll()
    }
    await this.#runFor(REST_MS / 3)
    return atRestFaults(this)
  }

  /** Callees, callers and people outside who are on the line. */
  parties() {
    const lines = this.world.pbx.carrier.calls.filter((one) => one.answeredAtMs !== undefined && !one.endedBy)
    return [...lines, ...this.callers.filter((one) => one.result === undefined)]
  }

  #contact(number: PhoneNumber): Contact {
    const random = this.#people
    if (number === OUTSIDE[2]) return { does: 'busy', afterMs: 500 }
    if (number === OUTSIDE[3]) return { does: 'ignore', afterMs: 0 }
    const hangsUpAfterMs = randomOf(random, [2_000, 15_000, 40_000, 120_000, 600_000])
    const chance = random.next()
    if (chance < 0.1) return { does: 'ignore', ringsAfterMs: 500, afterMs: 0, answersCancelAfterMs: 200 }
    if (chance < 0.15) return { does: 'busy', afterMs: 500 }
    return { does: 'answer', ringsAfterMs: 500, afterMs: randomInt(random, 600, 5_000), hangsUpAfterMs }
  }

  #schedule(lengthMs: number): void {
    const random = this.#random
    const times = (count: number, act: () => void) => {
      for (let left = count; left > 0; left--) this.#after(randomInt(random, 6_000, lengthMs - 1_000), act)
    }
    times(randomInt(random, 10, 40), () => this.#order(this.#somebody()))
    times(randomInt(random, 1, 6), () => this.#callIn())
    times(randomInt(random, 1, 6), () => this.#strike(this.#somebody()))
    this.#after(5_000, () => this.#weather())
  }

  /** Some shifts have more of one kind of bad luck than others. */
  #weather(): void {
    const random = this.#random
    const rarely = (chance: number) => (random.next() < 0.2 ? chance : 0)
    this.#loses = rarely(0.1)
    this.#doubles = rarely(0.2)
    // At times so often that some are refused to the end.
    this.#refuses = rarely(this.#refusesMax)
    const [before, after, slow] = [rarely(0.1), rarely(0.1), rarely(0.2)]
    this.world.dialerRepository.faults = { before, after, slow, slowMs: [10, 4_000] }
  }

  #somebody(): AgentPage {
    const talking = this.pages.filter(({ state }) => state === 'talking')
    return talking.length > 0 && this.#random.next() < 0.6 ? randomOf(this.#random, talking) : this.#anybody()
  }

  #anybody(): AgentPage {
    return randomOf(this.#random, this.pages)
  }

  /** At the worst of all moments. */
  #noticed(page: AgentPage): void {
    if (this.#isHealed || this.#random.next() > 0.12) return
    const afterMs = randomOf(this.#random, [0, 0, 1, 8, 40, 300, 1_700])
    this.#after(afterMs, () => (this.#random.next() < 0.25 ? this.#strike(page) : this.#order(page)))
  }

  #order(page: AgentPage): void {
    if (this.#isHealed) return
    const random = this.#random
    const order = this.#someOrder()
    page.order(order)
    if (random.next() < 0.15) this.#after(randomOf(random, [0, 2, 30]), () => this.#isHealed || page.order(order))
  }

  #someOrder(): AgentOrder {
    const random = this.#random
    const to =
      random.next() < 0.5
        ? { colleague: randomOf(random, AGENTS) as string as AgentName }
        : { number: randomOf(random, OUTSIDE) as string as PhoneNumber }
    const tasks = [...this.world.dialerRepository.view.tasks.keys()]
    return randomOf<AgentOrder>(random, [
      { type: 'logIn' },
      { type: 'logIn' },
      { type: 'logOut' },
      { type: 'ready' },
      { type: 'ready' },
      { type: 'pause', reason: 'tea' },
      { type: 'renewLeg' },
      { type: 'doubtPhone' },
      { type: 'hangUp' },
      { type: 'endWrapUp' },
      { type: 'hold' },
      { type: 'resume' },
      { type: 'mute' },
      { type: 'unmute' },
      { type: 'consult', to },
      { type: 'consult', to },
      { type: 'transfer', to },
      { type: 'connect' },
      { type: 'join' },
      { type: 'back' },
      { type: 'dial', task: randomOf(random, tasks) },
    ])
  }

  #callIn(): void {
    const random = this.#random
    const hangsUpAfterMs = randomOf(random, [8_000, 30_000, 90_000, 600_000])
    const caller = `+45512345${randomInt(random, 10, 99)}`
    const person = { hangsUpAfterMs, waitsMaxMs: 600_000 }
    this.callers.push(this.world.pbx.callIn({ called: INBOUND, caller, trunk: 'main', person }))
    this.#note(`${caller} calls in`)
  }

  #strike(page: AgentPage): void {
    if (this.#isHealed) return
    const { world } = this
    const random = this.#random
    const forMs = randomInt(random, 0, 1) * randomInt(random, 0, LASTS_MAX_MS) + randomInt(random, 50, 2_000)
    const misfortunes: Readonly<Record<string, () => void>> = {
      vanishes: () => page.losesPhone('vanish', forMs),
      isMute: () => page.losesPhone('mute', forMs),
      ignores: () => page.behaves('ignore', forMs),
      isBusy: () => page.behaves('busy', forMs),
      hangsUpPhone: () => page.phone.hangUp(),
      reloads: () => page.reload(forMs / 4),
      reloadsAgain: () => page.reload(forMs),
      partyEnds: () => randomOf(random, [...this.parties(), undefined])?.hangUp(),
      lineCut: () => world.pbx.cut(forMs),
      switchKilled: () => world.pbx.restart(forMs),
      engineKilled: () => this.#die(forMs),
      engineKilledToo: () => this.#die(randomOf(random, [5, 100])),
      databaseAway: () => this.#goAway(forMs * 3),
    }
    const which = randomOf(random, Object.keys(misfortunes))
    this.#note(`${which} ${page.agent} for ${forMs} ms`)
    misfortunes[which]!()
  }

  #goAway(forMs: number): void {
    const { dialerRepository, clock } = this.world
    dialerRepository.away = [...dialerRepository.away, { fromAtMs: clock.nowMs(), untilAtMs: clock.nowMs() + forMs }]
  }

  #die(forMs: number): void {
    const { clock, isAlive } = this.world
    if (!isAlive || this.#isHealed) return
    this.#startAgainAtMs = clock.nowMs() + forMs
    this.#isServed = false
    void this.world.crash()
    for (const page of this.pages) page.nodeDied()
    // It dies again while it finds out what the first one left, or soon after.
    if (this.#random.next() < 0.3) this.#after(forMs + randomOf(this.#random, [2, 10, 800]), () => this.#die(500))
  }

  /** Everything works again. What was cut or killed is back soon. */
  #heal(): void {
    const { dialerRepository, clock } = this.world
    this.#note('everything works again')
    this.#isHealed = true
    dialerRepository.faults = { ...dialerRepository.faults, before: 0, after: 0, slow: 0 }
    dialerRepository.away = []
    this.#loses = 0
    this.#doubles = 0
    this.#refuses = 0
    for (const page of this.pages) {
      page.heal()
      page.wants = randomOf(this.#random, ['ready', 'ready', 'ready', 'ready', 'paused', 'out'])
    }
    const stop = () => {
      dialerRepository.setKillSwitch(true, 'supervisor', clock.nowMs()).catch(() => this.#after(1_000, stop))
    }
    stop()
  }

  #settleAll(): void {
    for (const page of this.pages) page.settle()
  }

  /** Lets time pass, and starts an engine wherever one has died. */
  async #runFor(ms: number): Promise<void> {
    const { clock } = this.world
    const untilMs = clock.nowMs() + ms
    while (clock.nowMs() < untilMs) {
      const leftMs = untilMs - clock.nowMs()
      if (this.world.isAlive) await clock.runWithPromisesUntil(() => !this.world.isAlive, leftMs)
      else if (this.#startAgainAtMs > clock.nowMs())
        await clock.runWithPromises(Math.min(leftMs, this.#startAgainAtMs - clock.nowMs()))
      else {
        this.#note('an engine starts')
        await this.#start()
      }
    }
  }

  async #start(): Promise<void> {
    await this.world.start()
    this.#isServed = this.world.isAlive
  }

  #note(line: string): void {
    this.did.push(`${this.world.clock.nowMs() % 3_600_000} ${line}`)
  }

  #after(ms: number, act: () => void): void {
    const { clock } = this.world
    clock.schedule(clock.nowMs() + ms, act)
  }
}
