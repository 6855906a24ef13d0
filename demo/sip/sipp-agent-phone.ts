/** An agent's real telephone: it has a fixed address and does the same at every call. */
import type { Callee } from '../../src/sim/person.ts'
import type { RtpEar } from './rtp-ear.ts'
import { type RtpAddress, RtpPeer } from './rtp-peer.ts'
import type { PhoneKit } from './sipp-phone.ts'
import { freeUdpPort, type SippFact, SippProcess } from './sipp-process.ts'
import { calleeScenario } from './sipp-scenario.ts'

/** Address and behaviour of a phone. */
export interface AnswerPhone {
  readonly kit: PhoneKit
  /** `sip:host:port`. */
  readonly at: RtpAddress
  readonly person: Callee
  readonly toneHz?: number
  readonly listensFor?: readonly number[]
}

/** One thing that happened at the phone; `call` counts from 1. */
export type RingFact = Exclude<SippFact, { type: 'ready' }>

/** A phone that can be called. */
export interface SippAgentPhone {
  readonly ear: RtpEar
  /** Everything that happened so far, in order. */
  readonly facts: readonly RingFact[]
  /** How often it has rung. */
  readonly rings: number
  /** How the last call ended; waits for it while it goes on, or for the first one. */
  lastEnd(): Promise<RingFact>
  /** Sends no further packet until the next call, and stays on the line: up, and dumb. */
  fallSilent(): void
  /** Ends without any message. */
  close(): Promise<void>
}

/** Resolves when it can be called; rejects when the address is taken or SIPp does not start. */
export async function answerPhone({ kit, at, person, toneHz, listensFor = [] }: AnswerPhone): Promise<SippAgentPhone> {
  await freeUdpPort(at.host, at.port)
  const tone = toneHz === undefined ? {} : { toneHz }
  const peer = await RtpPeer.open({ ...kit, host: at.host, listensFor, ...tone })
  const facts: RingFact[] = []
  const waiting: ((end: RingFact) => void)[] = []
  const { promise: ready, resolve: isReady } = Promise.withResolvers<'ready'>()
  const sipp = new SippProcess({
    sipp: kit.sipp,
    scenario: calleeScenario(person, peer.address),
    args: ['-i', at.host, '-p', String(at.port)],
    onFact: (fact) => {
      if (fact.type === 'ready') return isReady('ready')
      facts.push(fact)
      // A further call takes the audio over. Our own switch never rings a phone that is busy.
      if (fact.type === 'answered' && !person.isDumb) peer.start(fact.media)
      if (fact.type === 'hungUp') peer.stop()
      if (isEnd(fact)) for (const tell of waiting.splice(0)) tell(fact)
    },
  })
  const close = async () => {
    await sipp.stop()
    await peer.close()
  }
  const first = await Promise.race([ready, sipp.exited])
  if (first !== 'ready') {
    await close()
    throw new Error(
      `the phone at ${at.host}:${at.port} does not start: ${first.why || `SIPp ended with ${first.code}`}`,
    )
  }
  return {
    ear: peer.ear,
    facts,
    close,
    fallSilent: () => peer.stop(),
    lastEnd: () => {
      const last = facts.at(-1)
      return last && isEnd(last) ? Promise.resolve(last) : new Promise((tell) => waiting.push(tell))
    },
    get rings() {
      return facts.filter(({ type }) => type === 'ringing').length
    },
  }
}

function isEnd({ type }: RingFact): boolean {
  return type !== 'ringing' && type !== 'answered'
}
