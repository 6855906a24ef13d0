/** The campaigns as they are kept, followed while they run. One that cannot be read dials nobody. */
import { campaignOf } from '../../dialer/stored-campaign.ts'
import type { CampaignId, Fence } from '../../kernel/ids.ts'
import type { DialerRepository, StoredCampaign } from '../../ports/dialer-repository.ts'
import { AnswerCounts } from '../campaigns/answer-counts.ts'
import { CampaignRun } from '../campaigns/campaign-run.ts'
import { pastOf, pastsNeeded } from '../campaigns/load-answer-counts.ts'
import type { EngineContext } from '../context.ts'
import type { CallPlacer } from './place-calls.ts'

/** Mutable state with a lifetime, hence a class. */
export class CampaignRegistry {
  readonly #context: EngineContext
  readonly #dialerRepository: DialerRepository
  readonly #node: string
  readonly #dialing: CallPlacer
  /** Where the answered calls of all campaigns are counted. */
  readonly #counts = new AnswerCounts()
  #isLoading = false
  #isOutdated = false
  readonly #complained = new Map<CampaignId, string>()
  /** As they were read last: reading one again that did not change costs nothing. */
  readonly #read = new Map<CampaignId, string>()

  constructor(
    context: EngineContext,
    { dialerRepository, node }: { dialerRepository: DialerRepository; node: string },
    dialing: CallPlacer,
  ) {
    this.#context = context
    this.#dialerRepository = dialerRepository
    this.#node = node
    this.#dialing = dialing
  }

  get(id: CampaignId): CampaignRun | undefined {
    return this.#dialing.campaigns.get(id)
  }

  all(): Iterable<CampaignRun> {
    return this.#dialing.campaigns.values()
  }

  /** Whether one that is at work looks ahead, and wants to decide more often than others. */
  get isForecasting(): boolean {
    const { distributor } = this.#context
    return [...this.all()].some(
      ({ isAutomatic, pace, campaign }) => isAutomatic && pace.isForecasting && distributor.readyIn(campaign.team) > 0,
    )
  }

  /** Reads them all again. False when the records are away; what is known stays. */
  async load(): Promise<boolean> {
    this.#isOutdated = this.#isLoading
    if (this.#isLoading) return true
    this.#isLoading = true
    try {
      const stored = await this.#dialerRepository.campaigns()
      const begun = Promise.all(stored.map((campaign) => this.#begun(campaign)))
      const [fresh] = await Promise.all([begun, this.#tally(stored)])
      this.#context.enqueue(() => {
        for (const [index, campaign] of stored.entries()) this.#follow(campaign, fresh[index])
        this.#dialing.consider()
      })
      return true
    } catch (error) {
      this.#context.dependencies.log.debug({ why: String(error) }, 'the campaigns could not be read')
      return false
    } finally {
      this.#isLoading = false
      // Something changed after it had been read.
      if (this.#isOutdated) void this.load()
    }
  }

  /** Keeps what they have learnt since the last time. What cannot be kept is kept the next time, or learnt anew. */
  async keepLearning(fence: Fence): Promise<void> {
    const atMs = this.#context.dependencies.clock.nowMs()
    const lease = { node: this.#node, fence }
    for (const { campaign, pace } of this.all()) {
      const data = pace.toKeep()
      if (!data) continue
      try {
        await this.#dialerRepository.keepLearning(lease, { campaign: campaign.id, data, atMs })
      } catch (error) {
        // A memory that is away is not waited for once more for each campaign.
        this.#context.dependencies.log.debug(
          { campaign: campaign.id, why: String(error) },
          'what it learnt could not be kept',
        )
        return
      }
    }
  }

  /** A campaign that is new here begins with what its ledgers still count, and with its latest attempts. */
  async #begun(stored: StoredCampaign): Promise<CampaignRun | undefined> {
    if (this.#dialing.campaigns.has(stored.id)) return undefined
    const read = campaignOf(stored)
    if ('missing' in read) return undefined
    const [tried, learning] = await Promise.all([
      this.#dialerRepository.triedAttempts(stored.id, stored.activeSinceAtMs),
      this.#dialerRepository.keptLearning(stored.id, this.#node),
    ])
    return new CampaignRun(stored, read.campaign, { counts: this.#counts, tried, learning })
  }

  /** What every ledger still counts is known before the first line is placed under it. */
  async #tally(stored: readonly StoredCampaign[]): Promise<void> {
    const origins = stored.flatMap((campaign) => {
      const read = campaignOf(campaign)
      return 'missing' in read ? [] : [{ stored: campaign, campaign: read.campaign }]
    })
    const nowMs = this.#context.dependencies.clock.nowMs()
    await Promise.all(
      pastsNeeded(this.#counts, origins).map(async (past) => {
        past.window.fill(await pastOf(this.#dialerRepository, past, nowMs), nowMs)
      }),
    )
  }

  #follow(stored: StoredCampaign, begun: CampaignRun | undefined): void {
    const text = JSON.stringify(stored)
    if (!begun && this.#read.get(stored.id) === text) return
    this.#read.set(stored.id, text)
    const known = this.#dialing.campaigns.get(stored.id)
    const read = campaignOf(stored)
    if ('missing' in read) {
      const why = read.missing.join('; ')
      if (stored.active && this.#complained.get(stored.id) !== why) {
        this.#context.dependencies.log.warn({ campaign: stored.id, why }, 'a campaign is not complete: it dials nobody')
      }
      this.#complained.set(stored.id, why)
      if (known) known.campaign = { ...known.campaign, isActive: false }
    } else if (known) known.follow(stored, read.campaign)
    else if (begun) {
      this.#dialing.campaigns.set(stored.id, begun)
      this.#dialing.stopWhereFailing(begun)
    }
  }
}
