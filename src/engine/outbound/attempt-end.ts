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
import type { LiveAttempt } from './live-attempt.ts'
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
  /** The end as it is recorded. It needs the other attempts of the task, and is made when a step asks first. */
  readonly end: () => AttemptEnd
}

interface LiveEnded extends Ended {
  readonly attempt: LiveAttempt
}

/** Runs the steps after attempts. */
export class AttemptEnds {
  readonly #context: EngineContext
  readonly #options: AttemptEndOptions
  readonly #afterPastAttempt: StepsOf<typeof AFTER_PAST_ATTEMPT, Ended>
  readonly #afterAttempt: StepsOf<typeof AFTER_ATTEMPT, LiveEnded>

  constructor(context: EngineContext, options: AttemptEndOptions) {
    this.#context = context
    this.#options = options
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
    const end = () => attemptEndOf(attempt, report, this.#options.fence(), attempt.seen.endedAtMs ?? nowMs)
    runSteps(AFTER_ATTEMPT, this.#afterAttempt, { attempt, report, atMs: nowMs, end: once(end) })
  }

  pastAttemptEnded({ attempt, report, atMs }: PastEnd): void {
    const end = () => attemptEndOf(attempt, report, this.#options.fence(), atMs)
    runSteps(AFTER_PAST_ATTEMPT, this.#afterPastAttempt, { attempt, report, atMs, end: once(end) })
  }

  /** A campaign most of whose calls fail pauses itself at once; the writer retries until the database knows (F-F7). */
  pauseIfFailing(run: CampaignRun): void {
    const why = run.whyFailing
    if (why === undefined) return
    const { id: campaign, activeSinceAtMs } = run.stored
    const { clock, log } = this.#context.dependencies
    log.error({ campaign, why }, 'a campaign paused itself: too many of its calls failed')
    const value = { campaign, activeSinceAtMs, why, atMs: clock.nowMs() }
    run.stop()
    this.#options.recordWriter.write({ key: `campaign-${campaign}`, what: 'paused', value })
  }

  #countAnswer({ attempt: { campaign, attempt }, report: { facts, result }, atMs }: Ended): void {
    if (facts.isMachine) campaign.answered(attempt, true, atMs)
    campaign.resolved(attempt, facts.isMachine, result === 'dropped', atMs)
  }

  #noteTrunkResult({ attempt: { campaign }, report: { facts, result }, atMs }: Ended): void {
    const { trunks } = this.#options
    const trunk = trunks.of(campaign)
    if (!trunk || facts.reach === 'nothing') return
    trunks.pace.attemptEnded(trunk.name, result === 'failed' && facts.reach === 'sent', atMs)
  }

  #noteCampaignResult({ attempt: { campaign, claimedAtMs }, end }: Ended): void {
    const { trunks } = this.#options
    const trunk = trunks.of(campaign)
    const isTrunkDown = trunk !== undefined && trunks.pace.isFailing(trunk.name)
    campaign.tried({ ...end(), claimedAtMs, endedAtMs: end().atMs }, isTrunkDown)
    this.pauseIfFailing(campaign)
  }

  /** An attempt that never left the engine was no call: it gets no call activity and no event. */
  #recordEnd({ attempt, report, end }: Ended): void {
    const { recordWriter } = this.#options
    const { leg: key } = attempt
    if (report.facts.reach === 'nothing') recordWriter.write({ key, what: 'attemptEnded', value: end() })
    else {
      const value = finishedCallOf(attempt, end(), this.#context.eventName())
      recordWriter.write({ key, what: 'callEnded', value })
    }
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
