/** A campaign-day on virtual time: the production engine, a simulated switch and database, people, agents. */

import type { WrapUp } from '../../src/acd/agent-session-messages.ts'
import type { AbroadCaps } from '../../src/dialer/abroad.ts'
import type { EngineDependencies } from '../../src/engine/context.ts'
import { FlowRegistry } from '../../src/engine/flow-registry.ts'
import { Engine } from '../../src/engine/loop/engine.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import {
  type AgentName,
  type CampaignId,
  type CorporationId,
  type ExternalSystemId,
  FIRST_CORPORATION,
  makeIds,
  type PhoneNumber,
  type TeamName,
} from '../../src/kernel/ids.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { type Random, seededRandom } from '../../src/kernel/random.ts'
import type { AgentNotification, AgentOrder } from '../../src/ports/agent-desktop.ts'
import type { CampaignBoard } from '../../src/ports/board.ts'
import type { RecordingRule } from '../../src/ports/call-recordings.ts'
import type { NewCallTask } from '../../src/ports/dialer-repository.ts'
import type { Callee } from '../../src/sim/person.ts'
import { simCallEventLog } from '../../src/sim/sim-call-event-log.ts'
import type { ContactOf } from '../../src/sim/sim-carrier.ts'
import { SimPbx, type SimPbxOptions } from '../../src/sim/sim-pbx.ts'
import { simSpeech } from '../../src/sim/sim-speech.ts'
import { SimDialerRepository, type SimDialerRepositoryOptions } from '../sim/sim-dialer-repository.ts'
import { SimFlowEvents } from '../sim/sim-flow-events.ts'
import { SimSms } from '../sim/sim-sms.ts'
import { SimWeb } from '../sim/sim-web.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { DEBTOR_FLOW, flowOf, staffOf, type Teams } from './set-up.ts'

export const CORPORATION = 1 as CorporationId
export const SYSTEM = 3 as ExternalSystemId
export const CAMPAIGN = 7 as CampaignId
export const CALLER_ID = '+4570000000' as PhoneNumber
export const INBOUND = '+4570001000'
const PAGE = 'https://crm.example/popup?case={$CODE}&from={$CALLER}'
/** The external system of every campaign. */
export const DEBT_SYSTEM = { corporation: FIRST_CORPORATION, code: 'DEBT', popupUrlTemplate: PAGE, lookup: null }
/** A phone that is picked up at once and stays up. */
export const STAYS: Callee = { does: 'answer', afterMs: 300 }

/** What a campaign world is made of. */
export interface CampaignWorldOptions {
  readonly seed?: number
  readonly startAtMs?: number
  readonly teams?: Teams
  /** Of agents whose phone is the browser; undefined for those who have another phone. */
  readonly phoneGraceMs?: number | ((agent: string) => number | undefined)
  /** The inbound number as the configuration spells it. */
  readonly spelled?: string
  /** Of the inbound number; the flow that we ship unless it is given. */
  readonly flow?: string
  /** Code of the external system of the inbound number; its page is that of `SYSTEM`. */
  readonly systemCode?: string
  /** Which talks on the inbound number are recorded; none unless it is given. */
  readonly recording?: RecordingRule
  readonly contactOf?: ContactOf
  readonly pbx?: Partial<SimPbxOptions>
  readonly records?: Partial<SimDialerRepositoryOptions>
  /** Names of the trunks, in their order; each bears what `linesMax` and `callsPerSecondMax` say. */
  readonly trunks?: readonly string[]
  /** What may go to each other country in 24 hours. */
  readonly abroad?: AbroadCaps
  /** Every trunk may show these. */
  readonly callerIds?: readonly PhoneNumber[]
  /** To whose numbers callers may be transferred. */
  readonly transferCountries?: readonly string[]
  readonly linesMax?: number
  readonly callsPerSecondMax?: number
  /** Whether the switch's own book of calls can be read after an outage. */
  readonly hasCallEventLog?: boolean
  /** What the engine's log keeps; days that are lived by the hundred keep warnings only. */
  readonly logLevel?: string
  /** Takes the place of some of the engine's parts. */
  readonly parts?: (usual: EngineDependencies) => Partial<EngineDependencies>
}

/** Longer than any database outage. */
const PREPARE_MAX_MS = 2 * 3_600_000

/** A Monday morning, at 10 in Copenhagen. */
const MORNING = Date.UTC(2026, 2, 2, 9)

/** One engine after another on the same switch and database. */
export class CampaignWorld {
  readonly clock: VirtualClock
  readonly random: Random
  readonly options: CampaignWorldOptions
  pbx: SimPbx
  readonly dialerRepository: SimDialerRepository
  readonly flowEvents: SimFlowEvents
  readonly logged: string[] = []
  readonly news: { agent: AgentName; news: AgentNotification; atMs: number }[] = []
  readonly spool: object[] = []
  /** The latest board of each campaign. */
  readonly boards = new Map<CampaignId, CampaignBoard>()
  engine!: Engine
  #engines = 0
  /** Of the engine that runs now: one that died hears nothing any more, not even of time. */
  #isAlive = { alive: true }

  constructor(options: CampaignWorldOptions = {}) {
    this.options = options
    this.clock = new VirtualClock(options.startAtMs ?? MORNING)
    this.random = seededRandom(options.seed ?? 1)
    const { clock, random } = this
    const contactOf =
      options.contactOf ?? (() => ({ does: 'answer', afterMs: 3_000, ringsAfterMs: 500, hangsUpAfterMs: 30_000 }))
    const trunks = Object.fromEntries((options.trunks ?? ['main']).map((name) => [name, {}]))
    this.pbx = new SimPbx({ clock, random, ...options.pbx, carrier: { trunks, contactOf } })
    this.dialerRepository = new SimDialerRepository({ clock, random, ...options.records })
    this.flowEvents = new SimFlowEvents(this.dialerRepository.view)
  }

  /** A campaign of one team. `settings` as customers write them (D-14). */
  async campaign(
    settings: Readonly<Record<string, unknown>> = {},
    id = CAMPAIGN,
    team = 'collections',
    corporation = CORPORATION,
  ): Promise<void> {
    const usual = {
      dialMode: 'progressive',
      callerId: CALLER_ID,
      callWindows: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '20:00', timeZone: 'Europe/Copenhagen' }],
      wrapUpSeconds: 5,
    }
    const campaign = { id, corporation, name: `Campaign ${id}`, active: true, externalSystem: SYSTEM }
    const saved = this.dialerRepository.saveCampaign(
      { ...campaign, team: team as TeamName, settings: { ...usual, ...settings } },
      this.clock.nowMs(),
    )
    await this.during(saved)
  }

  /** Imports debtors 0 and on, each with a number of their own. */
  async import(
    count: number,
    change: (index: number) => Partial<NewCallTask> = () => ({}),
    more: object = {},
  ): Promise<void> {
    const callTasks = Array.from({ length: count }, (_, index): NewCallTask => {
      const number = numberOf(index)
      return {
        index,
        receiverName: `Debtor ${index}`,
        numbers: [{ given: number, number }],
        externalCustomer: `c${index}`,
        externalCaseNumber: `case-${index}`,
        properties: [],
        ...change(index),
      }
    })
    await this.during(
      this.dialerRepository.importCallTasks({
        importId: `import-${count}-${this.clock.nowMs()}`,
        campaign: CAMPAIGN,
        externalSystem: SYSTEM,
        attemptsMax: 3,
        intervalMs: 3_600_000,
        stoppedNumbers: 'reject',
        callTasks,
        atMs: this.clock.nowMs(),
        ...more,
      }),
    )
  }

  /** Starts an engine on what is there. */
  async start(): Promise<this> {
    const { random, pbx, options } = this
    const flow = flowOf(options.flow ?? DEBTOR_FLOW)
    const engineNumber = ++this.#engines
    const life = { alive: true }
    this.#isAlive = life
    const clock = mortalClock(this.clock, life)
    const usual: EngineDependencies = {
      clock,
      pbx,
      random: seededRandom(engineNumber),
      flows: new FlowRegistry([flow]),
      ids: makeIds(clock, random),
      log: makeLog(options.logLevel ?? 'debug', { write: (line) => void this.logged.push(line) }),
      journal: { append: () => {}, flush: () => Promise.resolve(), read: () => Promise.resolve([]) },
      speech: simSpeech(),
      web: new SimWeb(clock),
      sms: new SimSms(clock),
      env: { integrator: 'https://integrator.example' },
      secret: () => 'Bearer secret',
      dialer: {
        dialerRepository: mortal(this.dialerRepository, life),
        flowEvents: mortal(this.flowEvents, life),
        node: 'one',
        callEventLog: options.hasCallEventLog
          ? mortal(simCallEventLog({ clock: this.clock, callEvents: pbx.switch.callEvents }), life)
          : undefined,
        spool: {
          append: (entry) => void this.spool.push(structuredClone(entry)),
          read: () => [...this.spool],
          clear: (but = []) => void this.spool.splice(0, this.spool.length, ...structuredClone(but)),
          setAside: () => {},
        },
        trunks: () =>
          (options.trunks ?? ['main']).map((name) => ({
            name,
            linesMax: options.linesMax ?? 50,
            callsPerSecondMax: options.callsPerSecondMax ?? 50,
            callerIds: options.callerIds ?? [CALLER_ID],
            host: `${name}.example`,
            transferCountries: options.transferCountries ?? [],
            abroad: options.abroad ?? { callsMax: 1_000, talkMaxMs: 3_600_000 },
            sipTransfers: name !== 'main',
          })),
        onBoard: (board) => void this.boards.set(board.campaign as CampaignId, board),
        fileAddress: (file) => `/file/${file}`,
        externalSystem: (system) => (system === SYSTEM || system === options.systemCode ? DEBT_SYSTEM : undefined),
      },
    }
    const { systemCode: externalSystem, recording, spelled = INBOUND } = options
    const numbers = new Map([[spelled, { flow: flow.name, language: undefined, externalSystem, recording }]])
    const staff = staffOf(options.teams ?? { collections: ['anna', 'ben'] }, options.phoneGraceMs)
    if (engineNumber === 1) for (const agent of staff.agents.keys()) this.pbx.agentPhone(agent, STAYS)
    this.engine = new Engine({ ...usual, ...options.parts?.(usual) }, { numbers, staff })
    const { engine } = this
    let isPrepared = false
    void engine.prepare().then(() => {
      isPrepared = true
    })
    await this.clock.runWithPromisesUntil(() => isPrepared || !life.alive, PREPARE_MAX_MS)
    if (!life.alive) return this
    if (!isPrepared) throw new Error('the engine did not get ready')
    await this.pbx.start()
    engine.begin()
    return this
  }

  /** Whether an engine runs, or is about to. */
  get isAlive(): boolean {
    return this.#isAlive.alive
  }

  /** The engine dies at once; switch and database continue. The next start is another engine. */
  async crash(): Promise<void> {
    this.#isAlive.alive = false
    const stopped = this.pbx.stop()
    this.pbx = new SimPbx({ clock: this.clock, random: this.random, ...this.options.pbx, switch: this.pbx.switch })
    await stopped
  }

  /** An agent sits down: their screen is there, and they log in. */
  async logIn(...agents: readonly string[]): Promise<void> {
    for (const name of agents) {
      const agent = name as AgentName
      this.engine.agentDesktop?.attach(agent, (notification) =>
        this.news.push({ agent, news: notification, atMs: this.clock.nowMs() }),
      )
      await this.order(name, { type: 'logIn' })
    }
  }

  order(agent: string, order: AgentOrder) {
    return this.during(this.engine.agentDesktop!.order(agent as AgentName, order))
  }

  /** Lets time pass. */
  async run(ms: number): Promise<void> {
    await this.clock.runWithPromises(ms)
  }

  /** Lets time pass until something is true. */
  async until(isTrue: () => boolean, limitMs = 3_600_000): Promise<boolean> {
    return this.clock.runWithPromisesUntil(isTrue, limitMs)
  }

  /** Lets so much time pass as something takes. */
  async during<T>(promise: Promise<T>): Promise<T> {
    let isDone = false
    const done = promise.finally(() => {
      isDone = true
    })
    done.catch(() => {})
    await this.clock.runWithPromisesUntil(() => isDone, PREPARE_MAX_MS)
    return done
  }
}

/** The number of the debtor of this place: a Danish mobile. */
export function numberOf(index: number): PhoneNumber {
  return `+45${22_100_000 + index * 7}` as PhoneNumber
}

/** Timed wrap-up, for tests that do not mean to wait. */
export const SHORT_WRAP_UP: WrapUp = { kind: 'timed', lengthMs: 1_000 }

/** Time as an engine has it: nothing happens any more after the engine has died. */
function mortalClock(clock: Clock, life: { readonly alive: boolean }): Clock {
  return {
    nowMs: () => clock.nowMs(),
    schedule: (atMs, action) => (life.alive ? clock.schedule(atMs, () => life.alive && action()) : { cancel() {} }),
  }
}

type AnyMethod = (...args: unknown[]) => unknown

/** What an engine has of a thing: nothing of it reaches the engine, or is reached by it, after the engine has died. */
function mortal<T extends object>(thing: T, life: { readonly alive: boolean }): T {
  const never = new Promise<never>(() => {})
  const methods = new Map<string | symbol, AnyMethod>()
  const methodOf = (method: AnyMethod): AnyMethod => {
    return (...args) => {
      if (!life.alive) return never
      // Listeners of a dead engine get nothing any more.
      const mortals = args.map((arg) => (typeof arg === 'function' ? (told: unknown) => life.alive && arg(told) : arg))
      const answer = method.apply(thing, mortals)
      return answer instanceof Promise ? aliveOnly(answer, life) : answer
    }
  }
  return new Proxy(thing, {
    get(_, name) {
      const known = methods.get(name)
      if (known) return known
      const value = thing[name as keyof T]
      if (typeof value !== 'function') return value
      const method = methodOf(value as unknown as AnyMethod)
      methods.set(name, method)
      return method
    },
  })
}

/** An answer, good or bad, that only a living engine hears. */
function aliveOnly(answer: Promise<unknown>, life: { readonly alive: boolean }): Promise<unknown> {
  return new Promise((resolve, reject) => {
    answer.then(
      (told) => life.alive && resolve(told),
      (error) => life.alive && reject(error),
    )
  })
}
