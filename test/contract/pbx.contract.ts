/** What every switch behind the `Pbx` port does. One suite for the simulated and the real one. */
import { afterAll, beforeAll, describe } from 'vitest'
import { agentContract } from './agent.contract.ts'
import { bridgeContract } from './bridge.contract.ts'
import { callControlContract } from './call-control/call-control.contract.ts'
import { callerContract } from './caller.contract.ts'
import { dialContract } from './dial.contract.ts'
import { handOverContract } from './hand-over/hand-over.contract.ts'
import { messageContract } from './messages/message.contract.ts'
import { overhearingContract } from './overhearing/overhearing.contract.ts'
import type { PbxWorld } from './pbx-world.ts'
import { restartContract } from './restart.contract.ts'
import { speechContract } from './speech/speech.contract.ts'
import { Steps } from './steps.ts'

/** Runs the suite. `makeWorld` starts a switch, connects to it and records its events. */
export function pbxContract(name: string, makeWorld: () => Promise<PbxWorld>): void {
  describe(`the contract of a switch: ${name}`, () => {
    let made: PbxWorld | undefined
    const world = () => made!
    const steps = new Steps(world)

    beforeAll(async () => {
      made = await makeWorld()
    })
    afterAll(() => made?.close())

    callerContract(world, steps)
    agentContract(world, steps)
    dialContract(world, steps)
    bridgeContract(world, steps)
    callControlContract(world, steps)
    overhearingContract(world, steps)
    messageContract(world, steps)
    handOverContract(world, steps)
    speechContract(world, steps)
    restartContract(world, steps)
  })
}
