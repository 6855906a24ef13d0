/** The ledgers of an engine against the records: the same rule, window and denominator, counted call by call. */
import { type LedgerRule, type Tally, windowBeginAtMs } from '../../src/dialer/ledger.ts'
import type { CampaignId, PhoneNumber } from '../../src/kernel/ids.ts'
import type { SimAttempt } from '../sim/sim-dialer-repository-rows.ts'
import type { CampaignWorld } from './campaign-world.ts'

type Shown = { readonly callerId?: PhoneNumber }

/** What the records say of a ledger of this campaign; calls that go on are not in them. */
export function recordedTally(world: CampaignWorld, id: CampaignId, rule: LedgerRule): Tally {
  const { attempts, campaigns } = world.dialerRepository.view
  const { corporation, settings } = campaigns.get(id)!
  const isCounted = ({ campaign, corporation: of, permit }: SimAttempt) => {
    if (rule.scope === 'campaign') return campaign === id
    return of === corporation && (rule.scope === 'client' || (permit as Shown).callerId === settings['callerId'])
  }
  const fromAtMs = windowBeginAtMs(rule.window, world.clock.nowMs())
  const answered = [...attempts.values()].filter(
    (one) => one.ended && isCounted(one) && one.answeredAtMs !== null && one.answeredAtMs >= fromAtMs,
  )
  const persons = answered.filter(({ result, correction }) => result !== 'voicemail' && !correction)
  return {
    answered: rule.denominator === 'allAnswered' ? answered.length : persons.length,
    abandoned: persons.filter(({ result }) => result === 'dropped').length,
  }
}

/** Where memory and records differ by more than the calls that go on. Nothing while something is to be written. */
export function ledgerFaults(world: CampaignWorld): string[] {
  const dialer = world.isAlive ? world.engine?.dialer : undefined
  if (!dialer?.callPlacer.isWell || dialer.recordWriter.pending > 0) return []
  const nowMs = world.clock.nowMs()
  const open = [...dialer.callPlacer.attempts.all()].filter(({ seen }) => seen.answeredAtMs !== undefined).length
  return [...dialer.campaigns.all()].flatMap((run) =>
    run.ledgers({ inFlight: 0, waiting: 0, idleAgents: 0 }, nowMs).flatMap(({ rule, tally }) => {
      // Its past is not known yet.
      if (rule.capBasisPoints === 0) return []
      const recorded = recordedTally(world, run.campaign.id, rule)
      const isTrue = (memory: number, kept: number) => memory >= kept && memory <= kept + open
      if (isTrue(tally.answered, recorded.answered) && isTrue(tally.abandoned, recorded.abandoned)) return []
      const [memory, records] = [JSON.stringify(tally), JSON.stringify(recorded)]
      return [`the ledger ${rule.name} of campaign ${run.campaign.id} is ${memory}, by the records ${records}`]
    }),
  )
}
