/** Where tests by phone run: a folder, free ports, and the configuration of the service for one test. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { freePort } from '../../asterisk/ports.ts'
import { readSettings, type Settings } from '../app/settings.ts'
import type { Flow } from '../flow/model/flow.ts'
import { defaultEnv } from '../flow-test/read-given.ts'
import type { Given } from '../flow-test/script.ts'
import { TASK_TEAM } from './integrator.ts'
import type { OutsideWorld } from './outside-world.ts'

/** Shared by all tests of a run. */
export interface PhonePlace {
  /** Data of these tests alone; the sounds in it are used again. */
  readonly directory: string
  readonly treeDirectory: string
  readonly sipPort: number
  readonly ariPort: number
  readonly httpPort: number
  readonly ssoPort: number
  readonly phonePort: number
}

/** A flow that a test plays. */
export interface PlayedFlow {
  readonly flow: Flow
  readonly flowFile: string
  /** With its subflows. */
  readonly text: string
}

/** Settings, and the variables that the configuration names. */
interface PhoneSetup {
  readonly settings: Settings
  readonly env: Readonly<Record<string, string>>
  readonly teams: readonly string[]
}

/** The caller's address, which is that of the trunk; agents have the next ones. */
export const CALLER_HOST = '127.0.0.61'
const LOOPBACK = '127.0.0.1'
const FIRST_AGENT = 62
/** More teams have no agent, which no flow needs. */
const TEAMS_MAX = 20

/** The agent of a team, and the address of their phone. */
export const agentOf = (index: number) => ({ name: `agent-${index + 1}`, host: `127.0.0.${FIRST_AGENT + index}` })

/** Chooses the ports. Rejects where none is free. */
export async function choosePlace(dataDir: string): Promise<PhonePlace> {
  return {
    directory: join(dataDir, 'phone-tests'),
    treeDirectory: join(dataDir, 'asterisk'),
    sipPort: await freePort('udp', LOOPBACK),
    ariPort: await freePort('tcp', LOOPBACK),
    httpPort: await freePort('tcp', LOOPBACK),
    ssoPort: await freePort('tcp', LOOPBACK),
    phonePort: await freePort('udp', agentOf(0).host),
  }
}

/** The folder of the running Asterisk. */
export function runDirectoryOf({ directory }: PhonePlace): string {
  return join(directory, 'asterisk-run')
}

/** Writes flow and configuration of one test. */
export function writeSetup(place: PhonePlace, played: PlayedFlow, given: Given, world: OutsideWorld): PhoneSetup {
  const { directory } = place
  const flowsDir = join(directory, 'flows')
  rmSync(flowsDir, { recursive: true, force: true })
  mkdirSync(flowsDir, { recursive: true })
  const { flow } = played
  writeFileSync(join(flowsDir, `${flow.name}.yaml`), played.text)
  const parts = JSON.stringify([flow.prompts, [...flow.steps.values()], flow.onHangup])
  for (const file of namesIn(parts, /"file":"([^"]+)"/g)) {
    mkdirSync(dirname(join(flowsDir, file)), { recursive: true })
    copyFileSync(join(dirname(played.flowFile), file), join(flowsDir, file))
  }
  const teams = teamsOf(flow).slice(0, TEAMS_MAX)
  const skills = namesIn(parts, /"skills":\[([^\]]+)\]/g).flatMap((list) => JSON.parse(`[${list}]`) as string[])
  const secrets = namesIn(parts, /\$\{secret\.(\w+)/g)
  const values = { ...defaultEnv(flow), ...world.env }
  const setupFile = join(directory, 'switchboard.yaml')
  writeFileSync(setupFile, stringify(configOf(place, { flow, given, world, teams, skills, secrets, values })))
  const variables = [
    ...Object.entries(values).map(([name, value]) => [variableOf('ENV', name), value]),
    ...secrets.map((name) => [variableOf('SECRET', name), `secret-${name}`]),
  ]
  return { settings: settingsOf(place, { flowsDir, setupFile, world }), env: Object.fromEntries(variables), teams }
}

interface ConfigParts {
  readonly flow: Flow
  readonly given: Given
  readonly world: OutsideWorld
  readonly teams: readonly string[]
  readonly skills: readonly string[]
  readonly secrets: readonly string[]
  readonly values: Readonly<Record<string, string>>
}

function configOf(place: PhonePlace, { flow, given, world, teams, skills, secrets, values }: ConfigParts): object {
  const agents = teams.map((_, index) => agentOf(index))
  const refusal = { closed: { agents: [] }, full: { waitingMax: 0 } }
  const team = (name: string, index: number) => {
    const refuses = given.queue.get(name)
    return [name, { agents: [agents[index]!.name], ...(refuses && refusal[refuses]) }]
  }
  const language = given.language === undefined ? {} : { language: given.language }
  return {
    numbers: { [given.called]: { flow: flow.name, ...language } },
    trunks: { caller: { host: CALLER_HOST, callerIds: ['+3726000000'] } },
    teams: { ...Object.fromEntries(teams.map(team)), [TASK_TEAM]: { agents: [] } },
    agents: Object.fromEntries(
      agents.map(({ name, host }) => [name, { phone: { host, port: place.phonePort }, skills: [...new Set(skills)] }]),
    ),
    env: Object.fromEntries(Object.keys(values).map((name) => [name, variableOf('ENV', name)])),
    secrets: Object.fromEntries(secrets.map((name) => [name, variableOf('SECRET', name)])),
    allowedHosts: world.hosts,
    asterisk: { sipHost: LOOPBACK, sipPort: place.sipPort, rtp: '20000-25999', ariPort: place.ariPort },
  }
}

function settingsOf(
  place: PhonePlace,
  { world, ...files }: Pick<Settings, 'flowsDir' | 'setupFile'> & { readonly world: OutsideWorld },
): Settings {
  return {
    ...readSettings({}).settings!,
    ...files,
    dataDir: place.directory,
    environment: 'development',
    httpPort: place.httpPort,
    ssoPort: place.ssoPort,
    endpoint: `http://${LOOPBACK}:${place.httpPort}`,
    twilio: { ...world.twilio, from: '+3726000000' },
    journalFilesMax: 4,
  }
}

/** Every team that a step of the flow can name. */
function teamsOf(flow: Flow): string[] {
  const teams = [...flow.steps.values()].flatMap((step) => {
    if (step.kind !== 'queue' && step.kind !== 'record') return []
    const { team } = step.spec
    if (typeof team === 'object') return [...Object.values(team.map), team.else]
    return team === undefined ? [] : [team]
  })
  return [...new Set(teams)]
}

/** The first group of every match, each once. */
function namesIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))]
}

function variableOf(kind: 'ENV' | 'SECRET', name: string): string {
  return `PHONE_TEST_${kind}_${Buffer.from(name).toString('hex').toUpperCase()}`
}
