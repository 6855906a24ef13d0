/** What it costs that bridges always mix: two parties in each, on the real switch, beside bridges that pass on. */
import type { Benchmark, Table } from '../benchmark.ts'
import { cpuMsOf } from '../calls.ts'
import { openLab } from '../lab.ts'
import { figure } from '../report.ts'
import { median, quantile } from '../statistics.ts'
import { type BareAri, bareAri } from './bare-ari.ts'
import { keepSending, MediaLeg } from './media-leg.ts'

const HOST = '127.0.0.1'
/** Calls-and-flows-94: the first is what bridges of ours are made with. */
const KINDS = { mixes: 'mixing,video_sfu', passesOn: 'mixing' } as const
/** Buffers fill, and both processes compile. */
const WARM_UP_MS = 3_000
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

interface Round {
  readonly kind: keyof typeof KINDS
  /** Of the switch, for each second of one conversation. */
  readonly cpuMs: number
  readonly delaysMs: readonly number[]
  readonly unevenMs: readonly number[]
  /** Of all packets that were due at a party. */
  readonly lostPerCent: number
}

/** The bar is our choice: two packets are not heard (ITU-T G.114 allows 150 ms from mouth to ear). */
export const mixing: Benchmark = {
  name: 'mixing',
  about: 'conversations in bridges that mix, beside bridges that pass on what they get',
  defaults: { callers: 30, seconds: 20, rounds: 3 },
  async run({ callers, seconds, rounds }, kit) {
    const lab = await openLab(kit, ['res_rtp_multicast', 'chan_rtp'])
    const ari = await bareAri(lab.place.ari)
    const asterisk = await ari.version()
    const played: Round[] = []
    try {
      for (let round = 0; round < rounds; round++) {
        for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
          played.push(await playRound(kind, { ari, callers, seconds, asteriskPid: lab.asteriskPid }))
          kit.onLine(`${kind}: ${figure(played.at(-1)!.cpuMs)} ms of processor for a second of a conversation`)
        }
      }
    } finally {
      ari.close()
      await lab.close()
    }
    const of = (kind: Round['kind'], value: (round: Round) => number) =>
      median(played.filter((one) => one.kind === kind).map(value))
    const ratio = of('mixes', ({ cpuMs }) => cpuMs) / of('passesOn', ({ cpuMs }) => cpuMs)
    const later = of('mixes', halfDelay) - of('passesOn', halfDelay)
    const latest = Math.max(
      ...played.filter(({ kind }) => kind === 'mixes').map(({ delaysMs }) => quantile(delaysMs, 0.99)),
    )
    return {
      asterisk,
      bars: [{ what: 'delay of a bridge that mixes, p99', measured: latest, unit: 'ms', limit: { atMost: 40 } }],
      tables: [tableOf(played)],
      notes: [
        `Mixing takes ${figure(ratio)} times the processor, and sound comes ${figure(later)} ms later (medians).`,
        `${callers} conversations at once for ${seconds} s, ${rounds} interleaved rounds. Both parties are RTP of ` +
          'this process, G.711 in packets of 20 ms, and say something once a second. Delay: from the packet in which ' +
          'a tone begins to the first one at the other party that has it. Uneven: how far packets were from 20 ms ' +
          "apart, which includes this process's own timers.",
      ],
    }
  },
}

interface Setup {
  readonly ari: BareAri
  readonly callers: number
  readonly seconds: number
  readonly asteriskPid: number
}

async function playRound(kind: Round['kind'], { ari, callers, seconds, asteriskPid }: Setup): Promise<Round> {
  const legs: MediaLeg[] = []
  const ids: string[] = []
  const bridges: string[] = []
  for (let pair = 0; pair < callers; pair++) {
    const [a, b] = [await MediaLeg.open(HOST, pair), await MediaLeg.open(HOST, pair + 25)]
    const [toA, toB] = [await ari.media(a.address), await ari.media(b.address)]
    a.join(toA.at, b)
    b.join(toB.at, a)
    bridges.push(await ari.bridge(KINDS[kind], [toA.id, toB.id]))
    ids.push(toA.id, toB.id)
    legs.push(a, b)
  }
  const stop = keepSending(legs)
  await wait(WARM_UP_MS)
  for (const { heard } of legs) Object.assign(heard, { delaysMs: [], unevenMs: [], packets: 0 })
  const beforeMs = cpuMsOf(asteriskPid)
  await wait(seconds * 1_000)
  const cpuMs = (cpuMsOf(asteriskPid) - beforeMs) / (seconds * callers)
  const heard = legs.map((leg) => leg.heard)
  stop()
  await ari.end(ids, bridges)
  for (const leg of legs) leg.close()
  const due = legs.length * seconds * 50
  const packets = heard.reduce((sum, one) => sum + one.packets, 0)
  return {
    kind,
    cpuMs,
    delaysMs: heard.flatMap(({ delaysMs }) => delaysMs),
    unevenMs: heard.flatMap(({ unevenMs }) => unevenMs),
    lostPerCent: Math.max(0, (100 * (due - packets)) / due),
  }
}

const halfDelay = ({ delaysMs }: Round) => quantile(delaysMs, 0.5)

function tableOf(played: readonly Round[]): Table {
  const NAMES = { mixes: 'mixes', passesOn: 'passes on' } as const
  return {
    head: ['bridge', 'processor, ms a second', 'delay p50, ms', 'p99', 'uneven p50, ms', 'p99', 'packets missing, %'],
    rows: played.map(({ kind, cpuMs, delaysMs, unevenMs, lostPerCent }) => [
      NAMES[kind],
      figure(cpuMs),
      ...[delaysMs, unevenMs].flatMap((values) => [quantile(values, 0.5), quantile(values, 0.99)].map(figure)),
      figure(lostPerCent),
    ]),
  }
}
