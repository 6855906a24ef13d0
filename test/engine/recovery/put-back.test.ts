/** The database is put back under a running engine: it was restored, or a replica took over (campaigns-143). */
import { expect, test } from 'vitest'
import { sameDatabase } from '../../../src/app/same-database.ts'
import type { DialerOptions } from '../../../src/engine/context.ts'
import type { DialerRepository } from '../../../src/ports/dialer-repository.ts'
import type { Contact } from '../../../src/sim/person.ts'
import type { SimAttempt } from '../../sim/sim-dialer-repository-rows.ts'
import type { SimRepositoryState } from '../../sim/sim-dialer-repository-state.ts'
import { CampaignWorld } from '../../worlds/campaign-world.ts'

const SECOND_MS = 1_000
const BUSY: Contact = { does: 'busy', afterMs: 1_000 }
const TALKS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 1_000, hangsUpAfterMs: 30 * 60 * SECOND_MS }

/** As the service has the database: it asks for earlier claims, and the kill switch stands for its confirmation. */
function asService({ dialerRepository: inner }: DialerOptions, { dialerRepository: { view } }: CampaignWorld) {
  const stopIfForgotten: Parameters<typeof sameDatabase>[2] = async (earlier) => {
    if (earlier.every(({ attempt, task }) => view.attempts.get(attempt)?.task === task)) return false
    await inner.setKillSwitch(true, 'the database was put back', 0)
    return true
  }
  const { claimDueTasks, renewLease } = inner
  const own = sameDatabase({ claimDueTasks, renewLease } as DialerRepository, [], stopIfForgotten)
  const dialerRepository = new Proxy(inner, {
    get: (_, name: keyof DialerRepository) => own[name] ?? inner[name],
  })
  return { dialerRepository }
}

/** Two people were called by two agents. */
async function dialed(contact: Contact, own?: typeof asService) {
  const world: CampaignWorld = new CampaignWorld({
    teams: { collections: ['anna', 'ben', 'carl', 'dora'] },
    contactOf: () => contact,
    parts: ({ dialer }) => ({ dialer: { ...dialer!, ...own?.(dialer!, world) } }),
  })
  await world.campaign()
  await world.start()
  await world.import(2)
  await world.logIn('anna', 'ben', 'carl', 'dora')
  await world.run(20 * SECOND_MS)
  expect(world.pbx.carrier.calls).toHaveLength(2)
  return world
}

/** Nobody was called yet. */
function putBack({ dialerRepository: { view } }: CampaignWorld): void {
  for (const attempt of [...view.attempts.values()]) (view as SimRepositoryState).takeBack(attempt as SimAttempt)
}

test('nobody is called again, and all dialing stops', async () => {
  const world = await dialed(BUSY, asService)
  putBack(world)
  await world.run(60 * SECOND_MS)
  expect(world.pbx.carrier.calls).toHaveLength(2)
  expect(world.dialerRepository.view.killSwitch).toHaveLength(1)
})

test('it dials again after the confirmation, though what could not be imported stays unknown', async () => {
  const world = await dialed(BUSY, asService)
  putBack(world)
  await world.run(60 * SECOND_MS)
  await world.during(world.dialerRepository.setKillSwitch(false, 'theo', 0))
  await world.run(60 * SECOND_MS)
  expect(world.pbx.carrier.calls).toHaveLength(4)
})

test('a node that has nothing to dial stops the others', async () => {
  const world = await dialed(BUSY, asService)
  for (const agent of ['anna', 'ben', 'carl', 'dora']) await world.order(agent, { type: 'logOut' })
  putBack(world)
  await world.run(10 * SECOND_MS)
  expect(world.dialerRepository.view.killSwitch).toHaveLength(1)
})

test('whoever talks with us is not called, whatever the database says', async () => {
  const world = await dialed(TALKS)
  putBack(world)
  await world.run(5 * 60 * SECOND_MS)
  expect(world.pbx.carrier.calls).toHaveLength(2)
})
