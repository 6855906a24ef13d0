/** What every memory behind the `Records` port does. One suite for the simulated one and for PostgreSQL. */
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { attemptsContract } from './dialer-repository-attempts.contract.ts'
import { callsContract } from './dialer-repository-calls.contract.ts'
import { claimContract } from './dialer-repository-claim.contract.ts'
import { dueTaskContract } from './dialer-repository-due-task.contract.ts'
import { importContract } from './dialer-repository-import.contract.ts'
import { learningContract } from './dialer-repository-learning.contract.ts'
import { leasesContract } from './dialer-repository-leases.contract.ts'
import { pauseContract } from './dialer-repository-pause.contract.ts'
import { racesContract } from './dialer-repository-races.contract.ts'
import { tasksContract } from './dialer-repository-tasks.contract.ts'
import { type DialerRepositoryWorld, Shop } from './dialer-repository-world.ts'

/** Runs the suite. Every test opens a shop of its own in the one memory. */
export function dialerRepositoryContract(name: string, makeWorld: () => Promise<DialerRepositoryWorld>): void {
  describe(`the contract of the records: ${name}`, () => {
    let world: DialerRepositoryWorld
    let opened: Shop
    const shop = () => opened

    beforeAll(async () => {
      world = await makeWorld()
    })
    beforeEach(async () => {
      opened = await Shop.open(world)
    })
    afterAll(() => world?.close())

    leasesContract(shop)
    importContract(shop)
    claimContract(shop)
    dueTaskContract(shop)
    attemptsContract(shop)
    callsContract(shop)
    tasksContract(shop)
    pauseContract(shop)
    learningContract(shop)
    racesContract(shop)
  })
}
