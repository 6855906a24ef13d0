import type { WrapUp } from '../acd/agent-session-messages.ts'
import type { Agent, Team } from '../acd/team.ts'
import { checkShape, mostUrgent, wholePath } from '../kernel/check-shape.ts'
import { parseDuration } from '../kernel/duration.ts'
import type { Problem } from '../kernel/file-problem.ts'
import type { AgentName, FlowName, TeamName } from '../kernel/ids.ts'
import { YamlSource } from '../kernel/yaml-source.ts'
import type { RecordingRule } from '../ports/call-recordings.ts'
import type { SmsConfig } from '../ports/sms.ts'
import type { VoiceSlot } from '../ports/speech.ts'
import { checkReferences, type Known } from './check-references.ts'
import type { AsteriskConfig, IceConfig, InstallationConfig, NumberConfig, Phone, Trunk } from './config.ts'
import { type ConfigFile, configFile, parsePorts } from './config-schema.ts'
import { mailOf } from './read-mail-config.ts'

/** `installation` is undefined if one of the problems is an error. */
export interface ReadConfig {
  readonly installation?: InstallationConfig
  readonly problems: readonly Problem[]
}

/** Checks the file and fills in defaults. `file`: its name in messages. Never throws: every mistake is a problem. */
export function readConfig(file: string, text: string, known: Known = {}): ReadConfig {
  const source = new YamlSource(file, text, 'configuration')
  if (source.problems.length > 0) return { problems: source.problems }
  if (source.value === null || source.value === undefined) {
    return { problems: [source.problem([], 'the file is empty; start with the numbers that people call')] }
  }
  const { value, problems: misshapen, cuts } = checkShape(configFile, source, wholePath)
  const given = (value ?? {}) as ConfigFile
  const problems = [...misshapen, ...checkReferences(given, { source, text, cuts, known })]
  const errors = problems.filter((problem) => problem.severity === 'error')
  // The cuts would cause false warnings.
  if (errors.length > 0) return { problems: mostUrgent(misshapen.length > 0 ? errors : problems) }
  return { installation: withDefaults(file, given), problems: mostUrgent(problems) }
}

function withDefaults(file: string, { numbers, trunks, teams, agents, ...rest }: ConfigFile): InstallationConfig {
  return {
    file,
    numbers: mapOf<string, NumberConfig, NumberFile>(numbers, numberOf),
    trunks: mapOf(trunks, trunkOf),
    staff: {
      teams: mapOf<TeamName, Team, TeamFile>(teams, teamOf),
      agents: mapOf<AgentName, Agent, AgentFile>(agents, agentOf),
    },
    phones: mapOf<AgentName, Phone, AgentFile>(agents, ({ phone }) => phoneOf(phone)),
    ...(rest.phones?.ice?.length && { ice: iceOf(rest.phones) }),
    env: rest.env ?? {},
    secrets: rest.secrets ?? {},
    allowedHosts: rest.allowedHosts ?? [],
    voices: voicesOf(rest.voices),
    sms: rest.sms && smsOf(rest.sms),
    mail: rest.mail && mailOf(rest.mail),
    asterisk: asteriskOf(rest.asterisk ?? {}),
  }
}

type NumberFile = NonNullable<ConfigFile['numbers']>[string]
type TrunkFile = NonNullable<ConfigFile['trunks']>[string]
type TeamFile = NonNullable<ConfigFile['teams']>[string]
type AgentFile = NonNullable<ConfigFile['agents']>[string]

function mapOf<K extends string, V, F>(file: Record<string, F> | undefined, read: (entry: F, name: K) => V): Map<K, V> {
  return new Map(Object.entries(file ?? {}).map(([name, entry]) => [name as K, read(entry, name as K)]))
}

function numberOf({ flow, language, externalSystem, recording }: NumberFile): NumberConfig {
  return {
    flow: flow as FlowName,
    language,
    ...(externalSystem !== undefined && { externalSystem }),
    ...(recording && { recording: recordingOf(recording) }),
  }
}

function recordingOf({ mode, transcribe = true }: NonNullable<NumberFile['recording']>): RecordingRule {
  return { mode, isTranscribed: transcribe }
}

function trunkOf(trunk: TrunkFile, name: string): Trunk {
  const { host, port = 5060, username, passwordFrom, lines = 30, callsPerSecond = 10, callerIds = [] } = trunk
  const limits = { linesMax: lines, callsPerSecondMax: callsPerSecond }
  const { country, transferCountries = [], sipTransfers = false } = trunk
  return { name, host, port, username, passwordFrom, ...limits, callerIds, country, transferCountries, sipTransfers }
}

function teamOf(team: TeamFile, name: TeamName): Team {
  return {
    name,
    title: team.title ?? name,
    agents: team.agents as AgentName[],
    music: team.music ?? 'default',
    waitingMax: team.waitingMax ?? 50,
    ringTimeoutMs: parseDuration(team.ringTimeout ?? '15s')!,
    pauseAfterMissMs: parseDuration(team.pauseAfterMiss ?? '2m')!,
    ...(team.wrapUp !== undefined && { wrapUp: wrapUpOf(team.wrapUp) }),
    ...(team.recording && { recording: recordingOf(team.recording) }),
  }
}

function wrapUpOf(text: string): WrapUp {
  return text === 'byHand' ? { kind: 'byHand' } : { kind: 'timed', lengthMs: parseDuration(text)! }
}

function agentOf({ title, skills, phone }: AgentFile, name: AgentName): Agent {
  const graceMs = phone.browser ? parseDuration(phone.grace ?? '15s') : undefined
  return {
    name,
    title: title ?? name,
    ...(skills && { skills }),
    ...(graceMs !== undefined && { phoneGraceMs: graceMs }),
  }
}

/** `check-references` ensures that it is one of the three. */
function phoneOf({ username, passwordFrom, host, port = 5060, browser, opus }: AgentFile['phone']): Phone {
  if (browser) return { kind: 'browser', ...(opus && { isOpus: true }) }
  if (host !== undefined) return { kind: 'fixed', host, port }
  return { kind: 'registers', username: username!, passwordFrom: passwordFrom! }
}

function iceOf({ ice = [], turnSecretFrom }: NonNullable<ConfigFile['phones']>): IceConfig {
  return { addresses: ice, ...(turnSecretFrom !== undefined && { turnSecretFrom }) }
}

/** Names of languages are compared in small letters. */
function voicesOf(file: ConfigFile['voices'] = {}): ReadonlyMap<string, VoiceSlot> {
  const entries = Object.entries(file)
  return new Map(entries.map(([language, { engine, voice }]) => [language.toLowerCase(), { engine, voice }]))
}

function smsOf({ url, authorizationFrom, body }: NonNullable<ConfigFile['sms']>): SmsConfig {
  return { url, authorizationFrom, body: body ?? { to: '{to}', text: '{text}' } }
}

function asteriskOf(asterisk: NonNullable<ConfigFile['asterisk']>): AsteriskConfig {
  const rtp = parsePorts(asterisk.rtp ?? '10000-20000')!
  return {
    sipHost: asterisk.sipHost ?? '0.0.0.0',
    sipPort: asterisk.sipPort ?? 5060,
    rtpFrom: rtp.from,
    rtpTo: rtp.to,
    ariPort: asterisk.ariPort ?? 8088,
  }
}
