import type { Bar, Benchmark, Kit, Plan, Result, Table } from './benchmark.ts'
import { startChild } from './child.ts'
import type { KeyTimes } from './key-watch.ts'
import { CARRIERS, NUMBERS, openLab } from './lab.ts'
import type { KeyCaller, KeysApi } from './processes/keys-process.ts'
import type { ServiceApi } from './processes/service-process.ts'
import { figure } from './report.ts'
import { quantile } from './statistics.ts'

/** From one key of a caller to the next. */
const EVERY_MS = 800
/** Keys of each caller that are not counted: the first ones meet code that is not compiled yet. */
const WARM_UP_KEYS = 10

/** How soon the next prompt begins when a caller presses a key. */
export const keys: Benchmark = {
  name: 'keys',
  about: 'from a key to the next prompt, with all callers pressing a key every 0.8 s',
  defaults: { callers: 20, seconds: 60 },
  async run({ callers, seconds }: Plan, kit: Kit): Promise<Result> {
    const lab = await openLab(kit)
    const service = startChild<ServiceApi>('service-process.ts')
    const phones = startChild<KeysApi>('keys-process.ts')
    try {
      const asterisk = await service.ask('start', { place: lab.place, watchesKeys: true })
      const presses = WARM_UP_KEYS + Math.ceil((seconds * 1_000) / EVERY_MS)
      kit.onLine(`keys: ${callers} callers press ${presses} keys each`)
      const who = { sipp: lab.sipp, target: lab.sip, from: CARRIERS.engine, called: NUMBERS.keys }
      const called = await phones.ask('call', { ...who, callers, presses, everyMs: EVERY_MS })
      const seen = await service.ask('keys', undefined)
      await service.ask('stop', undefined)
      return resultOf(called, seen, presses, asterisk)
    } finally {
      await phones.end()
      await service.end()
      await lab.close()
    }
  },
}

/** One key that was answered by a prompt. */
interface Answered {
  readonly isBargeIn: boolean
  readonly fromPortMs: number
  readonly fromPhoneMs: number
}

function resultOf(
  called: readonly KeyCaller[],
  seen: ReadonlyMap<string, readonly KeyTimes[]>,
  presses: number,
  asterisk: string,
): Result {
  const answered = called.flatMap(({ caller, sentAtMs }) => answeredKeys(seen.get(caller) ?? [], sentAtMs))
  const lost = called.length * (presses - WARM_UP_KEYS) - answered.length
  const failed = called.filter(({ result }) => result.hungUpBy !== 'caller').length
  const fromPort = answered.map(({ fromPortMs }) => fromPortMs)
  const fromPhone = answered.map(({ fromPhoneMs }) => fromPhoneMs)
  const bar = (what: string, measured: number, atMost: number, unit = 'ms'): Bar => {
    return { what, measured, unit, limit: { atMost } }
  }
  return {
    asterisk,
    bars: [
      bar('key at the port to prompt, p50', quantile(fromPort, 0.5), 15),
      bar('key at the port to prompt, p99', quantile(fromPort, 0.99), 60),
      bar('key at the phone to prompt, p50', quantile(fromPhone, 0.5), 15),
      bar('key at the phone to prompt, p99', quantile(fromPhone, 0.99), 60),
      bar('keys without a prompt', lost, 0, 'keys'),
      bar('callers who were cut off', failed, 0, 'callers'),
    ],
    tables: [tableOf(answered)],
    notes: NOTES,
  }
}

/** The nth key that was sent is the nth at the port; a caller of whom one was lost on the way is left out. */
function answeredKeys(seen: readonly KeyTimes[], sentAtMs: readonly number[]): Answered[] {
  if (seen.length !== sentAtMs.length) return []
  return seen.slice(WARM_UP_KEYS).flatMap(({ keyAtMs, promptAtMs, isBargeIn }, index) => {
    if (promptAtMs === undefined) return []
    const fromPhoneMs = promptAtMs - sentAtMs[index + WARM_UP_KEYS]!
    return [{ isBargeIn, fromPortMs: promptAtMs - keyAtMs, fromPhoneMs }]
  })
}

function tableOf(answered: readonly Answered[]): Table {
  const rows: [string, readonly Answered[]][] = [
    ['the key came after the prompt', answered.filter(({ isBargeIn }) => !isBargeIn)],
    ['the key stopped the prompt', answered.filter(({ isBargeIn }) => isBargeIn)],
    ['all', answered],
  ]
  return {
    head: ['', 'keys', 'from the port: p50', 'p99', 'max, ms', 'from the phone: p50', 'p99', 'max, ms'],
    rows: rows.map(([what, group]) => [
      what,
      figure(group.length),
      ...spread(group.map(({ fromPortMs }) => fromPortMs)),
      ...spread(group.map(({ fromPhoneMs }) => fromPhoneMs)),
    ]),
  }
}

function spread(values: readonly number[]): string[] {
  return [quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)].map(figure)
}

const NOTES = [
  '"From the port": from `leg.digit` at the `Pbx` port to `playback.started` at the same port: the flow decides, ' +
    'the running prompt is stopped, the next one is asked for, and Asterisk says that it plays. "From the ' +
    'phone": from the first RTP packet that ends the key (RFC 4733) as it leaves the phone, in another process, by ' +
    "the machine's one monotonic clock.",
  'Callers are SIPp with sound of both directions, in a process of their own; engine, phones and Asterisk share the ' +
    'machine. Two menus take turns: the prompt of one is over before the next key comes, the other is cut by it.',
]
