/** What every memory behind the `Records` port does. One suite for the simulated one and for PostgreSQL. */
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { attemptsContract } from './records-attempts.contract.ts'
import { callsContract } from './records-calls.contract.ts'
import { claimContract } from './records-claim.contract.ts'
import { dueTaskContract } from './records-due-task.contract.ts'
import { importContract } from './records-import.contract.ts'
import { learningContract } from './records-learning.contract.ts'
import { leasesContract } from './records-leases.contract.ts'
import { pauseContract } from './records-pause.contract.ts'
import { racesContract } from './records-races.contract.ts'
import { tasksContract } from './records-tasks.contract.ts'
import { type RecordsWorld, Shop } from './records-world.ts'

/** Runs the suite. Every test opens a shop of its own in the one memory. */
export function recordsContract(name: string, makeWorld: () => Promise<RecordsWorld>): void {
  describe(`the contract of the records: ${name}`, () => {
    let world: RecordsWorld
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
