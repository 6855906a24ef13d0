/** The forecaster of the service and the quick one of test worlds keep the promises of the port. */
import { describe, expect, test } from 'vitest'
import { processForecaster } from '../../../src/core/forecast/process-forecaster.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { CorporationId } from '../../../src/kernel/ids.ts'
import type { ForecastOrder } from '../../../src/ports/forecaster.ts'
import { quickForecaster } from '../../rest/dialer/quick-forecaster.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const HOUR_MS = 3_600_000
const [US, THEM, THIRD] = [1, 2, 3] as CorporationId[] as [CorporationId, CorporationId, CorporationId]
const ORDER: ForecastOrder = {
  kept: undefined,
  pacing: 'ratio',
  capBasisPoints: 300,
  waitMs: 2_000,
  timedWrapUpMs: 20_000,
  linesPerAgentMax: 6,
  agents: 4,
  dayMs: 2 * HOUR_MS,
  beginsAtMs: 8 * HOUR_MS,
  days: 3,
  seed: 1,
  dueTasks: 100,
}
/** However busy the machine is. */
const PATIENT = { clock: new RealClock(), timeoutMs: 300_000 }

describe.each([
  ['in a process', () => processForecaster(PATIENT)],
  ['quick', quickForecaster],
])('a forecaster %s', (_, make) => {
  test('makes one forecast of one order, with each mean in its interval', async () => {
    const forecaster = make()
    const made = await forecaster.forecast(US, ORDER)
    if (!made.ok) throw new Error(made.why)
    expect(await forecaster.forecast(US, ORDER)).toEqual(made)
    const { occupancyPct, abandonedPct, conversations, dials, hoursForDueTasks } = made.forecast
    for (const figure of [occupancyPct, abandonedPct, conversations, dials, hoursForDueTasks!]) {
      expect(figure.low).toBeLessThanOrEqual(figure.mean)
      expect(figure.high).toBeGreaterThanOrEqual(figure.mean)
    }
    expect(dials.mean).toBeGreaterThan(conversations.mean)
    await forecaster.close()
  })

  test('refuses after its close', async () => {
    const forecaster = make()
    await forecaster.close()
    expect(await forecaster.forecast(US, ORDER)).toEqual({ ok: false, why: 'closed' })
  })
})

test('one forecast at a time for each corporation, two for all; abandoned at a timeout or a close', async () => {
  const clock = new VirtualClock()
  const forecaster = processForecaster({ clock, timeoutMs: 1_000 })
  // Longer than any test waits, on any machine.
  const endless = { ...ORDER, agents: 300, days: 50, dayMs: 12 * HOUR_MS }
  const [ours, theirs] = [forecaster.forecast(US, endless), forecaster.forecast(THEM, endless)]
  expect(await forecaster.forecast(US, ORDER)).toEqual({ ok: false, why: 'busy' })
  expect(await forecaster.forecast(THIRD, ORDER)).toEqual({ ok: false, why: 'busy' })
  clock.run(1_000)
  expect(await Promise.all([ours, theirs])).toEqual([
    { ok: false, why: 'tooLong' },
    { ok: false, why: 'tooLong' },
  ])
  const another = forecaster.forecast(US, endless)
  await forecaster.close()
  expect(await another).toEqual({ ok: false, why: 'closed' })
})
