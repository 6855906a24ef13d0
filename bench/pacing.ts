/**
 * The pacing benchmark: cells × team sizes × policies on virtual days. Figures and plots go to `bench/pacing/`, the
 * promises to `bench/RESULTS.md`. Nothing is measured by the clock but how fast it is.
 */
import { fileURLToPath } from 'node:url'
import type { Bar, Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { CELLS, IN_CHARGE, jobsOf, PEER_CHECKS } from './pacing-matrix.ts'
import { runsOf, writeReport } from './pacing-report.ts'
import { type PacingRun, runAll } from './pacing-runs.ts'

const FOLDER = fileURLToPath(new URL('pacing', import.meta.url))
const DAYS = 120
/** S/(S+I) of dialing-rules.md 3.2 at 40 %. */
const CLOSED_FORM_PCT = 81.4

/** All of it, on all cores; an interrupted run goes on where it stopped. */
export const pacing: Benchmark = {
  name: 'pacing',
  about: 'how well pacing uses agents, and what it abandons, on virtual days',
  defaults: { days: DAYS },
  async run({ days }: Plan, kit: Kit): Promise<Result> {
    const jobs = CELLS.flatMap((cell) => jobsOf(cell, days))
    const runs = await runAll(jobs, kit.directory, kit.onLine)
    const command = ['npm run bench --', ...process.argv.slice(2)].join(' ')
    writeReport(FOLDER, runs, { command, isTrial: days < DAYS })
    return {
      bars: barsOf(runs),
      tables: [],
      notes: ['All figures, with intervals, and the plots: [bench/pacing/RESULTS.md](pacing/RESULTS.md).'],
    }
  },
}

/** What is promised of the figures. */
function barsOf(runs: readonly PacingRun[]): Bar[] {
  return [...occupancyBars(runs), ...capBars(runs), ...checkBars(runs), ...speedBars(runs)]
}

function occupancyBars(runs: readonly PacingRun[]): Bar[] {
  return CELLS.flatMap((cell) =>
    cell.sizes.flatMap((size) => {
      const least = cell.must?.[size]
      const run = runsOf(cell, runs).find(({ job }) => job.agents === size && job.policy === IN_CHARGE)
      if (least === undefined || !run) return []
      const what = `${cell.title}, ${size} agents: occupancy of \`${IN_CHARGE}\``
      return [{ what, measured: run.outcome.summary.occupancyPct, unit: '%', limit: { atLeast: least } }]
    }),
  )
}

function capBars(runs: readonly PacingRun[]): Bar[] {
  const ours = runs.filter(({ job }) => job.policy === IN_CHARGE)
  const measured = Math.max(...ours.map(({ outcome }) => outcome.summary.timeAboveCapPct))
  return [{ what: `time above the cap of \`${IN_CHARGE}\`, worst cell`, measured, unit: '%', limit: { atMost: 0 } }]
}

/** The simulator against what is known of it: the closed form, and the peers' own figures. */
function checkBars(runs: readonly PacingRun[]): Bar[] {
  const reference = runsOf(CELLS[0]!, runs)
  const off = (policy: string, wanted: (agents: number) => number | undefined) => {
    const mine = reference.filter(({ job }) => job.policy === policy)
    return mine.map(({ job, outcome }) => Math.abs(outcome.summary.occupancyPct - (wanted(job.agents) ?? Number.NaN)))
  }
  const bar = (what: string, distances: readonly number[], points: number): Bar => {
    return { what, measured: Math.max(...distances), unit: 'points', limit: { atMost: points } }
  }
  return [
    bar(
      'one-to-one, distance from the closed form',
      off('one-to-one', () => CLOSED_FORM_PCT),
      1,
    ),
    ...Object.entries(PEER_CHECKS).map(([policy, percents]) =>
      bar(
        `\`${policy}\`, distance from what it is known to do`,
        off(policy, (agents) => percents[agents]),
        0.5,
      ),
    ),
  ]
}

function speedBars(runs: readonly PacingRun[]): Bar[] {
  const speedOf = (chosen: readonly PacingRun[]) =>
    chosen.reduce((sum, { outcome }) => sum + outcome.agentHours, 0) /
    chosen.reduce((sum, { outcome }) => sum + outcome.cpuS, 0)
  const simple = runs.filter(({ job }) => job.policy === 'one-to-one' || job.policy === 'a')
  const large = runs.filter(({ job }) => job.policy === IN_CHARGE && job.agents === 300)
  const perDecisionMs = Math.max(...large.map(({ outcome }) => (1_000 * outcome.cpuS) / outcome.decisions))
  const unit = 'agent-hours per s of one core'
  return [
    { what: 'speed with `one-to-one` and `a`', measured: speedOf(simple), unit, limit: { atLeast: 2_000 } },
    {
      what: `one decision of \`${IN_CHARGE}\` at 300 agents, all of the simulation included, worst cell`,
      measured: perDecisionMs,
      unit: 'ms',
      limit: { atMost: 2 },
    },
  ]
}
