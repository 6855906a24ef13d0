/** The suite of every database behind the `DialerRepository` port: the simulated one and PostgreSQL. */
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { abroadContract } from './dialer-repository-abroad.contract.ts'
import { attemptsContract } from './dialer-repository-attempts.contract.ts'
import { callbacksContract } from './dialer-repository-callbacks.contract.ts'
import { callsContract } from './dialer-repository-calls.contract.ts'
import { claimContract } from './dialer-repository-claim.contract.ts'
import { dueTaskContract } from './dialer-repository-due-task.contract.ts'
import { importContract, validityContract } from './dialer-repository-import.contract.ts'
import { leasesContract } from './dialer-repository-leases.contract.ts'
import { lostContract } from './dialer-repository-lost.contract.ts'
import { learningContract, pauseContract } from './dialer-repository-pause.contract.ts'
import { racesContract } from './dialer-repository-races.contract.ts'
import { tasksContract } from './dialer-repository-tasks.contract.ts'
import { typedNumbersContract } from './dialer-repository-typed.contract.ts'
import { withdrawnContract } from './dialer-repository-withdrawn.contract.ts'
import { type DialerRepositoryWorld, Shop } from './dialer-repository-world.ts'

/** Runs the suite. Every test has its own corporation and campaign in the one database. */
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
    withdrawnContract(shop)
    callsContract(shop)
    lostContract(shop)
    tasksContract(shop)
    validityContract(shop)
    callbacksContract(shop)
    pauseContract(shop)
    learningContract(shop)
    abroadContract(shop)
    racesContract(shop)
    typedNumbersContract(shop)
  })
}
