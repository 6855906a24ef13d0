/** Every promise that weeks check, by its name, and those that are known to be broken. */
import { abandoned, callersFirst, oneTalk, parallelAbandoned, silence } from './promises/answers.ts'
import { callbackNumber, callbacks, resumes } from './promises/due.ts'
import { deadNumbers, floor, frequencyCap, interval, quietAfterDrop, quietAfterTalk } from './promises/intervals.ts'
import { pauseLetsRing, ringing, trunkLines, trunkPace } from './promises/lines.ts'
import { hours, killSwitch, onOurLine, paused, shownNumber } from './promises/moments.ts'
import { evidence, oneRecord, results, words } from './promises/records.ts'
import { attemptsMax, ended, stopped, talkFinishes } from './promises/tasks.ts'
import type { LivedWeek } from './week.ts'
import { factsOf, type WeekFacts } from './week-facts.ts'

export const PROMISES: Readonly<Record<string, (facts: WeekFacts) => string[]>> = {
  attemptsMax,
  floor,
  interval,
  frequencyCap,
  quietAfterTalk,
  quietAfterDrop,
  deadNumbers,
  talkFinishes,
  ended,
  stopped,
  killSwitch,
  paused,
  onOurLine,
  hours,
  shownNumber,
  trunkLines,
  trunkPace,
  ringing,
  pauseLetsRing,
  silence,
  oneTalk,
  abandoned,
  parallelAbandoned,
  callersFirst,
  callbacks,
  callbackNumber,
  resumes,
  oneRecord,
  results,
  evidence,
  words,
}

/** Promises that the service does not keep yet, and why. Empty: all are kept. */
export const PENDING: Readonly<Record<string, string>> = {
  ended: 'a task that follows an ended one is dialed',
  onOurLine: 'only attempts are looked at, not callers',
  abandoned: 'a change of team or campaign leaves lines without agents',
  parallelAbandoned: 'a second number of the task is answered before it may be cut',
  ringing: 'a second number of the task is cut early while the first one talks',
  pauseLetsRing: 'a pause cuts phones that ring',
  callersFirst: 'the forecast does not subtract callers who wait',
  callbacks: 'promised callbacks wait behind other tasks and for the quiet after their own talk',
  callbackNumber: 'the next number of the task is dialed, not the one that was talked on',
  resumes: 'tasks that were put off do not learn of wider hours and higher caps',
  evidence: 'caller id and trunk of the records are those of the campaign as it is later',
  words: 'a late word about the last call reaches the present one',
}

/** A promise that was broken. */
export interface Broken {
  readonly promise: string
  readonly seed: number
  readonly fault: string
  readonly isPending: boolean
}

/** Everything that is wrong with a week. */
export function brokenIn(week: LivedWeek): Broken[] {
  const facts = factsOf(week)
  return Object.entries(PROMISES).flatMap(([promise, check]) => {
    return check(facts).map((fault) => ({ promise, seed: facts.seed, fault, isPending: promise in PENDING }))
  })
}
