import { fromUlaw, toUlaw } from '../../demo/sip/audio.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { FRAME_SAMPLES } from '../../src/listening/greeting-listener.ts'
import { GreetingPrinter, isSamePrint, printDistance } from '../../src/listening/greeting-print.ts'
import type { Clip } from './greeting-corpus.ts'

/** How far prints are apart: shares of differing bits, in ascending order. */
export interface PrintDistances {
  /** Machines, each on two lines; 1: no print on the second one. */
  readonly ofOne: readonly number[]
  /** Persons and machines who say different things, each pair on two lines. */
  readonly ofTwo: readonly number[]
  /** Of machines: called again and recognised. */
  readonly recognised: number
  /** Pairs of `ofTwo` that would be taken for one. */
  readonly taken: number
  readonly personsWithPrint: number
}

interface Printed {
  readonly clip: Clip
  readonly text: string
  readonly first: string
  readonly second: string | undefined
}

/** The second line is half as loud, noisier, and begins 7 ms later. */
const SECOND_LINE = { level: 0.5, noise: 120, laterSamples: 56 }

/** Compares every machine with itself on another line, and with every person and every other machine. */
export function printDistances(clips: readonly Clip[], seed: number): PrintDistances {
  const printed = clips.flatMap((clip, at): Printed[] => {
    const first = printOf(clip.samples)
    const second = printOf(onAnotherLine(clip.samples, seed * 1_000 + at))
    return first === undefined ? [] : [{ clip, text: textOf(clip), first, second }]
  })
  const machines = printed.filter(({ clip }) => clip.kind === 'machine')
  const ofOne = machines.map(({ first, second }) => (second === undefined ? 1 : printDistance(first, second)))
  const pairs = machines.flatMap((machine) =>
    printed.filter(({ text }) => text !== machine.text).map(({ second }) => [machine.first, second ?? ''] as const),
  )
  return {
    ofOne: ofOne.sort((a, b) => a - b),
    ofTwo: pairs.map(([one, other]) => printDistance(one, other)).sort((a, b) => a - b),
    recognised: machines.filter(({ first, second }) => second !== undefined && isSamePrint(first, second)).length,
    taken: pairs.filter(([one, other]) => isSamePrint(one, other)).length,
    personsWithPrint: printed.length - machines.length,
  }
}

function printOf(samples: Int16Array): string | undefined {
  const printer = new GreetingPrinter()
  for (let at = 0; at + FRAME_SAMPLES <= samples.length && !printer.isDone; at += FRAME_SAMPLES) {
    const print = printer.takes(samples.subarray(at, at + FRAME_SAMPLES))
    if (print !== undefined) return print
  }
  return undefined
}

function onAnotherLine(samples: Int16Array, seed: number): Int16Array {
  const random = seededRandom(seed)
  const { level, noise, laterSamples } = SECOND_LINE
  const later = [...new Int16Array(laterSamples), ...samples]
  return Int16Array.from(later, (sample) =>
    fromUlaw(toUlaw(Math.round(level * sample + noise * Math.sqrt(3) * (2 * random.next() - 1)))),
  )
}

/** What is said, without the number of the clip and its voice. */
function textOf({ name }: Clip): string {
  return name.replace(/^\w+ \d+: /, '').replace(/ \([^(]*\)$/, '')
}
