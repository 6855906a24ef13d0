/** What the end of an attempt means for pacing, ledgers, trunks, records and agents; `after-call.ts` has the order. */
import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, Fence } from '../../kernel/ids.ts'
import type { AttemptEnd } from '../../ports/attempt.ts'
import { AFTER_ATTEMPT, AFTER_PAST_ATTEMPT, runSteps, type StepsOf } from '../after-call.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { EngineContext } from '../context.ts'
import type { RecordWriter } from '../record-writer.ts'
import { attemptEndOf, type EndedAttempt, finishedCallOf } from './attempt-outcome.ts'
import { CarrierFailures } from './carrier-failures.ts'
import { answeredLine, type LiveAttempt } from './live-attempt.ts'
import type { PacingObservations } from './pacing-observations.ts'
import type { Trunks } from './trunk-load.ts'

export interface AttemptEndOptions {
  readonly recordWriter: RecordWriter
  readonly fence: () => Fence
  readonly trunks: Trunks
  readonly pacingObservations: PacingObservations
  readonly forgetAttempt: (live: LiveAttempt, report: AttemptReport) => void
  readonly releaseAgent: (agent: AgentName) => void
  readonly notifyAgent: (live: LiveAttempt, report: AttemptReport) => void
  readonly considerDialing: () => void
}

export interface PastEnd {
  readonly attempt: EndedAttempt
  readonly report: AttemptReport
  readonly atMs: AtMs
}

interface Ended {
  readonly attempt: EndedAttempt
  readonly report: AttemptReport
  readonly atMs: AtMs
  /** The end as it is recorded. It needs the other attempts of the task. */
  readonly end: (isSpared?: boolean) => AttemptEnd
}

interface LiveEnded extends Ended {
  readonly attempt: LiveAttempt
  /** The trunk that failed the call before any ring. */
  failedOver?: string
}

/** Runs the steps after attempts. */
export class AttemptEnds {
  readonly #context: EngineContext
  readonly #options: AttemptEndOptions
  readonly carrierFailures: CarrierFailures
  readonly #afterPastAttempt: StepsOf<typeof AFTER_PAST_ATTEMPT, Ended>
  readonly #afterAttempt: StepsOf<typeof AFTER_ATTEMPT, LiveEnded>

  constructor(context: EngineContext, options: AttemptEndOptions) {
    this.#context = context
    this.#options = options
    this.carrierFailures = new CarrierFailures(context)
    this.#afterPastAttempt = {
      countAnswer: (ended) => this.#countAnswer(ended),
      noteCampaignResult: (ended) => this.#noteCampaignResult(ended),
      recordEnd: (ended) => this.#recordEnd(ended),
    }
    this.#afterAttempt = {
      ...this.#afterPastAttempt,
      forgetAttempt: ({ attempt, report }) => options.forgetAttempt(attempt, report),
      teachPacing: ({ attempt, report, atMs }) => options.pacingObservations.attemptEnded(attempt, report, atMs),
      noteTrunkResult: (ended) => this.#noteTrunkResult(ended),
      recordEnd: (ended) => this.#recordLiveEnd(ended),
      recordAfterwards: ({ attempt }) => {
        for (const entry of attempt.afterwards) options.recordWriter.write(entry)
      },
      releaseReservedAgent: ({ attempt: { byHand, group, seen } }) => {
        // Another number of the task may still ring for the same agent.
        const isLast = group.open.size === 0
        if (byHand !== undefined && isLast && seen.connectedAtMs === undefined) options.releaseAgent(byHand)
      },
      notifyAgent: ({ attempt, report }) => options.notifyAgent(attempt, report),
      considerDialing: () => options.considerDialing(),
    }
  }

  attemptEnded(attempt: LiveAttempt, report: AttemptReport): void {
    const nowMs = this.#context.dependencies.clock.nowMs()
    const endedAtMs = attempt.seen.endedAtMs ?? nowMs
    const end = (isSpared = false) => attemptEndOf(attempt, report, this.#options.fence(), endedAtMs, isSpared)
    runSteps(AFTER_ATTEMPT, this.#afterAttempt, { attempt, report, atMs: nowMs, end })
  }

  pastAttemptEnded({ attempt, report, atMs }: PastEnd): void {
    const end = () => attemptEndOf(attempt, report, this.#options.fence(), atMs)
    runSteps(AFTER_PAST_ATTEMPT, this.#afterPastAttempt, { attempt, report, atMs, end })
  }

  /** A campaign most of whose calls fail pauses itself at once; the writer retries until the database knows (F-F7). */
  pauseIfFailing(run: CampaignRun): void {
    const why = run.whyFailing
    if (why === undefined) return
    const campaign = run.stored.id
    this.#context.dependencies.log.error({ campaign, why }, 'a campaign paused itself: too many of its calls failed')
    this.#pause(run, why)
  }

  pauseIfOver(run: CampaignRun): void {
    const { isActive, endsAtMs } = run.campaign
    if (!isActive || endsAtMs === undefined || this.#context.dependencies.clock.nowMs() < endsAtMs) return
    this.#pause(run, `the campaign has ended: endsAt is ${new Date(endsAtMs).toISOString()}`)
  }

  /** Nothing further is dialed; lines in flight go on. */
  #pause(run: CampaignRun, why: string): void {
    const { id: campaign, activeSinceAtMs } = run.stored
    const value = { campaign, activeSinceAtMs, why, atMs: this.#context.dependencies.clock.nowMs() }
    run.stop()
    this.#options.recordWriter.write({ key: `campaign-${campaign}`, what: 'paused', value })
  }

  /** As the records count it: every call that was answered. */
  #countAnswer({ attempt, report: { facts, result }, atMs }: Ended): void {
    const answered = answeredLine(attempt)
    if (answered) attempt.campaign.resolved(answered, facts.isMachine, result === 'dropped', atMs)
  }

  #noteTrunkResult(ended: LiveEnded): void {
    const { attempt, report, atMs } = ended
    const { trunks } = this.#options
    const trunk = trunks.named(attempt.shown.trunk)
    if (trunk && trunks.lineEnded(attempt, report, atMs) && report.facts.reach === 'sent') ended.failedOver = trunk.name
  }

  #noteCampaignResult({ attempt: { campaign, shown, claimedAtMs, seen }, report, atMs }: Ended): void {
    const { trunks } = this.#options
    const trunk = trunks.named(shown.trunk)
    const isTrunkDown = trunk !== undefined && trunks.pace.failingSince(trunk.name) !== undefined
    const { result, facts } = report
    const { answeredAtMs, endedAtMs = atMs } = seen
    const tried = {
      result,
      reach: facts.reach,
      claimedAtMs,
      endedAtMs,
      ...(answeredAtMs !== undefined && { answeredAtMs }),
      ...(facts.end?.code !== undefined && { sipStatus: facts.end.code }),
    }
    campaign.tried(tried, isTrunkDown)
    this.pauseIfFailing(campaign)
  }

  /** While the carrier is down, an attempt that no phone noticed neither counts nor starts the interval. */
  #recordLiveEnd(ended: LiveEnded): void {
    const { attempt, atMs, failedOver: trunk } = ended
    if (trunk === undefined) return this.#recordEnd(ended)
    const write = (isSpared: boolean) => this.#recordEnd(ended, isSpared)
    if (this.#options.trunks.pace.failingSince(trunk) !== undefined) write(true)
    else this.carrierFailures.keep(attempt.leg, { trunk, atMs, write })
  }

  /** An attempt that never left the engine was no call: it gets no call activity and no event. */
  #recordEnd({ attempt, report, end }: Ended, isSpared = false): void {
    const { recordWriter } = this.#options
    const { leg: key } = attempt
    if (report.facts.reach === 'nothing') recordWriter.write({ key, what: 'attemptEnded', value: end(isSpared) })
    else {
      const value = finishedCallOf(attempt, end(isSpared), this.#context.eventName())
      recordWriter.write({ key, what: 'callEnded', value })
    }
  }
}
