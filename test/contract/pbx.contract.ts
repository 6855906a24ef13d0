/** What every switch behind the `Pbx` port does. One suite for the simulated and the real one. */
import { afterAll, beforeAll, describe } from 'vitest'
import { agentContract } from './agent.contract.ts'
import { bridgeContract } from './bridge.contract.ts'
import { callControlContract } from './call-control/call-control.contract.ts'
import { callerContract } from './caller.contract.ts'
import { detectionContract } from './detection/detection.contract.ts'
import { dialContract } from './dial.contract.ts'
import { handOverContract } from './hand-over/hand-over.contract.ts'
import { messageContract } from './messages/message.contract.ts'
import { overhearingContract } from './overhearing/overhearing.contract.ts'
import type { PbxWorld } from './pbx-world.ts'
import { restartContract } from './restart.contract.ts'
import { speechContract } from './speech/speech.contract.ts'
import { Steps } from './steps.ts'

/** Of one part of what a switch does. */
type Contract = (world: () => PbxWorld, steps: Steps) => void

/** Everything but what it hears of whoever answers. */
export const BUT_DETECTION: readonly Contract[] = [
  callerContract,
  agentContract,
  dialContract,
  bridgeContract,
  callControlContract,
  overhearingContract,
  messageContract,
  handOverContract,
  speechContract,
  restartContract,
]

/** Runs the suite, or parts of it. `makeWorld` starts a switch, connects to it and records its events. */
export function pbxContract(
  name: string,
  makeWorld: () => Promise<PbxWorld>,
  parts: readonly Contract[] = [...BUT_DETECTION, detectionContract],
): void {
  describe(`the contract of a switch: ${name}`, () => {
    let made: PbxWorld | undefined
    const world = () => made!
    const steps = new Steps(world)

    beforeAll(async () => {
      made = await makeWorld()
    })
    afterAll(() => made?.close())

    for (const part of parts) part(world, steps)
  })
}
