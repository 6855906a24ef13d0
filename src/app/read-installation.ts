/** The configuration of an installation and the flows that answer its numbers, checked together. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { whyNoRecording } from '../adapters/speech/recording-file.ts'
import type { Flow } from '../flow/model/flow.ts'
import { type FlowReading, readFlow } from '../flow/read/read-flow.ts'
import type { InstallationConfig } from '../installation/config.ts'
import { readConfig } from '../installation/read-config.ts'
import { byPlace, type Problem } from '../kernel/file-problem.ts'
import type { Settings } from './settings.ts'

/** `installation` is undefined if any of the files has an error. */
export interface Desired {
  readonly installation: InstallationConfig | undefined
  readonly flows: readonly Flow[]
  readonly problems: readonly Problem[]
}

/** Reads the configuration and every flow. Never throws: an unreadable file is a problem. */
export function readDesired(settings: Settings, env: Readonly<Record<string, string | undefined>>): Desired {
  const setupText = textOf(settings.setupFile, 'set SETUP_FILE, or start from switchboard.example.yaml')
  if (typeof setupText !== 'string') return { installation: undefined, flows: [], problems: [setupText] }
  const hasEnv = (name: string) => (env[name] ?? '') !== ''
  const { installation: config } = readConfig(settings.setupFile, setupText, { hasEnv })
  const used = config ? flowsOf(config) : new Set<string>()
  const files = flowFiles(settings.flowsDir)
  const read = files.map((file) => {
    const text = textOf(file, 'set FLOWS_DIR')
    if (typeof text !== 'string') return { problems: [text] }
    const recordings = { whyNoRecording: (name: string) => whyNoRecording(settings.flowsDir, name) }
    const alone = readFlow(file, text, recordings)
    // A flow that answers no number may name teams and addresses that the configuration does not have.
    return config && alone.flow && used.has(alone.flow.name)
      ? readFlow(file, text, { ...recordings, ...knownTo(config) })
      : alone
  })
  const flows = read.flatMap((result) => ('flow' in result && result.flow ? [result.flow] : []))
  // A flow with an error is not reported as missing too.
  const faulty = files.filter((_, index) => !('flow' in read[index]!))
  const names = [...flows.map(({ name }) => name), ...faulty.map((file) => basename(file, '.yaml'))]
  const named = readConfig(settings.setupFile, setupText, { hasEnv, flows: names })
  const problems = [...named.problems, ...read.flatMap((result) => result.problems)].sort(byPlace)
  const isFit = !problems.some(({ severity }) => severity === 'error')
  return { installation: isFit ? named.installation : undefined, flows, problems }
}

/** The configuration alone, for checks of flows; undefined if there is none, or it has errors. */
export function readSetup({ setupFile }: Settings): InstallationConfig | undefined {
  const text = textOf(setupFile, '')
  return typeof text === 'string' ? readConfig(setupFile, text).installation : undefined
}

/**
 * A flow beside the configuration. Unknown teams, numbers, env and secrets are errors in a flow that answers a number,
 * and warnings in every other: `apply` accepts such a flow.
 */
export function readFlowFor(config: InstallationConfig | undefined, file: string, text: string): FlowReading {
  const recordings = { whyNoRecording: (name: string) => whyNoRecording(dirname(file), name) }
  const alone = readFlow(file, text, recordings)
  if (!config) return alone
  const known = readFlow(file, text, { ...recordings, ...knownTo(config) })
  const { flow } = alone
  if (!flow || flowsOf(config).has(flow.name)) return known
  return { flow, problems: known.problems.map((problem) => ({ ...problem, severity: 'warn' as const })) }
}

/** Holds the configuration in force; `switchboard apply` compares with it. */
export function appliedFile(settings: Settings): string {
  return join(settings.dataDir, 'applied.json')
}

/** Flow files of a folder; `*.test.yaml` are tests of flows. */
export function flowFiles(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith('.yaml') && !name.endsWith('.test.yaml'))
    return names.sort().map((name) => join(directory, name))
  } catch {
    return []
  }
}

/** The flows that answer numbers. */
function flowsOf({ numbers }: InstallationConfig): ReadonlySet<string> {
  return new Set([...numbers.values()].map(({ flow }) => flow))
}

/** The linter refuses a team, number, address or secret that the configuration does not have. */
function knownTo(config: InstallationConfig) {
  return {
    teams: [...config.staff.teams.keys()],
    numbers: [...config.numbers.keys()],
    env: Object.keys(config.env),
    secrets: Object.keys(config.secrets),
  }
}

function textOf(file: string, remedy: string): string | Problem {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { file, line: 1, column: 1, severity: 'error', message: `cannot be read (${why}); ${remedy}` }
  }
}
