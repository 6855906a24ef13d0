/** Every promise that weeks check, by its name. */
import { abandoned, callersFirst, oneTalk, parallelAbandoned, silence } from './promises/answers.ts'
import { callbackNumber, callbacks, resumes } from './promises/due.ts'
import { deadNumbers, floor, frequencyCap, interval, quietAfterDrop, quietAfterTalk } from './promises/intervals.ts'
import { pauseLetsRing, ringing, trunkLines, trunkPace } from './promises/lines.ts'
import { hours, killSwitch, onOurLine, paused, sameNumber, shownNumber } from './promises/moments.ts'
import {
  beginAndEnd,
  callbackAgent,
  callbackDate,
  newFirst,
  priorities,
  retries,
  ringsNoCaller,
  validity,
} from './promises/orders.ts'
import { evidence, oneRecord, results, words } from './promises/records.ts'
import { attemptsMax, ended, stopped, talkFinishes } from './promises/tasks.ts'
import { formerTeam, keptBack, movingAgents, oneToOneForCallers, shares } from './promises/teams.ts'
import { waits } from './promises/waits.ts'
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
  sameNumber,
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
  callbackDate,
  callbackAgent,
  beginAndEnd,
  validity,
  priorities,
  newFirst,
  retries,
  ringsNoCaller,
  formerTeam,
  movingAgents,
  oneToOneForCallers,
  keptBack,
  shares,
  waits,
  resumes,
  oneRecord,
  results,
  evidence,
  words,
}

/** A promise that was broken. */
export interface Broken {
  readonly promise: string
  readonly seed: number
  readonly fault: string
}

/** Everything that is wrong with a week. */
export function brokenIn(week: LivedWeek): Broken[] {
  const facts = factsOf(week)
  return Object.entries(PROMISES).flatMap(([promise, check]) => {
    return check(facts).map((fault) => ({ promise, seed: facts.seed, fault }))
  })
}
