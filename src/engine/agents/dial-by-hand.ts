/** Agents who dial: the task that is offered to them, or one of their choice. */
import { isTurnOfAnother } from '../../dialer/decide-due-task.ts'
import { REASONS } from '../../dialer/may-dial-now.ts'
import type { AgentName, CallTaskId } from '../../kernel/ids.ts'
import type { AgentState, OrderAnswer } from '../../ports/agent-desktop.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { EngineContext } from '../context.ts'
import type { CampaignRegistry } from '../outbound/campaign-registry.ts'
import type { CallPlacer } from '../outbound/place-calls.ts'
import type { PreviewOffers } from './preview-offers.ts'
import { isTheirs, whyNotByHand } from './why-not-by-hand.ts'

interface DialByHandOptions {
  readonly callPlacer: Pick<CallPlacer, 'dialByHand' | 'isClaiming' | 'trunks' | 'attempts'>
  readonly campaigns: Pick<CampaignRegistry, 'get'>
  readonly preview: PreviewOffers
  readonly dialerRepository: Pick<DialerRepository, 'describeTasks'>
}

/** A task that was refused to its agent is offered to nobody for so long. */
const REFUSED_MS = 60_000
/** Our choice: no database that works takes so long for a claim, and an agent waits no longer without a word. */
const CLAIM_MAX_MS = 5_000
const STILL_HELD = 'The dialer still looks for a call for you. Try again.'
const OK: OrderAnswer = { ok: true }
const no = (why: string): OrderAnswer => ({ ok: false, why })

/** Carries out the order `dial`; the agent is reserved until the callee answers. */
export class DialByHand {
  readonly #context: EngineContext
  readonly #options: DialByHandOptions

  constructor(context: EngineContext, options: DialByHandOptions) {
    this.#context = context
    this.#options = options
  }

  /** `typed`: the only number that may ring, as somebody writes it. */
  dial(agent: AgentName, chosen: CallTaskId | undefined, typed?: string): OrderAnswer | Promise<OrderAnswer> {
    const { distributor } = this.#context
    const { preview } = this.#options
    const offered = preview.takeOffer(agent)
    const task = chosen ?? offered?.task.id
    if (offered && task !== offered.task.id) preview.releaseTask(offered.task.id, this.#nowMs())
    if (task === undefined) return no('No task is offered to you. Name the task to dial.')
    if (offered || distributor.reserve(agent, this.#nowMs())) {
      return this.#dialReserved(agent, task, task === offered?.task.id, typed)
    }
    return this.#isHeldByClaim(agent) ? this.#dialAfterClaim(agent, task, typed) : no(this.#whyNotReady(agent))
  }

  /** A claim that runs keeps agents for its lines, or one of them for one task: it may find nobody to dial. */
  #isHeldByClaim(agent: AgentName): boolean {
    const { isClaiming, attempts } = this.#options.callPlacer
    const state = this.#stateOf(agent)
    const isDialedFor = [...attempts.all()].some(({ byHand }) => byHand === agent)
    return isClaiming && (state === 'ready' || (state === 'reserved' && !isDialedFor))
  }

  #dialAfterClaim(agent: AgentName, task: CallTaskId, typed: string | undefined): Promise<OrderAnswer> {
    const { distributor, dependencies, enqueue } = this.#context
    const { clock } = dependencies
    const { trunks } = this.#options.callPlacer
    return new Promise((resolve) => {
      let isOver = false
      const end = (answer: OrderAnswer | Promise<OrderAnswer>) => {
        isOver = true
        timer.cancel()
        resolve(answer)
      }
      const timer = clock.schedule(clock.nowMs() + CLAIM_MAX_MS, () => enqueue(() => isOver || end(no(STILL_HELD))))
      const tryAgain = () => {
        if (isOver) return
        if (distributor.reserve(agent, this.#nowMs())) end(this.#dialReserved(agent, task, false, typed))
        else if (this.#isHeldByClaim(agent)) wait()
        else end(no(this.#whyNotReady(agent)))
      }
      // A turn later: agents who were kept for the lines of the claim are free then.
      const wait = () => trunks.whenClaimEnds(() => enqueue(tryAgain))
      wait()
    })
  }

  /** Why the agent cannot be reserved now. */
  #whyNotReady(agent: AgentName): string {
    const state = this.#stateOf(agent)
    if (state === 'reserved') return 'A call is dialed for you already.'
    return state === 'ready' ? 'You are needed for a call that comes to you in a moment.' : 'You are not ready.'
  }

  #stateOf(agent: AgentName): AgentState | undefined {
    return this.#context.distributor.statuses().find((one) => one.agent === agent)?.state
  }

  #dialReserved(
    agent: AgentName,
    task: CallTaskId,
    isOfferedToThem: boolean,
    typed: string | undefined,
  ): Promise<OrderAnswer> {
    const { distributor, enqueue, performDistributor } = this.#context
    return new Promise((resolve) => {
      const refuse = (why: string) => {
        // Any other task may be offered to somebody else.
        if (isOfferedToThem) this.#options.preview.releaseTask(task, this.#nowMs() + REFUSED_MS)
        performDistributor(distributor.unreserve(agent, this.#nowMs()))
        resolve(no(why))
      }
      this.#options.dialerRepository.describeTasks([task], 0).then(
        ([due]) =>
          enqueue(() => {
            const run = due && this.#options.campaigns.get(due.campaign)
            if (!run || !isTheirs(this.#context, run, agent))
              return refuse('There is no such task, or its campaign is not complete.')
            const whyNot = whyNotByHand(due, { isActive: run.campaign.isActive, isOfferedToThem })
            if (whyNot !== undefined) return refuse(whyNot)
            if (typed !== undefined && isTurnOfAnother(due, typed, this.#nowMs(), run.campaign)) {
              return refuse(REASONS.notItsTurn)
            }
            this.#options.callPlacer.dialByHand(run, { agent, task }, (why) => {
              if (why === undefined) resolve(OK)
              else
                refuse(why === 'unavailable' ? 'Dialing is not possible at the moment. Try again later.' : REASONS[why])
            })
          }),
        () => enqueue(() => refuse('The database is unavailable, so nothing can be dialed. Try again later.')),
      )
    })
  }

  #nowMs() {
    return this.#context.dependencies.clock.nowMs()
  }
}
