import { readFileSync, writeFileSync } from 'node:fs'
import { formatProblem } from '../kernel/file-problem.ts'
import { CSV_TITLES, campaignLines, csvRows, tableOf } from '../pacing-sim/format.ts'
import { runDays, type Summary } from '../pacing-sim/over-days.ts'
import { POLICY_NAMES, policyNamed } from '../pacing-sim/policies.ts'
import type { PolicyFactory } from '../pacing-sim/policy.ts'
import { readScenario } from '../pacing-sim/read-scenario.ts'
import type { Scenario } from '../pacing-sim/scenario.ts'

interface SimulateOptions {
  /** Names, separated by commas; all policies get the same days. */
  readonly policy: string
  readonly days?: number
  readonly seed?: number
  readonly agents?: number
  readonly csv?: string
  /** Where to write the figures as JSON: an object for one policy, a list for several. */
  readonly summary?: string
}

interface SimulateContext {
  readonly write: (line: string) => void
  /** Absent where the output is not a terminal. */
  readonly progress?: (text: string) => void
  /** Our own policies when absent. */
  readonly policies?: PolicyChoice
}

interface PolicyChoice {
  readonly names: readonly string[]
  readonly named: (name: string) => PolicyFactory | undefined
}

const OUR_POLICIES: PolicyChoice = { names: POLICY_NAMES, named: policyNamed }

/** `switchboard simulate`: runs the days of a scenario under each policy and compares them; 1 after an error. */
export function simulateCommand(file: string, options: SimulateOptions, context: SimulateContext): number {
  const { write, progress, policies = OUR_POLICIES } = context
  const scenario = scenarioIn(file, options, write)
  if (!scenario) return 1
  const names = options.policy.split(',').map((name) => name.trim())
  const unknown = names.find((name) => policies.named(name) === undefined)
  if (unknown !== undefined) {
    write(`there is no policy ${unknown}; choose from ${policies.names.join(', ')}`)
    return 1
  }
  const { title, agents, days, seed } = scenario
  write(`${title}: ${agents} agents, ${days} days of ${scenario.dayMs / 3_600_000} h, seed ${seed}`)
  const rows = [CSV_TITLES]
  const summaries = names.map((name): Summary => {
    const onDay = (result: Parameters<typeof csvRows>[1]) => {
      rows.push(...csvRows(name, result))
      progress?.(`${name}: day ${result.day + 1} of ${days}`)
    }
    return runDays(scenario, { name, policy: policies.named(name)!, days, seed, onDay })
  })
  progress?.('')
  for (const line of [...tableOf(summaries), ...summaries.flatMap(campaignLines)]) write(line)
  if (options.csv !== undefined) writeFileSync(options.csv, `${rows.join('\n')}\n`)
  if (options.summary !== undefined) {
    writeFileSync(options.summary, `${JSON.stringify(summaries.length === 1 ? summaries[0] : summaries, null, 2)}\n`)
  }
  return 0
}

function scenarioIn(file: string, options: SimulateOptions, write: (line: string) => void): Scenario | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    write(`${file}:1:1 error the file cannot be read; bench/pacing has examples`)
    return undefined
  }
  const { scenario, problems } = readScenario(file, text, options)
  for (const problem of problems) write(formatProblem(problem))
  return scenario
}
