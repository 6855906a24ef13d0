import { readFileSync } from 'node:fs'
import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { type Child, startChild } from './child.ts'
import { CARRIERS, type Lab, NUMBERS, openLab, type Side } from './lab.ts'
import { type LoadResult, runLoad } from './load.ts'
import type { PeerApi } from './processes/peer-process.ts'
import type { ServiceApi, ServiceUse } from './processes/service-process.ts'
import { figure } from './report.ts'
import { median } from './statistics.ts'

/** One round of one side. */
interface Round {
  readonly side: Side
  readonly load: LoadResult
  readonly calls: number
  readonly asteriskCpuMs: number
  /** The engine is connected in the rounds of the others, too, and idle. */
  readonly engine: ServiceUse
  readonly peer: { readonly cpuMs: number; readonly completedCalls: number }
}

const SIDES: readonly Side[] = ['dialplan', 'engine', 'peer']
/** Warm-up calls before the first round: they compile the code and grow the heap, as in a running service. */
const WARM_UP_S = 10
/** From SIPp's last BYE to the last thing anybody does for it, on both sides. */
const SETTLE_MS = 500

/** What a call costs through the engine, against the same call in plain dialplan and by a plain script. */
export const calls: Benchmark = {
  name: 'calls',
  about: 'inbound call answered, one second of prompt, hang-up',
  defaults: { rate: 50, seconds: 20, rounds: 3 },
  async run(plan: Plan, kit: Kit): Promise<Result> {
    const lab = await openLab(kit)
    const service = startChild<ServiceApi>('service-process.ts')
    const peer = startChild<PeerApi>('peer-process.ts')
    try {
      const asterisk = await service.ask('start', { place: lab.place })
      await peer.ask('start', { ari: lab.place.ari, sound: lab.sound })
      const rounds = await playRounds(plan, kit, { lab, service, peer })
      await service.ask('stop', undefined)
      await peer.ask('stop', undefined)
      return resultOf(rounds, asterisk)
    } finally {
      await service.end()
      await peer.end()
      await lab.close()
    }
  },
}

interface Stage {
  readonly lab: Lab
  readonly service: Child<ServiceApi>
  readonly peer: Child<PeerApi>
}

/** A B C, C B A, A B C …: what the machine does meanwhile hits all sides alike. */
async function playRounds({ rate, seconds, rounds }: Plan, { onLine }: Kit, stage: Stage): Promise<Round[]> {
  const played: Round[] = []
  for (const side of SIDES) {
    onLine(`calls: warming up the ${side}`)
    await playRound(side, 10 + played.length, { rate, calls: rate * Math.min(WARM_UP_S, seconds) }, stage)
  }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? SIDES : SIDES.toReversed()
    for (const side of order) {
      const one = await playRound(side, 20 + played.length, { rate, calls: rate * seconds }, stage)
      played.push(one)
      const asteriskMs = figure(one.asteriskCpuMs / one.calls)
      onLine(`calls: round ${round + 1}, ${side}: ${one.load.failedCalls} failed, Asterisk ${asteriskMs} ms per call`)
    }
  }
  return played
}

async function playRound(
  side: Side,
  number: number,
  { rate, calls }: { readonly rate: number; readonly calls: number },
  { lab, service, peer }: Stage,
): Promise<Round> {
  const { sipp, sip: target, asteriskPid } = lab
  const who = { from: CARRIERS[side], called: NUMBERS['one-second'], callerPrefix: `+45${number}` }
  const cpuBeforeMs = cpuMsOf(asteriskPid)
  await service.ask('begin', undefined)
  await peer.ask('begin', undefined)
  const load = await runLoad({ sipp, target, ...who, rate, calls })
  await new Promise((done) => setTimeout(done, SETTLE_MS))
  const [engine, ofPeer] = [await service.ask('end', undefined), await peer.ask('end', undefined)]
  return { side, load, calls, asteriskCpuMs: cpuMsOf(asteriskPid) - cpuBeforeMs, engine, peer: ofPeer }
}

/** Time of a process so far, in ms: fields 14 and 15 of `/proc/pid/stat`, in ticks of 10 ms (proc(5)). */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [utime, stime] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(utime) + Number(stime)) * 10
}

function resultOf(rounds: readonly Round[], asterisk: string): Result {
  const of = (side: Side, value: (round: Round) => number) =>
    median(rounds.filter((round) => round.side === side).map(value))
  const asteriskMs = ({ asteriskCpuMs, calls }: Round) => asteriskCpuMs / calls
  const failed = rounds.map(failedCalls).reduce((sum, calls) => sum + calls, 0)
  const ratio = (value: (round: ReturnType<typeof sidesOf>[number]) => number) => median(sidesOf(rounds).map(value))
  return {
    asterisk,
    bars: [
      {
        what: 'engine CPU, to Asterisk CPU of the dialplan',
        measured: ratio(({ engine, dialplan }) => engineMs(engine) / asteriskMs(dialplan)),
        unit: 'times',
        limit: { atMost: 0.5 },
      },
      {
        what: 'engine CPU, to that of a plain script (`ari-client`)',
        measured: ratio(({ engine, peer }) => engineMs(engine) / peerMs(peer)),
        unit: 'times',
        limit: { atMost: 1 },
      },
      {
        what: 'Asterisk CPU, engine to dialplan',
        measured: ratio(({ engine, dialplan }) => asteriskMs(engine) / asteriskMs(dialplan)),
        unit: 'times',
        limit: { atMost: 1.8 },
      },
      {
        what: 'Asterisk CPU, engine to plain script',
        measured: ratio(({ engine, peer }) => asteriskMs(engine) / asteriskMs(peer)),
        unit: 'times',
        limit: { atMost: 1.1 },
      },
      { what: 'failed calls', measured: failed, unit: 'calls', limit: { atMost: 0 } },
      {
        what: 'event loop delay, p99',
        measured: of('engine', ({ engine }) => engine.loopDelayMs.p99),
        unit: 'ms',
        limit: { atMost: 20 },
      },
    ],
    tables: [{ head: HEAD, rows: rounds.map(rowOf) }],
    notes: NOTES,
  }
}

const HEAD = [
  'served by',
  'calls',
  'failed',
  'sent again',
  'Asterisk CPU, ms per call',
  'engine CPU, ms per call',
  'script CPU, ms per call',
  'loop delay p50 / p99 / max, ms',
]

function rowOf(round: Round): string[] {
  const { side, calls, load, asteriskCpuMs, engine } = round
  const { p50, p99, max } = engine.loopDelayMs
  return [
    side,
    figure(calls),
    figure(failedCalls(round)),
    figure(load.retransmissions),
    figure(asteriskCpuMs / calls),
    figure(engineMs(round)),
    figure(peerMs(round)),
    [p50, p99, max].map(figure).join(' / '),
  ]
}

function engineMs({ engine, calls }: Round): number {
  return engine.cpuMs / calls
}

function peerMs({ peer, calls }: Round): number {
  return peer.cpuMs / calls
}

/** A call counts when SIPp says so, and when the one who served it does. */
function failedCalls({ side, calls, load, engine, peer }: Round): number {
  const served = { dialplan: calls, engine: engine.completedCalls, peer: peer.completedCalls }[side]
  return calls - Math.min(served, load.successfulCalls)
}

const NOTES = [
  'Ratios are taken round by round, and their median counts; rounds are interleaved in alternating ' +
    'order after a warm-up of all sides. SIPp, the driver, the engine and Asterisk are processes of their own; all ' +
    'share the machine. The peer is a script of thirty lines on `ari-client`, without flow, journal or records. The ' +
    'engine is the service as `npm start` runs it: setup file, flow, journal on disk, log ' +
    'level `warn`. Callers send no sound; Asterisk sends its second of prompt to all of them.',
  'Engine CPU is user and system time of all its threads. It includes the timer of 5 ms by which the loop delay is ' +
    'measured: the rows of the dialplan, where the engine is connected and idle, show what that costs. The loop ' +
    'delay is the whole time from one firing of this timer to the next; an idle loop shows a little over 5 ms, ' +
    'and nothing is subtracted.',
]

/** The sides of each round, which had the same neighbours. */
function sidesOf(rounds: readonly Round[]): Readonly<Record<Side, Round>>[] {
  const of = (side: Side) => rounds.filter((round) => round.side === side)
  const [dialplan, engine, peer] = [of('dialplan'), of('engine'), of('peer')]
  return engine.map((one, round) => ({ engine: one, dialplan: dialplan[round]!, peer: peer[round]! }))
}
