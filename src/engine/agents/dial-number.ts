/** Agents who dial a number that they type: it becomes a call task, and is dialed as one (campaigns-111). */
import { readNumber } from '../../dialer/check-import.ts'
import { REASONS } from '../../dialer/may-dial-now.ts'
import { countryOf } from '../../dialer/phone-number.ts'
import {
  type AgentName,
  type CallTaskId,
  type CampaignId,
  FIRST_CORPORATION,
  type PhoneNumber,
} from '../../kernel/ids.ts'
import type { AgentDesktop, OrderAnswer } from '../../ports/agent-desktop.ts'
import type { TaskOfNumber } from '../../ports/call-task.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { EngineContext } from '../context.ts'
import type { CampaignRegistry } from '../outbound/campaign-registry.ts'
import { isTheirs } from './why-not-by-hand.ts'

interface DialNumberOptions {
  readonly campaigns: Pick<CampaignRegistry, 'get' | 'all'>
  readonly dialerRepository: Pick<DialerRepository, 'taskOfNumber' | 'takeBackTask'>
  readonly dial: (agent: AgentName, task: CallTaskId, typed: PhoneNumber) => OrderAnswer | Promise<OrderAnswer>
}

const WHY = {
  foreign: 'Your teams have no such campaign, or it is not complete.',
  notAllowed: 'Agents of this campaign may not dial numbers. A supervisor can allow it (agentsDialNumbers).',
  notReady: 'You are not ready.',
  unavailable: 'The database is unavailable, so nothing can be dialed. Try again later.',
} as const
const no = (why: string): OrderAnswer => ({ ok: false, why })

/** Carries out the order `dialNumber`. A call task that was made for it, and that the gate refuses, is ended again. */
export class DialNumber {
  readonly #context: EngineContext
  readonly #options: DialNumberOptions

  constructor(context: EngineContext, options: DialNumberOptions) {
    this.#context = context
    this.#options = options
  }

  readonly campaigns: AgentDesktop['campaignsToDialIn'] = (agent) =>
    [...this.#options.campaigns.all()]
      .filter((run) => isTheirs(this.#context, run, agent) && run.campaign.isActive && run.campaign.agentsDialNumbers)
      .map(({ campaign: { id, name } }) => ({ campaign: id, name }))
      .sort((one, other) => one.name.localeCompare(other.name))

  dial(agent: AgentName, written: string, id: CampaignId): OrderAnswer | Promise<OrderAnswer> {
    const run = this.#options.campaigns.get(id)
    if (!run || !isTheirs(this.#context, run, agent)) return no(WHY.foreign)
    const { agentsDialNumbers, isActive, callerId, allowedCountries, acceptsPossibleNumbers } = run.campaign
    if (!agentsDialNumbers) return no(WHY.notAllowed)
    if (!isActive) return no(REASONS.campaignInactive)
    const state = this.#context.distributor.statuses().find((one) => one.agent === agent)?.state
    if (state !== 'ready' && state !== 'reserved') return no(WHY.notReady)
    const rules = { country: countryOf(callerId), allowedCountries, skipInvalidNumbers: false, acceptsPossibleNumbers }
    const number = readNumber(written, 'The number', rules)
    return typeof number === 'string' ? no(`${number}.`) : this.#dialAsTask(agent, run, number)
  }

  #dialAsTask(
    agent: AgentName,
    { campaign, stored }: CampaignRun,
    number: Exclude<ReturnType<typeof readNumber>, string>,
  ) {
    const { externalSystem } = stored
    const atMs = this.#nowMs()
    const { given, number: e164 } = number
    const request = { campaign: campaign.id, corporation: FIRST_CORPORATION, externalSystem, given, number: e164, atMs }
    return new Promise<OrderAnswer>((resolve) => {
      this.#options.dialerRepository.taskOfNumber(request).then(
        (found) =>
          this.#context.enqueue(() => {
            if (found === 'stopped') return resolve(no(REASONS.stopped))
            resolve(found === 'not allowed' ? no(WHY.notAllowed) : this.#dialTask(agent, found, e164))
          }),
        () => resolve(no(WHY.unavailable)),
      )
    })
  }

  /** Not told before the call task is ended: nobody finds it open who tries again. */
  async #dialTask(agent: AgentName, { task, isNew }: TaskOfNumber, number: PhoneNumber): Promise<OrderAnswer> {
    const answer = await this.#options.dial(agent, task, number)
    if (answer.ok || !isNew) return answer
    const { dialerRepository } = this.#options
    const { log } = this.#context.dependencies
    // Without it the call task stays open in a campaign that dials nothing by itself.
    await dialerRepository.takeBackTask(task, `not dialed: ${answer.why}`, this.#nowMs()).catch((error: unknown) => {
      log.warn({ task, err: error }, 'the call task of a number that was refused stays open')
    })
    return answer
  }

  #nowMs() {
    return this.#context.dependencies.clock.nowMs()
  }
}
