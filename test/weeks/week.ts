/** Lives the week of a seed: an engine a day, lists, agents, and operations at any moment. */
import type { EngineDependencies } from '../../src/engine/context.ts'
import { FlowRegistry } from '../../src/engine/flow-registry.ts'
import type { CallTaskId, CampaignId, PhoneNumber, TeamName } from '../../src/kernel/ids.ts'
import { randomInt, seededRandom } from '../../src/kernel/random.ts'
import type { Campaign, StoredCampaign } from '../../src/ports/dialer-repository.ts'
import type { Contact } from '../../src/sim/person.ts'
import { CampaignWorld, DEBT_SYSTEM, INBOUND, SYSTEM } from '../worlds/campaign-world.ts'
import { flowOf, staffOf, type Teams } from '../worlds/set-up.ts'
import { copenhagen } from './places.ts'
import { WeekAgent } from './week-agent.ts'
import { Callees } from './week-callees.ts'
import { withExtras } from './week-extras.ts'
import type { ListPlan } from './week-lists.ts'
import { emptyLog, type WeekLog } from './week-log.ts'
import { operate, type Week } from './week-operations.ts'
import { callerIdOf, drawWeek, type WeekPlan } from './week-plan.ts'
import { trouble } from './week-troubles.ts'

const MINUTE_MS = 60_000
/** The engine is there before the first hour begins, and until the last conversation is over. */
const BEFORE_MS = 30_000
const AFTER_MS = 2.5 * MINUTE_MS

/** A week that was lived. */
export interface LivedWeek {
  readonly plan: WeekPlan
  readonly log: WeekLog
  readonly world: CampaignWorld
}

/** Of each campaign: its own, another that it may change to, and those by destination. */
const CALLER_IDS = [0, 50, 100, 200, 300]

/** One team takes all callers. */
const FLOW = `
flow: debtor-self-service
title: Callers of a week
languages: [en]
start: team
onError: goodbye
prompts: {}
steps:
  team:
    queue: { team: collections, timeout: 10m }
    next: goodbye
    on: { failed: goodbye }
  goodbye:
    hangup: { say: Goodbye. }
`

/** Lives a week through. */
export async function liveWeek(seed: number): Promise<LivedWeek> {
  const random = seededRandom(seed)
  return new LivingWeek(withExtras(drawWeek(seed, random))).live()
}

class LivingWeek implements Week {
  readonly plan: WeekPlan
  readonly log = emptyLog()
  readonly world: CampaignWorld
  readonly random: ReturnType<typeof seededRandom>
  readonly #options: { teams: Teams }
  readonly #agents: readonly WeekAgent[]
  #startAgainAtMs = 0

  constructor(plan: WeekPlan) {
    this.plan = plan
    const { seed, temper, mondayMs, trunks, fromMinute } = plan
    this.random = seededRandom(seed + 1_000_000)
    const callees = new Callees(seed, temper)
    const flows = new FlowRegistry([flowOf(FLOW)])
    const callerIds = plan.campaigns.flatMap((_, place) =>
      CALLER_IDS.map((at) => callerIdOf(place + at) as PhoneNumber),
    )
    const options = {
      seed,
      startAtMs: copenhagen(mondayMs, 0, fromMinute) - 2 * MINUTE_MS,
      teams: plan.teams as Teams,
      witness: true,
      logLevel: 'warn',
      contactOf: (number: PhoneNumber, { trunk }: { trunk: string }): Contact => {
        if (this.#isOut(trunk)) return { does: 'fail', code: 503, afterMs: 150 } as const
        if (this.#isOnOurLine(number)) return { does: 'busy', afterMs: 300 } as const
        return callees.answer(number)
      },
      parts: (usual: EngineDependencies) => {
        // Boards cost as much as all the rest of a week.
        const { onBoard: _, ...dialer } = usual.dialer!
        const carriers = () => trunks.map((trunk) => ({ ...trunk, callerIds }))
        return { flows, dialer: { ...dialer, trunks: carriers, externalSystem: () => DEBT_SYSTEM } }
      },
    }
    this.#options = options
    this.world = new CampaignWorld(options)
    for (const { name } of trunks) (this.world.pbx.carrier.trunks as Map<string, object>).set(name, {})
    this.#agents = plan.agents.map((name) => {
      return new WeekAgent(this.world, seededRandom(randomInt(this.random, 1, 2 ** 30)), name, plan.manners, this.log)
    })
  }

  async live(): Promise<LivedWeek> {
    const { plan, log, world } = this
    const { clock } = world
    log.teams.push({ atMs: clock.nowMs(), teams: plan.teams })
    for (const { id, corporation, team, settings } of plan.campaigns) {
      await world.during(this.saveCampaign({ id, corporation, team: team as TeamName, settings }))
    }
    for (const list of plan.lists) {
      if (list.atMs === 0) await world.during(this.#import(list))
      else clock.schedule(list.atMs, () => void this.#import(list))
    }
    for (const { atMs, what } of plan.operations) clock.schedule(atMs, () => operate(this, what))
    for (const one of plan.troubles) clock.schedule(one.atMs, () => trouble(this, one))
    for (let day = 0; day < plan.days; day++) if (this.#isWorkday(day)) await this.#liveDay(day)
    if (world.isAlive) await this.#stop()
    return { plan, log, world }
  }

  saveCampaign(change: { id: CampaignId } & Partial<Campaign>): Promise<void> {
    const { dialerRepository, clock } = this.world
    const stored = dialerRepository.view.campaigns.get(change.id)
    const { activeSinceAtMs: _, pausedReason: __, ...before } = stored ?? ({} as StoredCampaign)
    const usual = { name: `Campaign ${change.id}`, active: true, externalSystem: SYSTEM }
    const campaign = { ...usual, ...before, ...change } as Campaign
    return dialerRepository.saveCampaign(campaign, clock.nowMs()).then(() => {
      this.log.campaigns.push({ atMs: clock.nowMs(), campaign })
    })
  }

  employ(teams: Teams): void {
    const { world, log } = this
    this.#options.teams = teams
    log.teams.push({ atMs: world.clock.nowMs(), teams: teams as Readonly<Record<string, readonly string[]>> })
    const numbers = new Map([[INBOUND, { flow: flowOf(FLOW).name, language: undefined }]])
    if (world.isAlive) world.engine.follow({ numbers, staff: staffOf(teams) })
  }

  crash(forMs: number): void {
    const { world, log } = this
    const life = log.lives.at(-1)
    if (!world.isAlive || !life || life.how !== 'runs') return
    Object.assign(life, { untilMs: world.clock.nowMs(), how: 'crash' })
    this.#startAgainAtMs = world.clock.nowMs() + forMs
    void world.crash()
  }

  /** Somebody may be called, or something happens. */
  #isWorkday(day: number): boolean {
    const { mondayMs, operations, troubles, runsAtNight } = this.plan
    const [fromMs, untilMs] = [copenhagen(mondayMs, day, 0), copenhagen(mondayMs, day + 1, 0)]
    const { campaigns } = this.world.dialerRepository.view
    const isOpen = [...campaigns.values()].some(({ settings }) => {
      return (settings['callWindows'] as { days: number[] }[]).some(({ days }) => days.includes(day + 1))
    })
    return (
      isOpen ||
      (runsAtNight && day === 1) ||
      [...operations, ...troubles].some(({ atMs }) => fromMs <= atMs && atMs < untilMs)
    )
  }

  async #liveDay(day: number): Promise<void> {
    const { plan, world } = this
    const opensAtMs = copenhagen(plan.mondayMs, day, plan.fromMinute)
    const closesAtMs = copenhagen(plan.mondayMs, day, plan.toMinute)
    await this.#runUntil(opensAtMs - BEFORE_MS)
    if (this.log.lives.at(-1)?.how !== 'runs') await this.#start()
    for (const agent of this.#agents) agent.begin()
    await this.#runUntil(closesAtMs + MINUTE_MS)
    for (const agent of this.#agents) agent.leave()
    await this.#runUntil(closesAtMs + AFTER_MS)
    // An engine that died in the evening is started in the morning.
    if (!world.isAlive) this.log.lives.at(-1)!.how = 'stop'
    else if (!plan.runsAtNight || day > 0) await this.#stop()
  }

  async #start(): Promise<void> {
    const { world, log } = this
    const starting = world.start()
    for (const agent of this.#agents) agent.reconnect()
    await starting
    const nowMs = world.clock.nowMs()
    log.lives.push({ fromMs: nowMs, untilMs: Number.POSITIVE_INFINITY, how: 'runs' })
  }

  async #stop(): Promise<void> {
    const { world, log } = this
    await world.during(world.engine.stop())
    await world.crash()
    Object.assign(log.lives.at(-1)!, { untilMs: world.clock.nowMs(), how: 'stop' })
  }

  /** Lets time pass, and starts an engine where one has died. */
  async #runUntil(atMs: number): Promise<void> {
    const { clock } = this.world
    while (clock.nowMs() < atMs) {
      const leftMs = atMs - clock.nowMs()
      const hasDied = () => this.log.lives.at(-1)?.how === 'crash'
      if (!hasDied()) await clock.runWithPromisesUntil(hasDied, leftMs)
      else if (this.#startAgainAtMs > clock.nowMs()) await clock.runWithPromises(this.#startAgainAtMs - clock.nowMs())
      else await this.#start()
    }
  }

  #import({ campaign, attemptsMax, intervalMs, tasks, atMs: plannedAtMs }: ListPlan): Promise<void> {
    const { dialerRepository, clock } = this.world
    const { corporation } = this.plan.campaigns.find(({ id }) => id === campaign)!
    const request = {
      importId: `${campaign}-${plannedAtMs}`,
      campaign,
      externalSystem: SYSTEM,
      attemptsMax,
      intervalMs,
      stoppedNumbers: 'drop',
      callTasks: tasks,
      atMs: clock.nowMs(),
    } as const
    return dialerRepository.importCallTasks(request).then((result) => {
      if (result.outcome !== 'imported') return
      for (const { index, id } of result.imported) {
        const task = tasks[index]!
        this.log.imports.push({
          atMs: clock.nowMs(),
          id: id as CallTaskId,
          campaign,
          corporation,
          attemptsMax,
          intervalMs,
          task,
        })
      }
    })
  }

  #isOut(trunk: string): boolean {
    const nowMs = this.world.clock.nowMs()
    return this.log.outages.some((one) => one.trunk === trunk && one.fromMs <= nowMs && nowMs < one.untilMs)
  }

  #isOnOurLine(number: string): boolean {
    return this.log.callers.some((one) => one.number === number && one.endedAtMs === undefined)
  }
}
