import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AttemptEnd } from '../../../src/ports/attempt.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { ANNA, CAMPAIGN, type DialerWorld, debtors, endOf, openDialerWorld, THEIR_CAMPAIGN } from './dialer-world.ts'

/** Summer time began at 01:00 UTC of this Sunday: its day has 23 hours in Copenhagen. */
const SUNDAY_NOON = Date.UTC(2026, 2, 29, 12)
const SATURDAY_LATE = Date.UTC(2026, 2, 28, 22, 59, 59)
const SUNDAY_EARLY = SATURDAY_LATE + 1_000
const NOTHING = { personsAnswered: 0, abandoned: 0, machineVerdicts: 0, correctedByAgents: 0, ringsCutShort: 0 }

/** The place of the answering machine that an agent was connected to. */
const HEARD = 4

let world: DialerWorld

beforeAll(async () => {
  world = await openDialerWorld({ clock: new VirtualClock(SUNDAY_NOON) })
})
afterAll(() => world.close())

const shown = (query = '', campaign = CAMPAIGN) => world.call('GET', `/dialer/callcode/${campaign}/budgets${query}`)
const answer = (answeredAtMs: number, change: Partial<AttemptEnd> = {}): Partial<AttemptEnd> => ({
  result: 'answered',
  reach: 'answered',
  counts: false,
  next: { status: 'answered' },
  answeredAtMs,
  ...change,
})

test('the three budgets are counted by day, in the time zone of the campaign', async () => {
  const ends: readonly Partial<AttemptEnd>[] = [
    answer(SATURDAY_LATE, { agent: ANNA }),
    answer(SUNDAY_EARLY, { agent: ANNA }),
    answer(SUNDAY_NOON, { result: 'dropped' }),
    // Dialed manually: Anna was its agent, and the detector was faster.
    answer(SUNDAY_NOON, { result: 'voicemail', agent: ANNA }),
    // An agent reported it while they heard it (`HEARD`) …
    answer(SUNDAY_NOON, { result: 'voicemail', agent: ANNA }),
    // … or afterwards, about their last call.
    { isRingCutShort: true, result: 'withdrawn' },
    {},
    answer(SUNDAY_EARLY, { agent: ANNA }),
  ]
  await world.importTasks(debtors(0, ends.length + 1))
  const lease = await world.lease()
  const attempts = await world.claim(lease)
  expect(attempts.length).toBe(ends.length + 1)
  const heard = { attempt: attempts[HEARD]!.id, fence: lease.fence, atMs: SUNDAY_NOON, agent: ANNA }
  expect(await world.dialerRepository.attemptConnected(heard)).toBe('written')
  for (const [place, end] of ends.entries()) {
    await world.dialerRepository.endAttempt(endOf(attempts[place]!, lease, SUNDAY_NOON + 60_000, end))
  }
  // The unfinished one is not counted.
  await world.dialerRepository.correctToMachine(attempts[ends.length - 1]!.id, ANNA, SUNDAY_NOON + 90_000)

  const saturday = { ...NOTHING, personsAnswered: 1 }
  const sunday = { personsAnswered: 2, abandoned: 1, machineVerdicts: 1, correctedByAgents: 2, ringsCutShort: 1 }
  const { status, body } = await shown('?days=3')
  expect(status).toBe(200)
  expect(body).toEqual({
    callCode: CAMPAIGN,
    timeZone: 'Europe/Copenhagen',
    total: { ...sunday, personsAnswered: 3 },
    days: [
      { date: '2026-03-27', ...NOTHING },
      { date: '2026-03-28', ...saturday },
      { date: '2026-03-29', ...sunday },
    ],
  })
  expect((await shown('?days=1')).body.total).toEqual(sunday)
  expect((await shown()).body.days.length).toBe(30)
})

test('a campaign of another corporation is not found, and days are from 1 to 366', async () => {
  expect((await shown('', THEIR_CAMPAIGN)).status).toBe(404)
  expect((await shown('?days=0')).status).toBe(400)
  expect((await shown('?days=367')).status).toBe(400)
})
