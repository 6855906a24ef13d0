/** Figures of simulated days as text: a table for people, rows for spreadsheets. */
import { abandonedPctOf, occupancyPctOf, type Summary } from './over-days.ts'
import type { DayResult } from './run-day.ts'

type Column = readonly [title: string, cell: (summary: Summary) => string]

const COLUMNS: readonly Column[] = [
  ['policy', ({ policy }) => policy],
  ['occupancy %', ({ occupancyPct, occupancyCi }) => `${occupancyPct.toFixed(2)} ± ${occupancyCi.toFixed(2)}`],
  ['abandoned %', ({ abandonedPct, abandonedCi }) => `${abandonedPct.toFixed(2)} ± ${abandonedCi.toFixed(2)}`],
  ['worst day %', ({ abandonedWorstDayPct }) => abandonedWorstDayPct.toFixed(2)],
  ['time above cap %', ({ timeAboveCapPct }) => timeAboveCapPct.toFixed(3)],
  ['talk min/h', ({ talkMinPerHour }) => talkMinPerHour.toFixed(1)],
  ['idle s', ({ idleMeanS }) => idleMeanS.toFixed(1)],
  ['idle p95 s', ({ idleP95S }) => idleP95S.toFixed(1)],
  ['wait p95 s', ({ waitP95S }) => waitP95S.toFixed(2)],
  ['wait max s', ({ waitMaxS }) => waitMaxS.toFixed(2)],
  ['dials/talk', ({ dialsPerConversation }) => dialsPerConversation.toFixed(2)],
  ['cut rings/talk', ({ ringsCutPerConversation }) => ringsCutPerConversation.toFixed(3)],
  ['hung up on %', ({ hungUpOnPct }) => hungUpOnPct.toFixed(2)],
  ['lines/agent max', ({ linesPerAgentMax }) => linesPerAgentMax.toFixed(1)],
]

/** The table: a line of titles and a line for each policy. */
export function tableOf(summaries: readonly Summary[]): string[] {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...summaries.map((summary) => COLUMNS.map(([, cell]) => cell(summary))),
  ]
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) => row.map((cell, column) => padded(cell, widths[column]!, column)).join('  '))
}

/** A line for each campaign when several share the team; no line for a single campaign. */
export function campaignLines({ policy, campaigns }: Summary): string[] {
  if (campaigns.length < 2) return []
  return campaigns.map(
    ({ name, answered, abandonedPct, abandonedWorstDayPct, timeAboveCapPct }) =>
      `${policy}, ${name}: ${answered} answered, ${abandonedPct.toFixed(2)} % abandoned, ` +
      `worst day ${abandonedWorstDayPct.toFixed(2)} %, ${timeAboveCapPct.toFixed(3)} % of the time above its cap`,
  )
}

/** The first line of the rows by day. */
export const CSV_TITLES =
  'policy,day,campaign,occupancyPct,abandonedPct,answered,abandoned,connected,dials,withdrawn,ringsCut,' +
  'personsHungUpOn,aboveCapMs'

/** One row for each campaign of a day. Occupancy is the team's. */
export function csvRows(policy: string, result: DayResult): string[] {
  return result.campaigns.map((campaign) => {
    const { name, answered, abandoned, connected, dials, withdrawn, ringsCut, personsHungUpOn, aboveCapMs } = campaign
    const shares = [occupancyPctOf(result), abandonedPctOf({ campaigns: [campaign] })].map((share) => share.toFixed(4))
    const counts = [answered, abandoned, connected, dials, withdrawn, ringsCut, personsHungUpOn, aboveCapMs]
    return [policy, result.day, name, ...shares, ...counts].join(',')
  })
}

function padded(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}
