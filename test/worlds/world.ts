/**
 * A whole call centre on virtual time: the real engine between a simulated switch, simulated servers and
 * simulated people. What is replaced are the ports; everything else is what runs in production (architecture-laws.md
 * 7).
 */
import type { Staff } from '../../src/acd/team.ts'
import type { CallBegan } from '../../src/engine/call-trace.ts'
import type { EngineDependencies } from '../../src/engine/context.ts'
import { FlowRegistry } from '../../src/engine/flow-registry.ts'
import { Engine } from '../../src/engine/loop/engine.ts'
import { type Replayed, replayCall } from '../../src/engine/replay.ts'
import type { CallRecord } from '../../src/flow/model/call-messages.ts'
import type { CompiledFlow } from '../../src/flow/run/compile.ts'
import { type CallId, type LegId, makeIds } from '../../src/kernel/ids.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { type Random, seededRandom } from '../../src/kernel/random.ts'
import type { Journal, JournalLine } from '../../src/ports/journal.ts'
import type { Callee, Caller } from '../../src/sim/person.ts'
import type { SimAgentPhone } from '../../src/sim/sim-agent-phone.ts'
import type { SimCaller } from '../../src/sim/sim-caller.ts'
import { SimPbx, type SimPbxOptions } from '../../src/sim/sim-pbx.ts'
import { simSpeech } from '../../src/sim/sim-speech.ts'
import { SimSms } from '../sim/sim-sms.ts'
import { type SimAnswer, SimWeb } from '../sim/sim-web.ts'
import { memoryJournal } from '../support/memory-journal.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { DEBTOR_FLOW, flowOf, ORDINARY, staffOf, TEAMS, type Teams } from './set-up.ts'

/** The number that everybody dials. */
export const NUMBER = '+4570001000'
/** A caller who can get text messages. */
export const CALLER = '+4551000001'
/** The value of the one secret; it must never be found in a journal or a log. */
export const SECRET = 'Bearer top-secret-4f1'

/** What differs from an ordinary day. */
export interface WorldOptions {
  readonly seed?: number
  /** YAML; the shipped debtor flow when absent. */
  readonly flow?: string
  readonly teams?: Teams
  /** How each agent takes calls; absent: `ORDINARY`. */
  readonly agents?: Readonly<Record<string, Callee>>
  readonly pbx?: Partial<Omit<SimPbxOptions, 'clock' | 'random'>>
  readonly callsMax?: number
  /** Other ports and limits than the usual ones, for worlds in which something is slow, broken or forbidden. */
  readonly parts?: (usual: EngineDependencies) => Partial<EngineDependencies>
}

/** What came of one call, from every side. */
export interface Served {
  readonly caller: SimCaller
  readonly call: CallId
  readonly record: CallRecord
  readonly path: readonly string[]
  /** What the caller heard, in words. */
  readonly words: string
  readonly lines: readonly JournalLine[]
  /** Texts that were asked for by this call. */
  readonly texts: readonly string[]
}

/** One world. */
export class World {
  readonly clock = new VirtualClock()
  readonly random: Random
  readonly pbx: SimPbx
  readonly web: SimWeb
  readonly sms: SimSms
  readonly engine: Engine
  readonly compiled: CompiledFlow
  readonly staff: Staff
  readonly phones: ReadonlyMap<string, SimAgentPhone>
  /** Every line of every call, in the order of writing. */
  readonly lines: JournalLine[] = []
  /** Everything that was logged, as pino wrote it. */
  readonly logged: string[] = []
  /** Everybody who phoned in. */
  readonly callers: SimCaller[] = []
  /** Calls that ended, in that order. */
  readonly records: CallRecord[] = []
  /** How often the line to the switch was lost. */
  gaps = 0
  readonly #journal = memoryJournal()
  readonly #calls = new Map<LegId, CallId>()

  constructor(options: WorldOptions = {}) {
    const { clock } = this
    this.random = seededRandom(options.seed ?? 1)
    this.pbx = new SimPbx({ clock, random: this.random, ...options.pbx })
    this.pbx.onEvent(({ type }) => {
      if (type === 'pbx.down') this.gaps++
    })
    this.web = new SimWeb(clock)
    this.sms = new SimSms(clock)
    this.staff = staffOf(options.teams ?? TEAMS)
    const script = (agent: string) => options.agents?.[agent] ?? ORDINARY
    this.phones = new Map(
      [...this.staff.agents.keys()].map((agent) => [agent, this.pbx.agentPhone(agent, script(agent))]),
    )
    const flow = flowOf(options.flow ?? DEBTOR_FLOW)
    const flows = new FlowRegistry([flow])
    this.compiled = flows.get(flow.name)!
    const usual: EngineDependencies = {
      clock,
      flows,
      ids: makeIds(clock, this.random),
      random: seededRandom(7),
      log: makeLog('debug', { write: (line) => void this.logged.push(line) }),
      journal: this.#watched(),
      pbx: this.pbx,
      speech: simSpeech(),
      web: this.web,
      sms: this.sms,
      env: { integrator: 'https://integrator.example' },
      secret: (name) => (name === 'caseInfo' ? SECRET : undefined),
      ...(options.callsMax !== undefined && { callsMax: options.callsMax }),
    }
    const numbers = new Map([[NUMBER, { flow: flow.name, language: undefined }]])
    this.engine = new Engine({ ...usual, ...options.parts?.(usual) }, { numbers, staff: this.staff })
    this.engine.onCallEnded((record) => this.records.push(record))
  }

  /** Connects engine and switch; no caller is served before. */
  async open(): Promise<this> {
    await this.pbx.start()
    return this
  }

  /** Scripts the answers about a case; see `SimWeb.on`. */
  caseIs(number: string, ...answers: readonly SimAnswer[]): this {
    this.web.on(`GET /CaseInfo/${number}`, ...answers)
    return this
  }

  /** A caller phones in; `caller: null` withholds the number. */
  callIn(
    person: Caller,
    { caller = CALLER, called = NUMBER }: { caller?: string | null; called?: string } = {},
  ): SimCaller {
    const phone = this.pbx.callIn({ called, person, ...(caller !== null && { caller }) })
    this.callers.push(phone)
    return phone
  }

  /** Lets time pass until this caller's call is over on both sides, and tells what came of it. */
  served(caller: SimCaller): Served {
    const isOver = () => caller.result !== undefined && this.recordOf(caller) !== undefined
    if (!this.clock.runUntil(isOver)) throw new Error(`the call did not end; heard: ${caller.ear.words}`)
    return this.told(caller)
  }

  /** Phones in and stays until the end. */
  serve(person: Caller, how: { caller?: string | null; called?: string } = {}): Served {
    return this.served(this.callIn(person, how))
  }

  /** What is known of a call that has ended. */
  told(caller: SimCaller): Served {
    const record = this.recordOf(caller)
    if (!record) throw new Error(`the engine has no record of ${caller.leg}; heard: ${caller.ear.words}`)
    const { call, path } = record
    const texts = this.sms.messages.filter(({ key }) => key.startsWith(`${call}/`)).map(({ text }) => text)
    return { caller, call, record, path, words: caller.ear.words, lines: this.linesOf(call), texts }
  }

  callOf(leg: LegId): CallId | undefined {
    return this.#calls.get(leg)
  }

  recordOf({ leg }: SimCaller): CallRecord | undefined {
    const call = this.callOf(leg)
    return this.records.find((record) => record.call === call)
  }

  linesOf(call: CallId): JournalLine[] {
    return this.lines.filter((line) => line.call === call)
  }

  /** Whether the recorded facts, told again, give the recorded commands. */
  async replayed(call: CallId): Promise<Replayed> {
    return replayCall(await this.#journal.read(call), this.compiled)
  }

  /** What an agent heard so far, in words. */
  heardBy(agent: string): string {
    return this.phones.get(agent)!.ear.words
  }

  #watched(): Journal {
    const journal = this.#journal
    return {
      flush: () => journal.flush(),
      read: (call) => journal.read(call),
      append: (line) => {
        this.lines.push(line)
        if (line.what.type === 'call.began') this.#calls.set((line.what as unknown as CallBegan).begins.leg, line.call)
        journal.append(line)
      },
    }
  }
}

/** A world whose doors are open. */
export function openWorld(options: WorldOptions = {}): Promise<World> {
  return new World(options).open()
}
