import { installAsterisk } from '../../asterisk/install.ts'
import { espeakProgram } from '../../src/adapters/speech/espeak-program.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { shareInterval } from '../../src/kernel/share-interval.ts'
import {
  FRAME_MS,
  FRAME_SAMPLES,
  GreetingListener,
  type ListeningSettings,
  PATIENT,
} from '../../src/listening/greeting-listener.ts'
import type { Benchmark, Kit, Plan, Result, Table } from '../benchmark.ts'
import { figure } from '../report.ts'
import { quantile } from '../statistics.ts'
import { type Clip, clipsOf, madeCorpus } from './greeting-corpus.ts'
import { type PrintDistances, printDistances } from './greeting-prints.ts'
import { listeningCpu } from './listening-cpu.ts'

/** How settings did on clips. */
export interface DetectionRates {
  readonly persons: number
  readonly personsTaken: readonly Clip[]
  readonly machines: number
  readonly machinesMissed: readonly Clip[]
  /** Of machines whose beep is known: a message that began before its end. */
  readonly messagesTooEarly: readonly Clip[]
  /** From the answer to the verdict `person`. */
  readonly personVerdictMs: readonly number[]
}

/** Whom a campaign would lose by machine detection, and whom it would put through. */
export const detection: Benchmark = {
  name: 'detection',
  about: 'machine detection on 72 greetings of persons and 72 of machines, in the telephone band',
  defaults: {},
  async run({ seed, speechMs, pauseMs }: Plan, kit: Kit): Promise<Result> {
    const installed = await installAsterisk(kit.treeDirectory, kit.onLine)
    if (!installed.ok) throw new Error(`${installed.why}\n${installed.remedy}`)
    const { espeakNg, espeakData: dataPath } = installed.tree
    kit.onLine('detection: espeak-ng speaks the greetings')
    const clips = await madeCorpus(espeakProgram({ program: espeakNg, dataPath, log: silentLog }), seed)
    const own = kit.clipsDirectory === undefined ? [] : await clipsOf(kit.clipsDirectory)
    const asked = { ...PATIENT, ...(speechMs > 0 && { speechMaxMs: speechMs }), ...(pauseMs > 0 && { pauseMs }) }
    const settings = [...SPEECH_MAX_MS.map((speechMaxMs) => ({ ...PATIENT, speechMaxMs })), asked]
    const shipped = detectionRates(clips, PATIENT)
    const prints = printDistances(clips, seed)
    kit.onLine('detection: 30 machines are listened to at once')
    const cpu = await listeningCpu(clips.find(({ kind }) => kind === 'machine')!.samples)
    return {
      bars: [
        {
          what: 'persons taken for machines',
          measured: shipped.personsTaken.length,
          unit: 'of 72',
          limit: { atMost: 0 },
        },
        {
          what: 'machines found',
          measured: shipped.machines - shipped.machinesMissed.length,
          unit: 'of 72',
          limit: { atLeast: 54 },
        },
        {
          what: 'messages over the greeting',
          measured: shipped.messagesTooEarly.length,
          unit: 'of 60',
          limit: { atMost: 0 },
        },
        { what: 'different greetings taken for one', measured: prints.taken, unit: 'pairs', limit: { atMost: 0 } },
        {
          what: 'machines recognised on another line',
          measured: (100 * prints.recognised) / prints.ofOne.length,
          unit: '%',
          limit: { atLeast: 85 },
        },
        { what: 'CPU of one leg of 30', measured: cpu.percentPerStream, unit: '% of a core', limit: { atMost: 1 } },
      ],
      tables: [tableOf(clips, settings), printTable(prints), ...(own.length > 0 ? [tableOf(own, settings)] : [])],
      notes: NOTES,
    }
  },
}

/** Beside the settings that were asked for, or are shipped: the last row. */
const SPEECH_MAX_MS = [1_500, 3_000, 5_000, 6_000, 8_000]

const NOTES = [
  'Greetings in five languages and five voices, spoken by espeak-ng at 155 words a minute, with the noise of a line ' +
    'and of a street. A person then waits for an answer; five machines of six beep. Speech is the longest time that ' +
    'a person speaks without a pause; the last row has the shipped settings, unless others were asked for. Errors ' +
    'with their 95 % intervals.',
  'Greetings that agents called machines are compared by prints of their first 2 s: 0.125 of differing bits or less ' +
    'is one recording, 1 means that nothing could be compared. The second line is half as loud, noisier, and begins ' +
    '7 ms later. Two greetings say different things, by one voice or by two. CPU: the engine’s thread for 10 s from ' +
    'the answer, sockets included; another thread sends 20 ms in a packet, and each print is compared with 500.',
  'These clips are synthetic. `--clips DIRECTORY` adds a table for your own: 16-bit mono WAV files in its folders ' +
    '`person` and `machine`. `--speech MS` and `--pause MS` choose the settings of the last row.',
]

/** Plays every clip to a listener of its own. */
export function detectionRates(clips: readonly Clip[], settings: ListeningSettings): DetectionRates {
  const all = clips.map((clip) => ({ clip, ...heardIn(clip, settings) }))
  const persons = all.filter(({ clip }) => clip.kind === 'person')
  const machines = all.filter(({ clip }) => clip.kind === 'machine')
  const clipsWhere = <One extends { readonly clip: Clip }>(some: readonly One[], isIt: (one: One) => boolean) =>
    some.filter(isIt).map(({ clip }) => clip)
  return {
    persons: persons.length,
    personsTaken: clipsWhere(persons, ({ verdict }) => verdict === 'machine'),
    machines: machines.length,
    machinesMissed: clipsWhere(machines, ({ verdict }) => verdict !== 'machine'),
    messagesTooEarly: clipsWhere(
      machines,
      ({ clip, endedMs }) => (endedMs ?? Number.POSITIVE_INFINITY) < (clip.beepEndMs ?? 0),
    ),
    personVerdictMs: persons.map(({ judgedMs }) => judgedMs),
  }
}

function heardIn({ samples }: Clip, settings: ListeningSettings) {
  const listener = new GreetingListener(settings)
  let verdict = 'unsure'
  let judgedMs = 0
  let endedMs: number | undefined
  for (let at = 0; at + FRAME_SAMPLES <= samples.length && !listener.isDone; at += FRAME_SAMPLES) {
    const nowMs = (at / FRAME_SAMPLES + 1) * FRAME_MS
    for (const heard of listener.takes(samples.subarray(at, at + FRAME_SAMPLES))) {
      if (heard.type === 'greetingEnded') endedMs = nowMs
      else [verdict, judgedMs] = [heard.verdict, nowMs]
    }
  }
  return { verdict, judgedMs, endedMs }
}

function tableOf(clips: readonly Clip[], settings: readonly ListeningSettings[]): Table {
  const rows = settings.map((one) => {
    const rates = detectionRates(clips, one)
    const [half, most] = [0.5, 0.95].map((part) => figure(quantile(rates.personVerdictMs, part) / 1_000))
    return [
      `${one.speechMaxMs / 1_000} s, ${one.pauseMs / 1_000} s`,
      rateOf(rates.personsTaken.length, rates.persons),
      rateOf(rates.machinesMissed.length, rates.machines),
      `${half} / ${most} s`,
    ]
  })
  const head = ['speech, pause', 'persons taken for machines', 'machines missed', 'verdict on a person, p50 / p95']
  return { head, rows }
}

function printTable({ ofOne, ofTwo, personsWithPrint }: PrintDistances): Table {
  const row = (what: string, all: readonly number[]) => [
    what,
    `${all.length}`,
    ...[0, 0.01, 0.5, 0.9, 1].map((part) => figure(quantile(all, part))),
  ]
  return {
    head: ['share of differing bits', 'pairs', 'least', 'p1', 'p50', 'p90', 'most'],
    rows: [row('one machine on two lines', ofOne), row(`two greetings, ${personsWithPrint} of persons`, ofTwo)],
  }
}

function rateOf(count: number, of: number): string {
  const { from, to } = shareInterval(count, of)
  return `${count} of ${of} (${figure(from * 100)} to ${figure(to * 100)} %)`
}
