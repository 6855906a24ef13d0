import { expect, test } from 'vitest'
import { linesAllowedByAll } from '../../../src/dialer/ledger.ts'
import { AnswerCounts } from '../../../src/engine/campaigns/answer-counts.ts'
import { CampaignRun } from '../../../src/engine/campaigns/campaign-run.ts'
import type { CorporationId } from '../../../src/kernel/ids.ts'
import type { TriedAttempt } from '../../../src/ports/attempt.ts'
import type { StoredCampaign } from '../../../src/ports/dialer-repository.ts'
import { aCampaign } from '../../dialer/samples.ts'

const CAMPAIGN = aCampaign()
const STORED: StoredCampaign = {
  id: CAMPAIGN.id,
  corporation: 1 as CorporationId,
  name: CAMPAIGN.name,
  active: true,
  settings: {},
  activeSinceAtMs: 1_000,
}
const FAILED: TriedAttempt = { result: 'invalidNumber', reach: 'sent', claimedAtMs: 2_000, endedAtMs: 2_500 }
const failures = (count: number, change: Partial<TriedAttempt> = {}) =>
  Array.from({ length: count }, () => ({ ...FAILED, ...change }))

function tried(attempts: readonly TriedAttempt[], past: readonly TriedAttempt[] = []): CampaignRun {
  const run = new CampaignRun(STORED, CAMPAIGN, { counts: new AnswerCounts(), tried: past })
  for (const attempt of attempts) run.tried(attempt, false)
  return run
}

test('a stopped campaign stays stopped whatever else changes, until it is activated again', () => {
  const run = tried(failures(31))
  expect(run.whyFailing).toContain('31 of its last 31 calls failed')
  run.stop()
  expect([run.isAutomatic, run.isStopped, run.whyFailing]).toEqual([false, true, undefined])
  run.follow({ ...STORED, name: 'The records do not know yet' }, CAMPAIGN)
  expect([run.isAutomatic, run.isStopped]).toEqual([false, true])
  run.follow({ ...STORED, active: false, pausedReason: 'told' }, { ...CAMPAIGN, isActive: false })
  expect([run.isAutomatic, run.isStopped]).toEqual([false, true])
  run.follow({ ...STORED, activeSinceAtMs: 9_000 }, CAMPAIGN)
  expect([run.isAutomatic, run.isStopped, run.whyFailing]).toEqual([true, false, undefined])
})

test('claims made before the activation do not count', () => {
  const run = tried(failures(30))
  run.follow({ ...STORED, activeSinceAtMs: 9_000 }, CAMPAIGN)
  for (const late of failures(31, { endedAtMs: 9_500 })) run.tried(late, false)
  expect(run.whyFailing).toBeUndefined()
  for (const fresh of failures(31, { claimedAtMs: 9_100, endedAtMs: 9_500 })) run.tried(fresh, false)
  expect(run.whyFailing).toBeDefined()
})

test('attempts of an earlier engine count, except calls that may have failed because of the carrier', () => {
  expect(tried(failures(1), failures(30)).whyFailing).toBeDefined()
  expect(tried([], failures(31)).whyFailing).toBeDefined()
  const unclear = failures(50, { result: 'failed', sipStatus: 503 })
  expect(tried(failures(1), unclear).whyFailing).toBeUndefined()
})

test('until the ledger counts are known, at most one line for each remaining agent is allowed', () => {
  const run = tried([])
  const live = { inFlight: 0, waiting: 0, idleAgents: 100 }
  expect(linesAllowedByAll(run.ledgers(live, 0), live)).toBe(100)
})
