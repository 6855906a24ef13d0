/**
 * The matrix of the pacing benchmark: cells, team sizes, policies, and what is promised of them (dialing-rules.md 3.7).
 */

/** One run: a scenario file, a team, a policy, so many days. */
export interface PacingJob {
  /** In `bench/pacing/`, without `.yaml`. */
  readonly file: string
  readonly agents: number
  readonly policy: string
  readonly days: number
}

/** A cell as tables name it. */
export interface PacingCell {
  readonly title: string
  /** `reference` stands for the file of each team size. */
  readonly file: string
  readonly policies: readonly string[]
  readonly sizes: readonly number[]
  /** Least occupancy in percent of the policy in charge, by team size; absent: none is promised. */
  readonly must?: Readonly<Record<number, number>>
}

/** Team sizes, and the days that give intervals of about a tenth of a point. */
const DAYS: Readonly<Record<number, number>> = { 5: 120, 10: 80, 30: 30, 100: 16, 300: 6 }
const SIZES = [5, 10, 30, 100, 300]
const MIDDLE = [10, 30, 100]

/** The policy whose promises are kept: the default of predictive campaigns. */
export const IN_CHARGE = 'e'
/** What everything is compared with. */
const PLAIN = 'one-to-one'
const PEERS = [
  'vicidial-hard-limit',
  'vicidial-tapered',
  'vicidial-available-only',
  'issabel',
  'issabel-overcommit',
  'fixed-all-1.2',
  'first-answer-3',
]
const COMPARED = [PLAIN, 'vicidial-hard-limit', 'a', IN_CHARGE]
const OURS = [PLAIN, 'a', IN_CHARGE]

const must = (...percents: readonly number[]) => Object.fromEntries(SIZES.map((size, at) => [size, percents[at]!]))

/** In the order of the report. */
export const CELLS: readonly PacingCell[] = [
  {
    title: 'reference, hit rate 40 %',
    file: 'reference',
    policies: [PLAIN, ...PEERS, 'a', 'b', 'e-cold', IN_CHARGE],
    sizes: SIZES,
    must: must(85.5, 87.6, 92.1, 96, 98.1),
  },
  {
    title: 'timed wrap-up',
    file: 'timed',
    policies: COMPARED,
    sizes: SIZES,
    must: must(87.5, 89.7, 93.5, 96.9, 98.55),
  },
  {
    title: 'non-stationary day',
    file: 'non-stationary',
    policies: COMPARED,
    sizes: SIZES,
    must: must(84.4, 86.7, 91.6, 95.9, 98.1),
  },
  { title: 'hit rate 20 %', file: 'hit-20', policies: COMPARED, sizes: SIZES, must: must(77.4, 82.1, 89.2, 93.8, 96) },
  { title: 'cap 1 %', file: 'cap-1', policies: COMPARED, sizes: SIZES, must: must(83.1, 85, 89.7, 94.1, 96.4) },
  { title: 'hit rate 60 %', file: 'hit-60', policies: COMPARED, sizes: SIZES },
  { title: 'short calls', file: 'short-calls', policies: COMPARED, sizes: SIZES },
  { title: 'credit carried in from earlier days', file: 'carried', policies: [PLAIN, IN_CHARGE], sizes: SIZES },
  { title: 'rings ended after 15 s', file: 'ring-15', policies: OURS, sizes: MIDDLE },
  { title: 'hit rate 20 %, timed wrap-up', file: 'hit-20-timed', policies: OURS, sizes: MIDDLE },
  { title: 'non-stationary day, timed wrap-up', file: 'non-stationary-timed', policies: OURS, sizes: MIDDLE },
  { title: 'loss after 1 s', file: 'loss-1', policies: OURS, sizes: MIDDLE },
  { title: 'callees with patience', file: 'patience', policies: OURS, sizes: MIDDLE },
  { title: 'imperfect machine detection', file: 'detection', policies: OURS, sizes: MIDDLE },
  { title: 'debt collection', file: 'collection', policies: OURS, sizes: MIDDLE },
  { title: 'faults', file: 'faults', policies: OURS, sizes: MIDDLE },
  { title: 'shared agents, caps 3 % and 1 %', file: 'shared', policies: OURS, sizes: MIDDLE },
]

/** Those in the plot of occupancy: without those that abandon many times the cap. */
export const PLOTTED: readonly string[] = [
  IN_CHARGE,
  'vicidial-hard-limit',
  'vicidial-available-only',
  'issabel',
  'first-answer-3',
  'a',
  PLAIN,
]

/** What peers must come to in the reference cell, or they are not what they claim to be (dialing-rules.md 2.5). */
export const PEER_CHECKS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  'vicidial-hard-limit': must(80.6, 80.5, 80.5, 80.8, 80.7),
  'vicidial-available-only': must(81.8, 82, 85.9, 92.9, 92.5),
}

/** The jobs of a cell, with no more days than that. */
export function jobsOf({ file, policies, sizes }: PacingCell, daysMax: number): PacingJob[] {
  return sizes.flatMap((agents) =>
    policies.map((policy) => ({
      file: file === 'reference' ? `reference-${agents}` : file,
      agents,
      policy,
      days: Math.min(daysMax, DAYS[agents]!),
    })),
  )
}
