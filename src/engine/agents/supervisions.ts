/** Supervisors who listen to conversations, whisper to agents, or join: one for each conversation. */
import type { AtMs, Timer } from '../../kernel/clock.ts'
import type { AgentName, CallId, LegId } from '../../kernel/ids.ts'
import type { AgentNotification, SupervisionMode } from '../../ports/agent-desktop.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import type {
  CallSupervision,
  LiveTalk,
  ShownTalk,
  SupervisedPart,
  Supervision,
  SupervisionAnswer,
  Supervisor,
} from '../../ports/supervision.ts'
import type { EngineContext, SupervisionDesk } from '../context.ts'
import type { AttemptRunner } from '../outbound/attempt-runner.ts'
import { allTalks, findTalk, type TalkWithAgent, talkOf } from './live-talks.ts'
import { shownTalks } from './shown-talks.ts'

/** A crash loses at most so much of what was heard. */
const PART_MS = 10_000
const RING_TIMEOUT_MS = 30_000
const RETRY_MS = 5_000

interface Live {
  readonly by: Supervisor
  readonly talk: TalkWithAgent
  /** Named before the switch is asked for it. */
  readonly leg: LegId
  mode: SupervisionMode
  /** What was ordered last; `mode` follows when the audit trail has it. */
  wanted: SupervisionMode
  readonly askedAtMs: AtMs
  isRung: boolean
  isAnswered: boolean
  isEnding: boolean
  /** From then on the supervisor has heard the conversation. */
  sinceAtMs: AtMs | undefined
  secondsKept: number
  timer: Timer | undefined
}

interface SupervisionsOptions {
  readonly attempts: Pick<AttemptRunner, 'ofLeg' | 'all'>
  /** Resolves when the part is durable in the audit trail. */
  readonly keep: (part: SupervisedPart) => Promise<void>
}

const no = (kind: Extract<SupervisionAnswer, { ok: false }>['kind'], why: string) => ({ ok: false, kind, why }) as const
const NO_TALK = no(
  'notFound',
  'no agent of this node is in a conversation of this call; GET /svcpbx/calls/live lists them',
)
const REFUSED = no(
  'conflict',
  'nobody may listen to this call: its campaign or number demands consent; see the setting supervision of the campaign',
)
const OWN_CALL = no('conflict', 'this is your own conversation; a supervisor listens to those of others')
const NO_PHONE = no(
  'conflict',
  'you have no phone here: it rings, and you listen with it; add yourself to agents in switchboard.yaml',
)
const PHONE_IN_USE = no('conflict', 'your phone is in use: log out as an agent, or end the other call, and try again')
const TAKEN = no('conflict', 'another supervisor is in this conversation; try again when they have left')
const ELSEWHERE = no('conflict', 'you are in another conversation; leave it with DELETE first')
const NO_AUDIT = no('unavailable', 'the audit trail cannot be written now, and nobody listens without it; try again')

/** Rings supervisors' phones and lets them hear. Everything that ends the conversation ends the supervision. */
export class Supervisions implements CallSupervision, SupervisionDesk {
  readonly #context: EngineContext
  readonly #options: SupervisionsOptions
  readonly #all = new Map<CallId, Live>()
  readonly #writing = new Set<Promise<void>>()
  /** Each writes a part again that could not be written. */
  readonly #unwritten = new Set<() => void>()
  #isStopping = false

  constructor(context: EngineContext, options: SupervisionsOptions) {
    this.#context = context
    this.#options = options
  }

  begin(by: Supervisor, call: string, mode: SupervisionMode): Promise<SupervisionAnswer> {
    return new Promise((resolve) => this.#context.enqueue(() => this.#begin(by, call, mode, resolve)))
  }

  end(supervisor: AgentName, call: string): Promise<boolean> {
    return new Promise((resolve) =>
      this.#context.enqueue(() => {
        const live = this.#find(call)
        const isTheirs = live?.by.agent === supervisor
        if (isTheirs) this.#hangUp(live)
        resolve(isTheirs)
      }),
    )
  }

  talks(): readonly LiveTalk[] {
    return allTalks(this.#context, this.#options.attempts).map((talk) => {
      const live = this.#all.get(talk.call)
      return live ? { ...talk, supervision: shown(live) } : talk
    })
  }

  shownTalks(): readonly ShownTalk[] {
    return shownTalks(this.#context, this.#options.attempts)
  }

  /** Nobody listens while no engine counts. Resolves when the last parts are kept, or cannot be. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#context.enqueue(() => {
      for (const live of [...this.#all.values()]) {
        this.#hangUp(live)
        this.#finish(live)
      }
    })
    await Promise.all(this.#writing)
    // Nobody tries later.
    for (const writeAgain of [...this.#unwritten]) writeAgain()
    await Promise.all(this.#writing)
  }

  /** True if the event was about a supervisor's leg. */
  handleSwitchEvent(event: PbxEvent): boolean {
    const live = 'leg' in event ? [...this.#all.values()].find(({ leg }) => leg === event.leg) : undefined
    if (!live) return false
    switch (event.type) {
      case 'leg.answered':
        live.isAnswered = true
        this.#tell(live, live.mode)
        this.#hear(live)
        break
      case 'leg.overhears':
      case 'bridge.joined':
        this.#heard(live)
        break
      case 'leg.overhearsNot':
        this.#context.dependencies.log.warn({ call: live.talk.call, why: event.why }, 'a supervisor hears nothing more')
        this.#hangUp(live)
        break
      case 'bridge.refused':
        this.#hangUp(live)
        break
      case 'leg.ended':
        this.#finish(live)
    }
    return true
  }

  /** The conversation may have ended, or its agent changed; or the supervisor's phone is needed. */
  afterTurn(): void {
    for (const live of [...this.#all.values()]) if (!live.isEnding && !this.#goesOn(live)) this.#hangUp(live)
  }

  /** For a screen that comes later. */
  repeat(agent: AgentName, listener: (notification: AgentNotification) => void): void {
    for (const live of this.#all.values()) if (live.talk.agent === agent) this.#tell(live, live.mode, listener)
  }

  #begin(by: Supervisor, id: string, mode: SupervisionMode, resolve: (answer: SupervisionAnswer) => void): void {
    const { dependencies, enqueue } = this.#context
    const talk = findTalk(this.#context, this.#options.attempts, id)
    const present = talk && this.#all.get(talk.call)
    if (present && present.by.agent === by.agent && !present.isEnding) return this.#change(present, by, mode, resolve)
    const refusal = this.#whyNot(by, talk)
    if (refusal || !talk) return resolve(refusal ?? NO_TALK)
    const asked = { leg: dependencies.ids.leg(), askedAtMs: dependencies.clock.nowMs() }
    const atFirst = { isRung: false, isAnswered: false, isEnding: false, sinceAtMs: undefined, secondsKept: 0 }
    const live: Live = { by, talk, mode, wanted: mode, ...asked, ...atFirst, timer: undefined }
    this.#all.set(talk.call, live)
    const ring = () => {
      if (live.isEnding) return resolve(NO_TALK)
      live.isRung = true
      dependencies.pbx.ringAgent(live.leg, by.agent, { callerId: 'Switchboard', ringTimeoutMs: RING_TIMEOUT_MS })
      resolve({ ok: true, supervision: shown(live) })
    }
    const drop = () => {
      live.isEnding = true
      if (this.#all.get(talk.call) === live) this.#all.delete(talk.call)
      resolve(NO_AUDIT)
    }
    this.#options.keep(partOf(live, 'begin', this.#nowMs())).then(
      () => enqueue(ring),
      () => enqueue(drop),
    )
  }

  /** The last order counts, however long the audit trail takes. To be silent again waits for nothing. */
  #change(live: Live, by: Supervisor, mode: SupervisionMode, resolve: (answer: SupervisionAnswer) => void): void {
    if (mode === live.mode && mode === live.wanted) return resolve({ ok: true, supervision: shown(live) })
    const part = { ...partOf(live, 'begin', this.#nowMs()), by, mode, seconds: 0 }
    live.wanted = mode
    const change = () => {
      if (live.isEnding) return resolve(NO_TALK)
      if (live.wanted === mode) this.#turn(live, mode)
      resolve({ ok: true, supervision: shown(live) })
    }
    const stay = () => {
      if (live.wanted === mode) live.wanted = live.mode
      resolve(NO_AUDIT)
    }
    if (mode === 'listen') {
      this.#keep(part, live)
      return change()
    }
    const { enqueue } = this.#context
    this.#options.keep(part).then(
      () => enqueue(change),
      () => enqueue(stay),
    )
  }

  #turn(live: Live, mode: SupervisionMode): void {
    if (mode === live.mode) return
    if (live.sinceAtMs !== undefined) this.#keepPart(live, 'goes on')
    live.mode = mode
    if (!live.isAnswered) return
    this.#tell(live, mode)
    this.#hear(live)
  }

  #whyNot(by: Supervisor, talk: TalkWithAgent | undefined): SupervisionAnswer | undefined {
    if (this.#isStopping || !talk || !by.corporations.includes(talk.corporation)) return NO_TALK
    if (talk.rule === 'refused') return REFUSED
    if (talk.agent === by.agent) return OWN_CALL
    if (!this.#context.staff().agents.has(by.agent)) return NO_PHONE
    if (this.#context.distributor.usesPhone(by.agent)) return PHONE_IN_USE
    if (this.#all.has(talk.call)) return TAKEN
    return [...this.#all.values()].some((live) => live.by.agent === by.agent) ? ELSEWHERE : undefined
  }

  #find(id: string): Live | undefined {
    return [...this.#all.values()].find(({ talk }) => talk.call === id || String(talk.activity) === id)
  }

  #goesOn({ talk, by }: Live): boolean {
    const now = talkOf(this.#context, this.#options.attempts, talk.call)
    const isSame = now?.agentLeg === talk.agentLeg && now.bridge === talk.bridge && now.rule !== 'refused'
    return isSame && !this.#context.distributor.usesPhone(by.agent)
  }

  #hear({ leg, mode, talk }: Live): void {
    const { pbx } = this.#context.dependencies
    if (mode === 'join') pbx.join(talk.bridge, leg)
    else pbx.overhear(leg, talk.agentLeg, mode === 'whisper' ? 'whispered' : 'unheard')
  }

  #heard(live: Live): void {
    if (live.sinceAtMs !== undefined) return
    live.sinceAtMs = this.#nowMs()
    this.#countOn(live)
  }

  #countOn(live: Live): void {
    const { clock } = this.#context.dependencies
    live.timer = clock.schedule(clock.nowMs() + PART_MS, () =>
      this.#context.enqueue(() => {
        if (this.#all.get(live.talk.call) !== live) return
        this.#keepPart(live, 'goes on')
        this.#countOn(live)
      }),
    )
  }

  /** The end of the leg follows, and with it the last part. A leg that was not asked for has none. */
  #hangUp(live: Live): void {
    live.isEnding = true
    if (live.isRung) this.#context.dependencies.pbx.hangUp(live.leg)
    else this.#finish(live)
  }

  #finish(live: Live): void {
    if (this.#all.get(live.talk.call) !== live) return
    live.isEnding = true
    this.#all.delete(live.talk.call)
    live.timer?.cancel()
    this.#keepPart(live, 'end')
    if (live.isAnswered) this.#tell(live, null)
  }

  #keepPart(live: Live, what: SupervisedPart['what']): void {
    const part = partOf(live, what, this.#nowMs())
    live.secondsKept = part.secondsInAll
    this.#keep(part, live)
  }

  /** What cannot be written ends the supervision, and is written as soon as it can be. */
  #keep(part: SupervisedPart, live: Live): void {
    const written = this.#options.keep(part).catch((error: unknown) => {
      const { log, clock } = this.#context.dependencies
      log.error({ why: String(error), call: part.call }, 'the audit trail cannot be written: the supervision ends')
      this.#context.enqueue(() => {
        if (this.#all.get(live.talk.call) === live) this.#hangUp(live)
      })
      const timer = this.#isStopping ? undefined : clock.schedule(clock.nowMs() + RETRY_MS, () => writeAgain())
      const writeAgain = () => {
        timer?.cancel()
        this.#unwritten.delete(writeAgain)
        this.#keep(part, live)
      }
      this.#unwritten.add(writeAgain)
    })
    this.#writing.add(written)
    void written.then(() => this.#writing.delete(written))
  }

  #tell({ talk, by }: Live, mode: SupervisionMode | null, listener?: (notification: AgentNotification) => void): void {
    if (talk.rule !== 'told') return
    const notification = { type: 'supervisor', call: talk.call, supervisor: by.agent, mode } as const
    if (listener) listener(notification)
    else this.#context.agentDesktop?.notifyAgent(talk.agent, notification)
  }

  #nowMs(): AtMs {
    return this.#context.dependencies.clock.nowMs()
  }
}

/** Whole seconds, so that the parts add up. */
function partOf(live: Live, what: SupervisedPart['what'], atMs: AtMs): SupervisedPart {
  const { by, mode, sinceAtMs, secondsKept } = live
  const { call, agent } = live.talk
  const secondsInAll = sinceAtMs === undefined ? 0 : Math.ceil((atMs - sinceAtMs) / 1_000)
  return { by, call, agent, mode, what, atMs, seconds: secondsInAll - secondsKept, secondsInAll }
}

function shown({ talk: { call, agent }, by, mode, sinceAtMs, askedAtMs }: Live): Supervision {
  const state = sinceAtMs === undefined ? 'ringing' : 'on'
  return { call, agent, supervisor: by.agent, mode, state, sinceAtMs: sinceAtMs ?? askedAtMs }
}
