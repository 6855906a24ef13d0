/** Plays a test on a real Asterisk: a service of its own, our phones, and real time. */
import { stopAsterisk } from '../../asterisk/start.ts'
import { RtpPeer } from '../../demo/sip/rtp-peer.ts'
import { SipCaller } from '../../demo/sip/sip-caller.ts'
import { type Service, startService } from '../app/service.ts'
import type { Client } from '../client/client.ts'
import { type Played, Player } from '../flow-test/play-script.ts'
import type { Script } from '../flow-test/script.ts'
import type { Act } from '../flow-test/scripted-call.ts'
import type { Clock } from '../kernel/clock.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import { importTask, integratorOf } from './integrator.ts'
import { movableClock } from './movable-clock.ts'
import { openOutsideWorld } from './outside-world.ts'
import { agentsOf, type PhoneAgents } from './phone-agents.ts'
import { PhoneCall } from './phone-call.ts'
import { CALLER_HOST, type PhonePlace, type PlayedFlow, runDirectoryOf, writeSetup } from './phone-place.ts'
import { PhoneTape } from './phone-tape.ts'
import { saidLengths } from './said-lengths.ts'

/** Everything that a test by phone needs beside itself. */
export interface PhoneKit {
  readonly place: PhonePlace
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly onLine: (line: string) => void
}

/** The service starts so long before the call, by its own clock, and jumps to the call when it is ready. */
const BEFORE_CALL_MS = 60_000
/** ITU-T: a voice has most of its energy there. */
const VOICE_HZ = 440
const KEYS_PAYLOAD = 101

/** Plays one test. Rejects with a sentence and its remedy when service or phone cannot be used. */
export async function playByPhone(played: PlayedFlow, script: Script, kit: PhoneKit): Promise<Played> {
  const { given } = script
  const clock = movableClock(kit.clock, given.atMs - BEFORE_CALL_MS)
  const ends: (() => Promise<void>)[] = []
  try {
    let call: PhoneCall | undefined
    const world = await openOutsideWorld(given, kit.clock, () => call?.ring())
    ends.unshift(() => world.close())
    // Also one whose service could not start, or whose call is still up: it would be in the way of the next test.
    ends.unshift(async () => void (await stopAsterisk(runDirectoryOf(kit.place))))
    const setup = writeSetup(kit.place, played, given, world)
    const lengths = saidLengths(given.unplayable)
    const taps = { speech: lengths.tap, journal: (line: Parameters<PhoneCall['hear']>[0]) => call?.hear(line) }
    const service = await startService({ ...kit, ...setup, clock, treeDirectory: kit.place.treeDirectory, taps })
    if ('ok' in service) throw new Error([...service.reasons, ...service.problems.map(formatProblem)].join('\n'))
    ends.unshift(() => service.stop())
    const client = await integratorOf(service, clock)
    await importTask(client, given)
    const agents = await agentsOf(setup.teams, { ...kit, service, serviceClock: clock })
    ends.unshift(() => agents.close())
    const tape = new PhoneTape()
    const sound = await RtpPeer.open({
      clock: kit.clock,
      random: kit.random,
      host: CALLER_HOST,
      toneHz: VOICE_HZ,
      says: () => (tape.isSpeaking(clock.nowMs()) ? 'voice' : undefined),
    })
    ends.unshift(() => sound.close())
    call = callOf({ service, client, agents, clock, world, tape, sound, lengthMs: lengths.of })
    clock.set(given.atMs)
    const caller = await SipCaller.call({
      clock: kit.clock,
      random: kit.random,
      from: CALLER_HOST,
      target: { host: '127.0.0.1', port: kit.place.sipPort },
      called: given.called,
      ...(given.caller !== undefined && { caller: given.caller }),
      sound,
      keysPayload: KEYS_PAYLOAD,
    })
    ends.unshift(async () => caller.close())
    call.answered(caller)
    return await play(call, script)
  } finally {
    await endAll(ends)
  }
}

/** Tries every end, in this order: what stays open would be in the way of the next test. Rejects as the first did. */
async function endAll(ends: readonly (() => Promise<void>)[]): Promise<void> {
  const results: PromiseSettledResult<void>[] = []
  for (const end of ends) results.push(...(await Promise.allSettled([end()])))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

type CallParts = Omit<ConstructorParameters<typeof PhoneCall>[0], 'agent' | 'postEvent'> & {
  readonly service: Service
  readonly client: Client
  readonly agents: PhoneAgents
}

function callOf({ service, client, agents, ...parts }: CallParts): PhoneCall {
  const call = new PhoneCall({
    ...parts,
    agent: (does, team) => agents.does(does, team),
    async postEvent({ event, of }, data) {
      await client.ask('POST /svcpbx/flowevents', { body: { name: event, key: of, data } })
    },
  })
  service.engine.onCallEnded((record) => call.ended(record))
  return call
}

async function play(call: PhoneCall, script: Script): Promise<Played> {
  const player = new Player(call, script)
  const early = await inRealTime(call, player.acts())
  if (early) call.hangUp()
  const hasEnded = await call.finish()
  call.close()
  return { script, call, failure: early ?? player.fault(hasEnded) }
}

/** Lets real time pass wherever the caller waits. */
async function inRealTime<Result>(call: PhoneCall, act: Act<Result>): Promise<Result> {
  let step = act.next()
  while (!step.done) step = act.next(await call.next(step.value))
  return step.value
}
