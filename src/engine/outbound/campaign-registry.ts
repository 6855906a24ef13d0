/** Follows the campaigns of the database. A campaign that cannot be read does not dial. */
import { NOTHING_MEASURED } from '../../dialer/detection-error.ts'
import { knownGreetings } from '../../dialer/known-greeting.ts'
import { type CampaignReading, campaignOf } from '../../dialer/stored-campaign.ts'
import type { TrunkNumbers } from '../../dialer/trunk-choice.ts'
import { whyMute } from '../../dialer/why-mute.ts'
import type { CampaignId, CorporationId, Fence } from '../../kernel/ids.ts'
import type { DetectionCounts, TriedAttempt } from '../../ports/attempt.ts'
import type { DialerRepository, StoredCampaign } from '../../ports/dialer-repository.ts'
import type { Greeting } from '../../ports/pbx.ts'
import { AnswerCounts } from '../campaigns/answer-counts.ts'
import { CampaignRun } from '../campaigns/campaign-run.ts'
import { pastOf, pastsNeeded } from '../campaigns/load-answer-counts.ts'
import type { EngineContext } from '../context.ts'
import type { CallPlacer } from './place-calls.ts'

/** Our choice: older calls say little about the machines and the networks of today. */
const MEASURED_MS = 30 * 24 * 3_600_000

interface CampaignSources {
  readonly dialerRepository: DialerRepository
  readonly node: string
  readonly trunks: () => readonly TrunkNumbers[]
  /** Whether this node has the right to dial; undefined: no other node can have it. */
  readonly mayDial?: () => boolean
  /** Undefined: this node works alone. */
  readonly agentNodes?: object
}

/** Our choice: calls of a node that dialed before end in the ledgers of this one so much later at most. */
const OTHERS_EVERY_MS = 60_000
/** Whether a call was abandoned is known within minutes of its answer. */
const OTHERS_BACK_MS = 3_600_000

/** Loads campaigns and what they learnt, and stores what they learn. */
export class CampaignRegistry {
  readonly #context: EngineContext
  readonly #dialerRepository: DialerRepository
  readonly #node: string
  readonly #trunks: () => readonly TrunkNumbers[]
  readonly #callPlacer: CallPlacer
  readonly #counts = new AnswerCounts()
  readonly #hasRight: () => boolean
  /** Whether ledgers were filled since this node has had the right to dial. */
  #isPastKnown = false
  readonly #hasOthers: boolean
  #othersDueAtMs = 0
  #isLoading = false
  #isOutdated = false
  readonly #complained = new Map<CampaignId, string>()
  /** The reading of each campaign as it was last loaded; an unchanged campaign keeps it. */
  readonly #readings = new Map<CampaignId, { readonly text: string; readonly reading: CampaignReading }>()
  readonly #followed = new Map<CampaignId, CampaignReading>()

  constructor(context: EngineContext, sources: CampaignSources, callPlacer: CallPlacer) {
    const { dialerRepository, node, trunks, mayDial = () => true, agentNodes } = sources
    this.#context = context
    this.#hasRight = mayDial
    this.#hasOthers = agentNodes !== undefined
    this.#dialerRepository = dialerRepository
    this.#node = node
    this.#trunks = trunks
    this.#callPlacer = callPlacer
  }

  get(id: CampaignId): CampaignRun | undefined {
    return this.#callPlacer.campaigns.get(id)
  }

  all(): Iterable<CampaignRun> {
    return this.#callPlacer.campaigns.values()
  }

  get isForecasting(): boolean {
    const { distributor } = this.#context
    return [...this.all()].some(
      ({ isAutomatic, pace, campaign }) => isAutomatic && pace.isForecasting && distributor.readyIn(campaign.team) > 0,
    )
  }

  /** False also while ledgers do not know what another node has dialed until now (campaigns-139). */
  get mayDial(): boolean {
    if (!this.#hasRight()) this.#isPastKnown = false
    return this.#isPastKnown
  }

  /** Reads all campaigns again. False: the database is unavailable, and what is known stays. */
  async load(): Promise<boolean> {
    this.#isOutdated = this.#isLoading
    if (this.#isLoading) return true
    this.#isLoading = true
    const isNewRight = !this.mayDial && this.#hasRight()
    if (isNewRight) this.#counts.forget()
    try {
      const stored = await this.#dialerRepository.campaigns()
      const begun = Promise.all(stored.map((campaign) => this.#begun(campaign)))
      const reading = [begun, this.#measured(stored), this.#greetings(stored)] as const
      const tried = isNewRight && this.#hasOthers ? Promise.all(stored.map((campaign) => this.#tried(campaign))) : []
      const [fresh, measured, greetings, trials] = await Promise.all([...reading, tried, this.#tally(stored)])
      this.#context.enqueue(() => {
        for (const [index, campaign] of stored.entries()) {
          this.#follow(campaign, fresh[index])
          this.#complain(campaign)
          const run = this.get(campaign.id)
          if (!run) continue
          if (trials[index]) this.#triedBefore(run, trials[index])
          run.detection = measured[index]!
          run.greetings = greetings.get(campaign.corporation) ?? []
        }
        if (isNewRight) this.#isPastKnown = true
        this.#callPlacer.consider()
      })
      return true
    } catch (error) {
      this.#context.dependencies.log.debug({ why: String(error) }, 'campaigns could not be read; retrying')
      return false
    } finally {
      this.#isLoading = false
      // Something changed during the read.
      if (this.#isOutdated) void this.load()
    }
  }

  /** Stores what the campaigns have learnt since the last time. What cannot be stored is stored the next time. */
  async keepLearning(fence: Fence): Promise<void> {
    const atMs = this.#context.dependencies.clock.nowMs()
    const lease = { node: this.#node, fence }
    for (const { campaign, pace } of this.all()) {
      const data = pace.toKeep()
      if (!data) continue
      try {
        await this.#dialerRepository.keepLearning(lease, { campaign: campaign.id, data, atMs })
      } catch (error) {
        // An unavailable database is not asked once more for each further campaign.
        this.#context.dependencies.log.debug(
          { campaign: campaign.id, why: String(error) },
          'what a campaign learnt could not be stored; retrying later',
        )
        return
      }
    }
  }

  /** A new campaign begins with the past that its ledgers still count, and with its latest attempts. */
  async #begun(stored: StoredCampaign): Promise<CampaignRun | undefined> {
    if (this.#callPlacer.campaigns.has(stored.id)) return undefined
    const read = this.#readingOf(stored)
    if ('missing' in read) return undefined
    const [tried, learning] = await Promise.all([
      this.#tried(stored),
      this.#dialerRepository.keptLearning(stored.id, this.#node),
    ])
    return new CampaignRun(stored, read.campaign, { counts: this.#counts, tried, learning })
  }

  #triedBefore(run: CampaignRun, tried: readonly TriedAttempt[]): void {
    run.triedBefore(tried)
    this.#callPlacer.attemptEnds.pauseIfFailing(run)
  }

  #tried({ id, activeSinceAtMs }: StoredCampaign): Promise<readonly TriedAttempt[]> {
    return this.#dialerRepository.triedAttempts(id, activeSinceAtMs)
  }

  /** How often machine detection was wrong in each campaign that uses it. */
  #measured(stored: readonly StoredCampaign[]): Promise<DetectionCounts[]> {
    const sinceAtMs = this.#context.dependencies.clock.nowMs() - MEASURED_MS
    return Promise.all(
      stored.map((campaign) =>
        this.#listens(campaign) ? this.#dialerRepository.detectionCounts(campaign.id, sinceAtMs) : NOTHING_MEASURED,
      ),
    )
  }

  /** What agents have taught of greetings, for each corporation that listens to them. */
  async #greetings(stored: readonly StoredCampaign[]): Promise<ReadonlyMap<CorporationId, readonly Greeting[]>> {
    const sinceAtMs = this.#context.dependencies.clock.nowMs() - MEASURED_MS
    const corporations = new Set(stored.filter((one) => this.#listens(one)).map(({ corporation }) => corporation))
    const read = async (corporation: CorporationId) =>
      [corporation, knownGreetings(await this.#dialerRepository.greetings(corporation, sinceAtMs))] as const
    return new Map(await Promise.all([...corporations].map(read)))
  }

  #listens(stored: StoredCampaign): boolean {
    const read = this.#readingOf(stored)
    return 'campaign' in read && read.campaign.machineDetection !== 'off'
  }

  async #tally(stored: readonly StoredCampaign[]): Promise<void> {
    const origins = stored.flatMap((campaign) => {
      const read = this.#readingOf(campaign)
      return 'missing' in read ? [] : [{ stored: campaign, campaign: read.campaign }]
    })
    const nowMs = this.#context.dependencies.clock.nowMs()
    const isDue = this.#hasOthers && nowMs >= this.#othersDueAtMs
    if (isDue) this.#othersDueAtMs = nowMs + OTHERS_EVERY_MS
    await Promise.all(
      pastsNeeded(this.#counts, origins).map(async (needed) => {
        const { window, windows, of } = needed
        const isKnown = windows.every((one) => window.knows(one))
        if (!isKnown) window.fill(await pastOf(this.#dialerRepository, needed, nowMs), nowMs)
        else if (isDue) window.learn(await this.#dialerRepository.answeredCalls(of, nowMs - OTHERS_BACK_MS))
      }),
    )
  }

  #readingOf(stored: StoredCampaign): CampaignReading {
    const text = JSON.stringify(stored)
    const last = this.#readings.get(stored.id)
    if (last?.text === text) return last.reading
    const reading = campaignOf(stored)
    this.#readings.set(stored.id, { text, reading })
    return reading
  }

  #follow(stored: StoredCampaign, begun: CampaignRun | undefined): void {
    const read = this.#readingOf(stored)
    if (!begun && this.#followed.get(stored.id) === read) return
    this.#followed.set(stored.id, read)
    const known = this.#callPlacer.campaigns.get(stored.id)
    if ('missing' in read) {
      if (known) known.campaign = { ...known.campaign, isActive: false }
    } else if (known) known.follow(stored, read.campaign)
    else if (begun) {
      this.#callPlacer.campaigns.set(stored.id, begun)
      this.#callPlacer.attemptEnds.pauseIfFailing(begun)
    }
  }
  /** Once for each reason. A new configuration has other trunks, so unchanged campaigns are looked at as well. */
  #complain(stored: StoredCampaign): void {
    const read = this.#readingOf(stored)
    const isIncomplete = 'missing' in read
    const whys = isIncomplete ? read.missing : whyMute(read.campaign, this.#trunks())
    const why = stored.active ? whys.join('; ') : ''
    if (why !== '' && this.#complained.get(stored.id) !== why) {
      const what = isIncomplete
        ? 'campaign is incomplete and does not dial; complete its settings'
        : 'campaign does not dial, or not everywhere; correct what is named'
      this.#context.dependencies.log.warn({ campaign: stored.id, why }, what)
    }
    this.#complained.set(stored.id, why)
  }
}
