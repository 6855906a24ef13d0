/** The configuration of an installation and the flows that answer its numbers, checked together. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { whyNoRecording } from '../adapters/speech/recording-file.ts'
import type { Flow } from '../flow/model/flow.ts'
import type { SpokenNumber } from '../flow/read/lint-subject.ts'
import { type FlowReading, readFlow } from '../flow/read/read-flow.ts'
import type { InstallationConfig } from '../installation/config.ts'
import { type ReadConfig, readConfig } from '../installation/read-config.ts'
import { byPlace, type Problem } from '../kernel/file-problem.ts'
import type { AgentName } from '../kernel/ids.ts'
import type { FlowChecks, FlowFile } from '../publishing/published-flows.ts'
import { readUsed } from '../publishing/read-used.ts'
import { readFlowText } from './flow-text.ts'
import type { Settings } from './settings.ts'

/** `installation` is undefined if any of the files has an error. */
export interface Desired {
  readonly installation: InstallationConfig | undefined
  readonly flows: readonly Flow[]
  readonly problems: readonly Problem[]
  /** The configuration by itself, whatever the flows are; undefined if it has an error. */
  readonly config: InstallationConfig | undefined
  readonly files: readonly FlowFile[]
  /** The configuration beside flows of these names, instead of those of the files. */
  beside(flows: Iterable<string>): ReadConfig
}

/** Reads the configuration and every flow. Never throws: an unreadable file is a problem. */
export function readDesired(settings: Settings, env: Readonly<Record<string, string | undefined>>): Desired {
  const setupText = textOf(settings.setupFile, 'set SETUP_FILE, or start from switchboard.example.yaml')
  if (typeof setupText !== 'string') {
    const nothing = { installation: undefined, config: undefined, flows: [], files: [], problems: [setupText] }
    return { ...nothing, beside: () => ({ problems: [setupText] }) }
  }
  const hasEnv = (name: string) => (env[name] ?? '') !== ''
  const { installation: config } = readConfig(settings.setupFile, setupText, { hasEnv })
  const files = flowChecks(settings, config).files()
  const flows = files.flatMap(({ reading }) => reading.flow ?? [])
  const beside = (names: Iterable<string>) => readConfig(settings.setupFile, setupText, { hasEnv, flows: names })
  // A flow with an error is not reported as missing too.
  const named = beside([...flows.map(({ name }) => name), ...brokenNames(files)])
  const problems = [...named.problems, ...files.flatMap(({ reading }) => reading.problems)].sort(byPlace)
  const isFit = !problems.some(({ severity }) => severity === 'error')
  return { installation: isFit ? named.installation : undefined, config, flows, files, problems, beside }
}

/** The names by which files with errors are known: the names of the files. */
export function brokenNames(files: readonly FlowFile[]): string[] {
  return files.filter(({ reading }) => !reading.flow).map(({ file }) => basename(file, '.yaml'))
}

/** The flow files, and any other text of a flow, beside a configuration. A text that was fit is not checked again. */
export function flowChecks(settings: Settings, config: InstallationConfig | undefined): FlowChecks {
  const { flowsDir } = settings
  const fit = new Map<string, FlowFile>()
  const used = config ? [...flowsOf(config)] : []
  const surroundings = { flowsDir, used, ...(config && { known: knownTo(config, settings) }) }
  return {
    surroundings,
    files() {
      const files = flowFiles(flowsDir).map((file): FlowFile => {
        const text = textOf(file, 'set FLOWS_DIR', readFlowText)
        if (typeof text !== 'string') return { file, text: '', reading: { problems: [text] } }
        const known = fit.get(file)
        if (known?.text === text) return known
        const read = { file, text, reading: readUsed(surroundings, file, text) }
        if (read.reading.flow) fit.set(file, read)
        return read
      })
      return files.map((file, index) => withoutTwin(file, files.slice(0, index)))
    },
    read: (label, text) => readUsed(surroundings, label, text),
  }
}

/** Two files of one flow would replace each other for ever. */
function withoutTwin(file: FlowFile, earlier: readonly FlowFile[]): FlowFile {
  const { flow } = file.reading
  const twin = flow && earlier.find(({ reading }) => reading.flow?.name === flow.name)
  if (!twin) return file
  const message = `the flow ${flow.name} is also in ${twin.file}; remove one of the files, or rename its flow`
  return { ...file, reading: { problems: [{ file: file.file, line: 1, column: 1, severity: 'error', message }] } }
}

/** What flows are checked beside. */
export interface Setup {
  readonly settings: Settings
  readonly config: InstallationConfig | undefined
  /** Why there is no `config`; undefined if there is one. */
  readonly why: 'missing' | 'broken' | undefined
}

/** The configuration alone, for checks of flows. */
export function readSetup(settings: Settings): Setup {
  const { setupFile } = settings
  if (!existsSync(setupFile)) return { settings, config: undefined, why: 'missing' }
  const text = textOf(setupFile, '')
  const config = typeof text === 'string' ? readConfig(setupFile, text).installation : undefined
  return { settings, config, why: config ? undefined : 'broken' }
}

/**
 * A flow beside the configuration, if there is one. Unknown teams, numbers, env and secrets are errors in a flow that
 * answers a number, and warnings in every other: `apply` accepts such a flow.
 */
export function readFlowFor({ settings, config }: Setup, file: string, text: string): FlowReading {
  const recordings = { whyNoRecording: (name: string) => whyNoRecording(dirname(file), name) }
  const alone = readFlow(file, text, recordings)
  if (!config) return alone
  const known = readFlow(file, text, { ...recordings, ...knownTo(config, settings) })
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

/** The linter refuses a team, number, address, secret or language that does not fit the configuration. */
function knownTo(config: InstallationConfig, { twilio, listen }: Settings) {
  const skillsOf = (agent: AgentName) => config.staff.agents.get(agent)?.skills ?? []
  return {
    teams: [...config.staff.teams.keys()],
    skills: new Map([...config.staff.teams.values()].map(({ name, agents }) => [name as string, agents.map(skillsOf)])),
    numbers: [...config.numbers.keys()],
    sipHosts: sipHostsOf(config),
    env: Object.keys(config.env),
    secrets: Object.keys(config.secrets),
    spoken: spokenNumbers(config),
    systemless: systemlessNumbers(config),
    canText: twilio !== undefined || config.sms !== undefined,
    ...(config.voices.size > 0 && { voices: enginesOf(config) }),
    hasEars: listen !== undefined,
  }
}

function spokenNumbers({ numbers }: InstallationConfig): ReadonlyMap<string, readonly SpokenNumber[]> {
  const spoken = [...numbers].flatMap(([number, { flow, language }]) => {
    return language === undefined ? [] : [{ flow, number, language }]
  })
  return Map.groupBy(spoken, ({ flow }) => flow)
}

/** Flow → its numbers that belong to no external system. */
function systemlessNumbers({ numbers }: InstallationConfig): ReadonlyMap<string, readonly string[]> {
  const systemless = [...numbers].filter(([, { externalSystem }]) => externalSystem === undefined)
  const byFlow = Map.groupBy(systemless, ([, { flow }]) => flow as string)
  return new Map([...byFlow].map(([flow, found]) => [flow, found.map(([number]) => number)]))
}

function enginesOf({ voices }: InstallationConfig): ReadonlyMap<string, string> {
  return new Map([...voices].map(([language, { engine }]) => [language, engine]))
}

/** Trunks that take transfers to `sip:` addresses, by name and by host. */
function sipHostsOf({ trunks }: InstallationConfig): string[] {
  const taking = [...trunks.values()].filter(({ sipTransfers }) => sipTransfers)
  return taking.flatMap(({ name, host }) => [name, host.toLowerCase()])
}

function textOf(file: string, remedy: string, read = (name: string) => readFileSync(name, 'utf8')): string | Problem {
  try {
    return read(file)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { file, line: 1, column: 1, severity: 'error', message: `cannot be read (${why}); ${remedy}` }
  }
}
