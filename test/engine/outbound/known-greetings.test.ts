import { expect, test } from 'vitest'
import type { Contact } from '../../../src/sim/person.ts'
import { CAMPAIGN, CampaignWorld, numberOf } from '../../worlds/campaign-world.ts'

const MACHINE: Contact = { does: 'answer', voice: 'machine', ringsAfterMs: 500, afterMs: 3_000, hangsUpAfterMs: 30_000 }
const attemptsOf = ({ dialerRepository }: CampaignWorld) => [...dialerRepository.view.attempts.values()]

test('a greeting is known after the agent met machines at three numbers, until a person is behind it', async () => {
  const contactOf = () => MACHINE
  const teams = { collections: ['anna'] }
  const world = new CampaignWorld({ contactOf, teams })
  await world.campaign({ machineDetection: { enabled: true } })
  await world.import(4)
  await world.start()
  const isTalking = () => world.engine.agentDesktop?.statuses()[0]?.state === 'talking'
  const known = () => world.boards.get(CAMPAIGN)?.detection?.greetingsKnown
  const talk = async (says?: 'machine') => {
    expect(await world.until(isTalking)).toBe(true)
    await world.run(10_000)
    if (says) expect(await world.order('anna', { type: says })).toEqual({ ok: true })
    expect(await world.until(() => !isTalking())).toBe(true)
    await world.run(2_000)
  }
  await world.logIn('anna')
  const becomes = (count: number) => world.until(() => known() === count, 60_000)
  for (const knownAfter of [0, 0, 1]) {
    await talk('machine')
    expect(await becomes(knownAfter)).toBe(true)
  }
  // The agent talks to somebody behind it. The word "machine" after the call takes that back.
  await talk()
  expect(await becomes(0)).toBe(true)
  expect(await world.order('anna', { type: 'machine' })).toEqual({ ok: true })
  expect(await becomes(1)).toBe(true)

  await world.campaign({ machineDetection: { enabled: true, maxErrorPercent: 100 } })
  await world.run(10_000)
  const number = numberOf(4)
  await world.import(1, () => ({ numbers: [{ given: number, number }], externalCustomer: 'c4' }))
  await world.until(() => attemptsOf(world).filter(({ result }) => result !== null).length === 5)
  const attempts = attemptsOf(world)
  expect(attempts.map(({ greeting }) => greeting?.isKnown)).toEqual([false, false, false, true, true])
  const last = attempts.at(-1)!
  expect(last).toMatchObject({ result: 'voicemail', agent: null, greeting: { id: attempts[0]!.id, isKnown: true } })
  // By its pauses a machine is found after 7 s.
  expect(last.endedAtMs! - last.answeredAtMs!).toBeLessThan(3_000)
  const errors = { pauses: { machinesMissed: { count: 0, of: 4 } }, greeting: { machinesMissed: { count: 3, of: 4 } } }
  expect(world.boards.get(CAMPAIGN)?.detection).toMatchObject(errors)
})
