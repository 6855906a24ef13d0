/** One core of the pacing benchmark: runs the days of one job after another. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { formatProblem } from '../../src/kernel/file-problem.ts'
import { runDays, type Summary } from '../../src/pacing-sim/over-days.ts'
import { readScenario } from '../../src/pacing-sim/read-scenario.ts'
import type { DayResult } from '../../src/pacing-sim/run-day.ts'
import { serve } from '../child.ts'
import type { PacingJob } from '../pacing-matrix.ts'
import { anyPolicyNamed } from '../policies.ts'

/** What a job came to. Plain data: an interrupted benchmark resumes from its copy on disk. */
export interface PacingOutcome {
  readonly summary: Summary
  /** Abandoned over answered of the day so far, each five minutes, in percent: mean and worst of the days. */
  readonly meanRatesPct: readonly number[]
  readonly worstRatesPct: readonly number[]
  /** Of this process, for all of it. */
  readonly cpuS: number
  readonly agentHours: number
  readonly decisions: number
}

/** What this process answers to. */
export type PacingApi = { readonly run: (job: PacingJob) => PacingOutcome }

/** Runs one job. Throws on a file or a policy that is not there. */
export function runJob({ file, agents, policy, days }: PacingJob): PacingOutcome {
  const path = fileURLToPath(new URL(`../pacing/${file}.yaml`, import.meta.url))
  const { scenario, problems } = readScenario(path, readFileSync(path, 'utf8'), { agents, days })
  const factory = anyPolicyNamed(policy)
  if (!scenario) throw new Error(problems.map(formatProblem).join('\n'))
  if (!factory) throw new Error(`there is no policy ${policy}`)
  const rates: (readonly number[])[] = []
  let decisions = 0
  const onDay = (result: DayResult) => {
    rates.push(result.campaigns[0]!.ratesPct)
    decisions += result.decisions
  }
  const before = process.cpuUsage()
  const summary = runDays(scenario, { name: policy, policy: factory, days, seed: scenario.seed, onDay })
  const { user, system } = process.cpuUsage(before)
  const marks = rates[0]!.map((_, mark) => rates.map((day) => day[mark]!))
  return {
    summary,
    meanRatesPct: marks.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length),
    worstRatesPct: marks.map((values) => Math.max(...values)),
    cpuS: (user + system) / 1e6,
    agentHours: (agents * days * scenario.dayMs) / 3_600_000,
    decisions,
  }
}

if (process.send) serve({ run: runJob })
