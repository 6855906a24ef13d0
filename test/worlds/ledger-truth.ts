/** The ledgers of an engine against the records: the same rule, window and denominator, counted call by call. */
import { type LedgerRule, type Tally, windowBeginAtMs } from '../../src/dialer/ledger.ts'
import type { AttemptId, CampaignId, PhoneNumber } from '../../src/kernel/ids.ts'
import type { SimAttempt } from '../sim/sim-dialer-repository-rows.ts'
import type { CampaignWorld } from './campaign-world.ts'

type Shown = { readonly callerId?: PhoneNumber }

/** Whether a ledger of this campaign counts an attempt. */
function countsOf(world: CampaignWorld, id: CampaignId, rule: LedgerRule): (attempt: SimAttempt) => boolean {
  const { corporation, settings } = world.dialerRepository.view.campaigns.get(id)!
  return ({ campaign, corporation: of, permit }) => {
    if (rule.scope === 'campaign') return campaign === id
    return of === corporation && (rule.scope === 'client' || (permit as Shown).callerId === settings['callerId'])
  }
}

/** What the records say of a ledger of this campaign; calls that go on are not in them. */
export function recordedTally(world: CampaignWorld, id: CampaignId, rule: LedgerRule): Tally {
  const { attempts } = world.dialerRepository.view
  const isCounted = countsOf(world, id, rule)
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

/** Who hears, as the first words of a call, that nobody is there: abandoned, and not yet in the records. */
function hearingFarewell(world: CampaignWorld, farewells: ReadonlySet<string>): SimAttempt[] {
  return world.pbx.carrier.calls.flatMap(({ invite, endedAtMs, heard: [first, ...more] }) => {
    const attempt = world.dialerRepository.view.attempts.get(Number(invite.reference) as AttemptId)
    const isFarewell = first?.what === 'words' && farewells.has(first.text) && more.length === 0
    return attempt && !attempt.ended && endedAtMs === undefined && isFarewell ? [attempt] : []
  })
}

/** Where memory and records differ by more than the calls that go on. Nothing while something is to be written. */
export function ledgerFaults(world: CampaignWorld): string[] {
  const dialer = world.isAlive ? world.engine?.dialer : undefined
  if (!dialer?.callPlacer.isWell || dialer.recordWriter.pending > 0) return []
  const nowMs = world.clock.nowMs()
  const open = [...dialer.callPlacer.attempts.all()].filter(({ seen }) => seen.answeredAtMs !== undefined).length
  const runs = [...dialer.campaigns.all()]
  const told = hearingFarewell(world, new Set(runs.map(({ campaign }) => campaign.messages.dropped.text)))
  return runs.flatMap((run) =>
    run.ledgers({ inFlight: 0, waiting: 0, idleAgents: 0 }, nowMs).flatMap(({ rule, tally }) => {
      // Its past is not known yet.
      if (rule.capBasisPoints === 0) return []
      const recorded = recordedTally(world, run.campaign.id, rule)
      const now = told.filter(countsOf(world, run.campaign.id, rule)).length
      const isTrue = (memory: number, kept: number) => memory >= kept + now && memory <= kept + open
      if (isTrue(tally.answered, recorded.answered) && isTrue(tally.abandoned, recorded.abandoned)) return []
      const [memory, records] = [JSON.stringify(tally), `${JSON.stringify(recorded)} and ${now} told at this moment`]
      return [`the ledger ${rule.name} of campaign ${run.campaign.id} is ${memory}, by the records ${records}`]
    }),
  )
}
