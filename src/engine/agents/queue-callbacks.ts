/**
 * Callers who leave a queue to be called back and keep their place (calls-and-flows-53). The place is a promised
 * callback of the team's campaign with `queueCallbacks`; `DueCallbacks` brings it into the line, and it is dialed as
 * every other call task is.
 */
import { matchable } from '../../acd/match-caller.ts'
import { whyNotCalledBack } from '../../dialer/why-not-called-back.ts'
import type { AtMs } from '../../kernel/clock.ts'
import {
  type AgentName,
  type CallTaskId,
  FIRST_CORPORATION,
  type LegId,
  type PhoneNumber,
  type TeamName,
} from '../../kernel/ids.ts'
import type { DialerRepository, DueCallback, Stop } from '../../ports/dialer-repository.ts'
import type { PlaceInQueue } from '../../ports/queue-place.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { DialerOptions, EngineContext, LiveCall, QueueCallbackDesk } from '../context.ts'
import type { CallPlacer } from '../outbound/place-calls.ts'
import type { RecordWriter } from '../record-writer.ts'

/** Our choice: who is busy or does not answer three times is called no more. */
const CALLBACK_ATTEMPTS_MAX = 3

/** The places that this engine knows. */
interface KnownPlaces {
  /** A caller keeps a place from now on. `leg`: of the call in which they still are. */
  kept(callback: DueCallback, leg: LegId): void
  /** The caller is here again and needs the place no more. Undefined: there is none. */
  takePlace(number: PhoneNumber, team: TeamName): { readonly task: CallTaskId; readonly sinceAtMs: AtMs } | undefined
  callBack(task: CallTaskId, agent: AgentName): void
}

interface Parts extends Pick<DialerOptions, 'trunks'> {
  readonly dialerRepository: DialerRepository
  readonly recordWriter: RecordWriter
  readonly callPlacer: CallPlacer
  readonly places: KnownPlaces
}

interface Asking {
  readonly run: CampaignRun
  readonly number: PhoneNumber
  readonly place: PlaceInQueue
}

/** The callbacks of one engine that callers in queues ask for. */
export class QueueCallbacks implements QueueCallbackDesk {
  readonly #context: EngineContext
  readonly #parts: Parts
  /** Teams of the configuration, so there is a cap. */
  readonly #told = new Set<TeamName>()

  constructor(context: EngineContext, parts: Parts) {
    this.#context = context
    this.#parts = parts
  }

  /** `queue.callback` follows: `offered`, or why not. What is not known is not offered. */
  offer(live: LiveCall): void {
    const asking = this.#asking(live)
    if (typeof asking === 'string') return this.#refuse(live, asking)
    const { dialerRepository } = this.#parts
    const { run, number } = asking
    const { externalSystem, externalCustomer } = live.matched ?? {}
    const stops: Stop[] = [{ kind: 'number', number }]
    if (externalSystem !== undefined && externalCustomer !== undefined) {
      stops.push({ kind: 'person', externalSystem, externalCustomer })
    }
    const isStopped = stops.map((stop) => dialerRepository.isStopped(FIRST_CORPORATION, stop))
    Promise.all([dialerRepository.isKillSwitchOn(), ...isStopped]).then(
      ([isKillSwitchOn, ...stopped]) =>
        this.#context.enqueue(() => {
          const { trunk: name } = run.campaign
          const trunk = this.#parts.trunks().find((one) => name === undefined || one.name === name)
          const known = { campaign: run.campaign, number, nowMs: this.#nowMs(), trunk }
          const why = whyNotCalledBack({ ...known, isKillSwitchOn, isStopped: stopped.includes(true) })
          if (why !== undefined) return this.#refuse(live, why)
          this.#context.sendToCall(live.call, { type: 'queue.callback', what: 'offered' })
        }),
      () => this.#context.enqueue(() => this.#refuse(live, 'the database does not answer')),
    )
  }

  /** Stores the place. `queue.callback` follows: `kept` when it is in the database, or why it is not. */
  keep(live: LiveCall): void {
    const asking = this.#asking(live)
    if (typeof asking === 'string') return this.#refuse(live, asking)
    const { run, number, place } = asking
    const { receiverName = number, externalSystem, externalCustomer, externalCaseNumber } = live.matched ?? {}
    const nowMs = this.#nowMs()
    const request = {
      ...place,
      campaign: run.campaign.id,
      corporation: FIRST_CORPORATION,
      call: live.call,
      number,
      receiverName,
      externalSystem,
      externalCustomer,
      externalCaseNumber,
      attemptsMax: CALLBACK_ATTEMPTS_MAX,
      nowMs,
    }
    this.#parts.dialerRepository.keepPlace(request).then(
      (task) =>
        this.#context.enqueue(() => {
          if (typeof task === 'string') return this.#refuse(live, task)
          if (this.#isServed(live)) return this.#end(task, 'the caller reached an agent')
          const kept = { task, campaign: run.campaign.id, atMs: nowMs, nextCallAtMs: nowMs }
          live.keepsPlace = true
          this.#parts.places.kept({ ...kept, place: { ...place, number } }, live.leg)
          this.#context.sendToCall(live.call, { type: 'queue.callback', what: 'kept' })
        }),
      () => this.#context.enqueue(() => this.#refuse(live, 'the database does not answer')),
    )
  }

  /** Since when the caller has a place in the queue of the team; it is taken: nobody is called who is on our line. */
  takePlace({ caller }: LiveCall, team: TeamName): AtMs | undefined {
    const number = matchable(caller)
    const place = number === undefined ? undefined : this.#parts.places.takePlace(number, team)
    if (place) this.#end(place.task, 'the caller called again and has their place in the queue')
    return place?.sinceAtMs
  }

  callBack(task: CallTaskId, agent: AgentName): void {
    this.#parts.places.callBack(task, agent)
  }

  #asking(live: LiveCall): Asking | string {
    const waiter = this.#context.distributor.waiter(live.call)
    const number = matchable(live.caller)
    if (!waiter) return 'the caller does not wait'
    if (number === undefined) return "the caller's number is withheld or not international"
    const { team, priority, skills = [], sinceAtMs } = waiter
    const runs = [...this.#parts.callPlacer.campaigns.values()]
    const run = runs.find(({ campaign }) => campaign.queueCallbacks && campaign.isActive && campaign.team === team)
    if (!run) {
      this.#tellOnce(team)
      return 'no active campaign of the team has queueCallbacks'
    }
    if (!this.#parts.callPlacer.isWell) return 'the engine may not dial'
    if (this.#context.distributor.readyIn(team, skills) === 0)
      return 'no agent for this caller is logged in and at work'
    return { run, number, place: { priority, skills, sinceAtMs } }
  }

  #isServed({ leg, talk }: LiveCall): boolean {
    return talk !== undefined || this.#context.distributor.sessionWith(leg) !== undefined
  }

  /** Each team once: the flow promises what the database does not have, and no check of the flow can know it. */
  #tellOnce(team: TeamName): void {
    if (this.#told.has(team)) return
    this.#told.add(team)
    const message = `team ${team} has no active campaign with queueCallbacks: its callers are not offered a callback`
    this.#context.dependencies.log.warn({ team }, message)
  }

  #end(task: CallTaskId, reason: string): void {
    const asOf = { corporations: [FIRST_CORPORATION], status: 'endedBySystem', atMs: this.#nowMs() } as const
    this.#parts.recordWriter.write({ key: `task-${task}`, what: 'taskEnded', value: { ...asOf, task, reason } })
  }

  #refuse(live: LiveCall, why: string): void {
    this.#context.later(live.call, { type: 'queue.callback', what: 'refused', why })
  }

  #nowMs(): AtMs {
    return this.#context.dependencies.clock.nowMs()
  }
}
