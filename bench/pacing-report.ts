/** What the pacing benchmark writes for people: `bench/pacing/RESULTS.md` and its plots. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CELLS, IN_CHARGE, type PacingCell, PLOTTED } from './pacing-matrix.ts'
import type { PacingRun } from './pacing-runs.ts'
import { machine, tableOf } from './report.ts'
import { chartSvg } from './svg.ts'

/** How the figures came about. */
interface ReportFacts {
  /** As it was typed. */
  readonly command: string
  readonly isTrial: boolean
}

const HOURS = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const MARKS_PER_HOUR = 12
const IN_DAY_AGENTS = 30
const IN_DAY_POLICIES = ['vicidial-hard-limit', IN_CHARGE]

/** Writes the report and its plots into a folder. */
export function writeReport(folder: string, runs: readonly PacingRun[], facts: ReportFacts): void {
  writeFileSync(join(folder, 'occupancy.svg'), occupancyChart(runs))
  writeFileSync(join(folder, 'abandonment.svg'), abandonmentChart(runs))
  writeFileSync(
    join(folder, 'RESULTS.md'),
    `${[...head(facts), ...CELLS.flatMap((cell) => section(cell, runs))].join('\n\n')}\n`,
  )
}

/** The runs of a cell: its file, or those of the reference cell's team sizes. */
export function runsOf({ file }: PacingCell, runs: readonly PacingRun[]): PacingRun[] {
  return runs.filter(({ job }) => job.file === file || (file === 'reference' && job.file.startsWith('reference-')))
}

function head({ command, isTrial }: ReportFacts): string[] {
  const date = new Date().toISOString().slice(0, 10)
  return [
    '# Pacing: figures of the whole matrix',
    `Written by \`${command}\`, ${date}, on ${machine()}; Node ${process.versions.node}.` +
      ' Scenarios and what was chosen where the specification is silent: [README.md](README.md).',
    ...(isTrial ? ['**A trial, with fewer days than the bars ask for: its figures do not count.**'] : []),
    'Occupancy: talk and wrap-up over the time logged in without breaks. ± is half of a 95 % interval over days. In' +
      ' brackets: abandoned over answered, all days together. Days of 8 hours, ledger empty each morning, seed 1000;' +
      ' 120, 80, 30, 16, 6 days for 5, 10, 30, 100, 300 agents. All policies meet the same days. `b` and `e`' +
      ' have learned distributions before, as after a day; `e-cold` begins with a guess each morning. A single cell' +
      ' is run again by `npm run simulate -- bench/pacing/FILE.yaml --agents N --policy NAME`.',
    '![Occupancy by team size](occupancy.svg)',
    '![Abandonment over the day](abandonment.svg)',
  ]
}

function section(cell: PacingCell, runs: readonly PacingRun[]): string[] {
  const mine = runsOf(cell, runs)
  const { title, sizes, policies, must } = cell
  const row = (name: string, cells: readonly string[]) => [name, ...cells]
  const figures = (policy: string, told: (run: PacingRun) => string) =>
    sizes.map((size) => {
      const run = mine.find(({ job }) => job.agents === size && job.policy === policy)
      return run ? told(run) : ''
    })
  const headRow = ['', ...sizes.map((size) => `${size} agents`)]
  const occupancy = policies.map((policy) => row(`\`${policy}\``, figures(policy, occupancyTold)))
  const bar = must
    ? [
        row(
          'must',
          sizes.map((size) => String(must[size])),
        ),
      ]
    : []
  const above = policies.map((policy) => row(`\`${policy}\``, figures(policy, aboveTold)))
  const more = policies.map((policy) => row(`\`${policy}\``, figures(policy, moreTold)))
  return [
    `## ${title}`,
    tableOf({ head: headRow, rows: [...occupancy, ...bar] }),
    'Time above the cap in percent of the day / worst day in percent abandoned:',
    tableOf({ head: headRow, rows: above }),
    'Idle between calls, mean / 95th percentile in s; dials per conversation; rings cut under 15 s per conversation;' +
      ' persons taken for machines in percent:',
    tableOf({ head: headRow, rows: more }),
  ]
}

function occupancyTold({ outcome: { summary } }: PacingRun): string {
  const { occupancyPct, occupancyCi, abandonedPct } = summary
  return `${occupancyPct.toFixed(2)} ± ${occupancyCi.toFixed(2)} (${abandonedPct.toFixed(2)})`
}

function aboveTold({ outcome: { summary } }: PacingRun): string {
  const { timeAboveCapPct, abandonedWorstDayPct, campaigns } = summary
  const worst = campaigns.length < 2 ? [abandonedWorstDayPct] : campaigns.map((one) => one.abandonedWorstDayPct)
  return `${timeAboveCapPct.toFixed(3)} / ${worst.map((day) => day.toFixed(2)).join(', ')}`
}

function moreTold({ outcome: { summary } }: PacingRun): string {
  const { idleMeanS, idleP95S, dialsPerConversation, ringsCutPerConversation, hungUpOnPct } = summary
  const [dials, cut] = [dialsPerConversation.toFixed(2), ringsCutPerConversation.toFixed(2)]
  return `${idleMeanS.toFixed(1)} / ${idleP95S.toFixed(1)}; ${dials}; ${cut}; ${hungUpOnPct.toFixed(1)}`
}

function occupancyChart(runs: readonly PacingRun[]): string {
  const cell = CELLS[0]!
  const mine = runsOf(cell, runs)
  const lines = PLOTTED.map((policy) => {
    const points = mine.filter(({ job }) => job.policy === policy)
    return {
      name: policy,
      points: points.map(({ job, outcome }) => [job.agents, outcome.summary.occupancyPct] as const),
    }
  })
  return chartSvg({
    title: 'Occupancy by team size: reference cell, hit rate 40 %, cap 3 %',
    xName: 'agents',
    yName: 'occupancy, %',
    xTicks: cell.sizes.map((size) => [size, String(size)] as const),
    yTicks: [76, 80, 84, 88, 92, 96, 100],
    isLogX: true,
    lines,
  })
}

function abandonmentChart(runs: readonly PacingRun[]): string {
  const cells = [CELLS[0]!, CELLS.find(({ file }) => file === 'non-stationary')!]
  const lines = cells.flatMap((cell) =>
    IN_DAY_POLICIES.flatMap((policy) => {
      const run = runsOf(cell, runs).find(({ job }) => job.agents === IN_DAY_AGENTS && job.policy === policy)
      if (!run) return []
      const points = run.outcome.worstRatesPct.map((rate, mark) => [(mark + 1) / MARKS_PER_HOUR, rate] as const)
      return [{ name: `${policy}, ${cell.file}`, points }]
    }),
  )
  return chartSvg({
    title: `Abandoned so far, worst of the days: ${IN_DAY_AGENTS} agents, cap 3 %`,
    xName: 'hours since the day began',
    yName: 'abandoned/answered, %',
    xTicks: HOURS.map((hour) => [hour, String(hour)] as const),
    yTicks: [0, 2, 4, 6, 8, 10, 12],
    level: 3,
    lines,
  })
}
