/** A colleague of a kept demo: takes calls, saves an outcome after each, and is ready again. */
import type { Credential } from '../../src/client/client.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { type Random, randomInt, randomOf } from '../../src/kernel/random.ts'
import { agentAtWork, type Order } from '../agent-at-work.ts'

/** An outcome of the campaign, as a colleague saves it. */
export interface KnownOutcome {
  readonly outcomeId: number
  readonly needsCallBackDate: boolean
  /** How often it is chosen beside the others. */
  readonly share: number
}

/** What one colleague needs. */
export interface ColleagueParts {
  readonly name: string
  readonly ssoUrl: string
  readonly credential: Credential
  readonly clock: Clock
  readonly random: Random
  readonly outcomes: readonly KnownOutcome[]
  readonly onLine: (line: string) => void
}

/** From the end of a call to its outcome. */
const WRITES_MS = { least: 1_500, most: 9_000 }
const CALLBACK_HOURS = { least: 20, most: 70 }
const HOUR_MS = 3_600_000

/** Logs in, and works until the service ends the connection. */
export async function colleagueAtWork(parts: ColleagueParts): Promise<void> {
  const { name, ssoUrl, credential, clock, random, onLine } = parts
  let callId: string | undefined
  let state: string | undefined
  const finish = async () => {
    const call = callId
    callId = undefined
    if (call !== undefined) await agent.order(outcomeOrder(parts, call))
    await agent.order({ type: 'endWrapUp' })
  }
  const agent = await agentAtWork(name, ssoUrl, credential, clock, (message) => {
    if (message.type === 'call') callId = message.callId
    if (message.type !== 'status' || message.state === state) return
    state = message.state
    if (state !== 'wrapUp') return
    const writesMs = randomInt(random, WRITES_MS.least, WRITES_MS.most)
    // A supervisor may have ended the wrap-up meanwhile.
    const finished = () => void finish().catch((error: Error) => onLine(`${name}: ${error.message}`))
    clock.schedule(clock.nowMs() + writesMs, finished)
  })
}

function outcomeOrder({ outcomes, clock, random }: ColleagueParts, callId: string): Order {
  const { outcomeId, needsCallBackDate } = randomOf(
    random,
    outcomes.flatMap((one) => Array.from({ length: one.share }, () => one)),
  )
  const hours = randomInt(random, CALLBACK_HOURS.least, CALLBACK_HOURS.most)
  const callBackTs = new Date(clock.nowMs() + hours * HOUR_MS).toISOString()
  return { type: 'outcome', callId, outcomeId, ...(needsCallBackDate && { callBackTs }) }
}
