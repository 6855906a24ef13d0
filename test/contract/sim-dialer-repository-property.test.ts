/** Requests in any order, with any faults: the database keeps its invariants. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countsAsAttempt } from '../../src/dialer/outcome.ts'
import type { CallId, CallTaskId, CampaignId, PhoneNumber } from '../../src/kernel/ids.ts'
import type { AttemptEnd, AttemptResult, DueTask, NodeLease, Verdict } from '../../src/ports/attempt.ts'
import { DatabaseUnavailable, type Stop } from '../../src/ports/dialer-repository.ts'
import type { SimAttempt } from '../sim/sim-dialer-repository-rows.ts'
import { brokenInvariants } from './dialer-repository-invariants.ts'
import { type SimDialerRepositoryWorld, simDialerRepositoryWorld } from './dialer-repository-sim-world.ts'
import { ANNA, BO, CORPORATION, dialAll, HOUR_MS, MINUTE_MS, Shop, SYSTEM } from './dialer-repository-world.ts'

const NODES = ['one', 'two']
const PERSONS = 10
const NUMBERS = 16
const ATTEMPTS_MAX = 3
const RESULTS: readonly AttemptResult[] = [
  'answered',
  'noAnswer',
  'busy',
  'voicemail',
  'dropped',
  'cancelled',
  'withdrawn',
]

/** A gate with its own rules that trusts its input and does not check for calls in flight. */
function honestGate(parallel: number) {
  return (task: DueTask): Verdict => {
    const left = task.attemptsMax - task.attempts.filter((one) => countsAsAttempt(one.result, one.reach)).length
    if (task.isPersonStopped) return { verdict: 'finish', status: 'stopped' }
    if (left <= 0) return { verdict: 'finish', status: 'maxAttempts' }
    const free = [...new Set(task.numbers.filter(({ stopped }) => !stopped).map(({ number }) => number))]
    if (free.length === 0) return { verdict: 'finish', status: 'noCallableNumber' }
    if (task.id % 5 === 0 && task.attempts.length === 0) return { verdict: 'leave' }
    return dialAll(free.slice(0, Math.min(parallel, left)))
  }
}

/** A world, and the actions in it, chosen by three numbers. */
class Day {
  readonly world: SimDialerRepositoryWorld
  readonly campaigns: CampaignId[] = []
  readonly leases = new Map<string, NodeLease>()
  readonly #shop: Shop

  private constructor(world: SimDialerRepositoryWorld, shop: Shop) {
    this.world = world
    this.#shop = shop
    this.campaigns.push(shop.campaign)
  }

  static async begin(seed: number): Promise<Day> {
    const world = simDialerRepositoryWorld(seed, { latencyMs: [0, 20] })
    const shop = await Shop.open(world)
    const day = new Day(world, shop)
    day.campaigns.push(await shop.anotherCampaign())
    for (const node of NODES) day.leases.set(node, await world.dialerRepository.takeLease(node, HOUR_MS))
    world.sim.faults = { before: 0.05, after: 0.1, slow: 0.05, slowMs: [0, 4_000] }
    return day
  }

  /** Every request of the port. */
  readonly commands = {
    import: (a: number, b: number, c: number) => this.#import(a, b, c),
    claim: (a: number, b: number, c: number) => this.#claim(a, b, c),
    claimOne: (a: number, b: number, c: number) => this.#claim(a, b, c, this.#task(c)?.id),
    reserve: (a: number, b: number) => {
      const command = { ...this.#shop.reservationOf(), lease: this.#lease(a), campaign: this.#campaign(b) }
      return this.world.dialerRepository.reserveTask({ ...command, decide: honestGate(1) })
    },
    release: (a: number) => {
      const task = this.#task(a)
      return task && this.world.dialerRepository.releaseTask(task.id, this.world.nowMs())
    },
    connect: (a: number) => {
      const attempt = this.#open(a)
      return (
        attempt && this.world.dialerRepository.attemptConnected(this.#shop.connected(attempt, { fence: attempt.fence }))
      )
    },
    end: (a: number, b: number) => {
      const attempt = this.#open(a)
      return attempt && this.world.dialerRepository.endAttempt(this.#endOf(attempt, b))
    },
    finish: (a: number, b: number) => this.#finish(a, b),
    endTask: (a: number) => {
      const task = this.#task(a)
      return task && this.world.dialerRepository.endCallTask(this.#shop.endOf(task.id))
    },
    stop: (a: number, b: number) =>
      this.world.dialerRepository.addStop(CORPORATION, this.#stop(a, b), this.world.nowMs()),
    unstop: (a: number, b: number) => this.world.dialerRepository.removeStop(CORPORATION, this.#stop(a, b)),
    callback: (a: number, b: number) => {
      const task = this.#task(a)
      const nowMs = this.world.nowMs()
      const command = { atMs: nowMs + (b % 3) * MINUTE_MS, askedByContact: b % 2 === 0, agent: ANNA, nowMs }
      return task && this.world.dialerRepository.setCallback({ task: task.id, ...command })
    },
    correct: (a: number) => {
      const attempt = [...this.world.sim.view.attempts.values()].filter(({ result }) => result === 'answered').at(a % 4)
      return attempt && this.world.dialerRepository.correctToMachine(attempt.id, BO, this.world.nowMs())
    },
    lease: async (a: number, b: number) => {
      const node = NODES[a % NODES.length]!
      const lease = await this.world.dialerRepository.takeLease(node, ((b + 1) % 9) * HOUR_MS)
      this.leases.set(node, lease)
      await this.world.dialerRepository.adoptAttempts(lease)
    },
    renew: (a: number, b: number) => this.world.dialerRepository.renewLease(this.#lease(a), (b % 4) * HOUR_MS),
    adopt: (a: number) => this.world.dialerRepository.adoptAttempts(this.#lease(a)),
    switch: (a: number) => {
      const [name, id] = ['switched', this.#campaign(a)]
      return this.world.dialerRepository.saveCampaign(
        { id, corporation: CORPORATION, name, active: a % 9 > 0, settings: {} },
        this.world.nowMs(),
      )
    },
  }

  #import(a: number, b: number, c: number) {
    const externalCustomer = `person ${a % PERSONS}`
    const numbers = [b, c].map((which) => number(which))
    const given = this.#shop.debtorWith(numbers, { externalCustomer, externalCaseNumber: `case ${a % 31}` })
    const { externalCustomer: _, ...nameless } = given
    const change = { campaign: this.#campaign(b), attemptsMax: 1 + (c % ATTEMPTS_MAX), intervalMs: 0 }
    return this.world.dialerRepository.importCallTasks(this.#shop.importOf([a % 7 === 0 ? nameless : given], change))
  }

  #claim(a: number, b: number, c: number, only?: CallTaskId) {
    const decide = honestGate(1 + (c % 3))
    const [lease, campaign] = [this.#lease(a), this.#campaign(b)]
    const command = this.#shop.claimOf({ lease, campaign, tasksMax: 1 + (c % 4), decide })
    return this.world.dialerRepository.claimDueTasks(only === undefined ? command : { ...command, only })
  }

  #finish(a: number, b: number) {
    const attempt = this.#open(a)
    if (!attempt) return undefined
    const { id, number: called, activity } = attempt
    const name = { call: `call of ${id}` as CallId, eventName: `event of ${id}` }
    const call = { direction: 'out', called, activity, attempt: this.#endOf(attempt, b), ...name } as const
    return this.world.dialerRepository.finishCall(this.#shop.callIn(call))
  }

  #endOf(attempt: SimAttempt, b: number): AttemptEnd {
    const result = RESULTS[b % RESULTS.length]!
    const reach = result === 'answered' ? 'answered' : 'rang'
    const nextCallAtMs = this.world.nowMs() + (b % 2) * 10 * MINUTE_MS
    const next: AttemptEnd['next'] =
      result === 'answered' ? { status: 'answered' } : { status: b % 3 === 0 ? 'callback' : 'waiting', nextCallAtMs }
    // Sometimes under a lost lease.
    const fence = b % 11 === 0 ? this.#lease(b).fence : attempt.fence
    return this.#shop.noAnswer(attempt, { result, reach, counts: countsAsAttempt(result, reach), next, fence })
  }

  #lease(a: number): NodeLease {
    return this.leases.get(NODES[a % NODES.length]!)!
  }

  #campaign(b: number): CampaignId {
    return this.campaigns[b % this.campaigns.length]!
  }

  #task(a: number) {
    const tasks = [...this.world.sim.view.tasks.values()]
    return tasks[a % Math.max(1, tasks.length)]
  }

  #open(a: number): SimAttempt | undefined {
    const open = [...this.world.sim.view.attempts.values()].filter(({ ended }) => !ended)
    return open[a % Math.max(1, open.length)]
  }

  #stop(a: number, b: number): Stop {
    if (b % 2 === 0) return { kind: 'number', number: number(a) }
    return { kind: 'person', externalSystem: SYSTEM, externalCustomer: `person ${a % PERSONS}` }
  }
}

function number(which: number): PhoneNumber {
  return `+4530000${String(which % NUMBERS).padStart(3, '0')}` as PhoneNumber
}

type CommandName = keyof Day['commands']

/** Half of all requests are those of an ordinary day: the faults have something to disturb. */
const USUAL: readonly CommandName[] = ['import', 'claim', 'connect', 'finish', 'end']
const ALL: readonly CommandName[] = [
  ...USUAL,
  ...USUAL,
  ...(['claimOne', 'reserve', 'release', 'endTask', 'stop', 'unstop', 'callback', 'correct'] as const),
  ...(['lease', 'renew', 'adopt', 'switch'] as const),
]
const command = fc.tuple(
  fc.oneof(fc.constantFrom(...USUAL), fc.constantFrom(...ALL)),
  fc.nat(999),
  fc.nat(999),
  fc.nat(999),
)
/** Requests sent together may be applied in any order; then some time passes. */
const round = fc.record({
  together: fc.array(command, { minLength: 1, maxLength: 4 }),
  passesMs: fc.nat(5 * MINUTE_MS),
})

test('random requests, races and faults keep the invariants of dialing and outcomes', async () => {
  const seen = { attempts: 0, followers: 0, unknown: 0, stopped: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(round, { minLength: 10, maxLength: 100, size: 'max' }),
      async (seed, rounds) => {
        const day = await Day.begin(seed)
        for (const { together, passesMs } of rounds) {
          const asked = together.map(([name, a, b, c]) => day.commands[name](a, b, c) as Promise<unknown> | undefined)
          for (const told of await Promise.allSettled(asked)) {
            if (told.status === 'rejected' && !(told.reason instanceof DatabaseUnavailable)) throw told.reason
            if (told.status === 'rejected') seen.unknown++
          }
          expect(brokenInvariants(day.world.sim.view)).toEqual([])
          day.world.clock.run(passesMs)
        }
        const { attempts, tasks, stops } = day.world.sim.view
        seen.attempts += attempts.size
        seen.followers += [...tasks.values()].filter(({ follows }) => follows !== undefined).length
        seen.stopped += stops.length
      },
    ),
    { numRuns: 200 },
  )
  // The days were busy enough to mean something.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20)
})
