import { formatDuration } from '../kernel/duration.ts'
import type { RecordingRule } from '../ports/call-recordings.ts'
import type { InstallationConfig } from './config.ts'

/** A change of one part of a configuration: `agent ben`, `number +45…`, `asterisk`. */
interface Change {
  readonly kind: 'added' | 'changed' | 'removed'
  readonly thing: string
  /** Added: a short description. Changed: `ringTimeout 15s → 20s`, one entry per field. Removed: empty. */
  readonly details: readonly string[]
}

/** A part as the author sees it. */
interface Thing {
  readonly brief: readonly string[]
  readonly fields: Readonly<Record<string, string | undefined>>
}

/** What applying `after` changes, in the order of the file; removed parts come last. */
export function planChanges(before: InstallationConfig | undefined, after: InstallationConfig): Change[] {
  const had = before ? thingsOf(before) : new Map<string, Thing>()
  const has = thingsOf(after)
  const changes: Change[] = []
  for (const [thing, now] of has) {
    const then = had.get(thing)
    if (!then) changes.push({ kind: 'added', thing, details: now.brief })
    else {
      const details = differences(then, now)
      if (details.length > 0) changes.push({ kind: 'changed', thing, details })
    }
  }
  for (const thing of had.keys()) if (!has.has(thing)) changes.push({ kind: 'removed', thing, details: [] })
  return changes
}

/** Sections that a running service does not change: their connections are opened at the start. */
const FIXED = [
  'allowedHosts',
  'voices',
  'sms',
  'mail',
  'asterisk',
] as const satisfies readonly (keyof InstallationConfig)[]

/** Changed sections that need a restart; until then the old ones stay in force. */
export function needsRestart(before: InstallationConfig, after: InstallationConfig): string[] {
  const text = (config: InstallationConfig, part: (typeof FIXED)[number]) =>
    JSON.stringify(part === 'voices' ? [...config.voices] : config[part])
  return FIXED.filter((part) => text(before, part) !== text(after, part))
}

const SIGNS = { added: '+', changed: '~', removed: '-' } as const

/** One line per change, such as `+ agent ben (192.0.2.31:5060)`, or `no changes`. */
export function formatChanges(changes: readonly Change[]): string {
  if (changes.length === 0) return 'no changes'
  return changes.map(formatChange).join('\n')
}

function formatChange({ kind, thing, details }: Change): string {
  const text = details.join(', ')
  if (kind === 'changed') return `${SIGNS[kind]} ${thing}: ${text}`
  return `${SIGNS[kind]} ${thing}${text ? ` (${text})` : ''}`
}

function differences(then: Thing, now: Thing): string[] {
  const fields = new Set([...Object.keys(then.fields), ...Object.keys(now.fields)])
  return [...fields]
    .filter((field) => then.fields[field] !== now.fields[field])
    .map((field) => `${field} ${then.fields[field] ?? 'none'} → ${now.fields[field] ?? 'none'}`)
}

function thingsOf(config: InstallationConfig): Map<string, Thing> {
  const things = new Map<string, Thing>()
  const add = (thing: string, fields: Thing['fields'], brief: readonly (string | undefined)[]) =>
    things.set(thing, { fields, brief: brief.filter((text) => text !== undefined) })

  for (const [number, { flow, language, externalSystem, recording }] of config.numbers) {
    const recorded = recordedAs(recording ?? { mode: 'off', isTranscribed: true })
    add(`number ${number}`, { flow, language, externalSystem, recording: recorded }, [flow, language])
  }
  for (const trunk of config.trunks.values()) {
    const { username, passwordFrom, callerIds, country, transferCountries, sipTransfers } = trunk
    const address = `${trunk.host}:${trunk.port}`
    const limits = { lines: String(trunk.linesMax), callsPerSecond: String(trunk.callsPerSecondMax) }
    const ids = callerIds.length > 0 ? callerIds.join(' ') : undefined
    const transfers = {
      transferCountries: transferCountries.join(' ') || undefined,
      sipTransfers: String(sipTransfers),
    }
    const fields = { address, username, passwordFrom, ...limits, callerIds: ids, country, ...transfers }
    add(`trunk ${trunk.name}`, fields, [address, username])
  }
  for (const team of config.staff.teams.values()) {
    const agents = `[${team.agents.join(', ')}]`
    add(
      `team ${team.name}`,
      {
        title: team.title,
        agents,
        music: team.music,
        waitingMax: String(team.waitingMax),
        ringTimeout: formatDuration(team.ringTimeoutMs),
        pauseAfterMiss: formatDuration(team.pauseAfterMissMs),
        wrapUp: team.wrapUp && (team.wrapUp.kind === 'byHand' ? 'byHand' : formatDuration(team.wrapUp.lengthMs)),
        recording: team.recording && recordedAs(team.recording),
      },
      [team.agents.join(', ') || 'no agents'],
    )
  }
  for (const { name, title, skills, phoneGraceMs } of config.staff.agents.values()) {
    const phone = phoneOf(config, name)
    const grace = phoneGraceMs === undefined ? undefined : formatDuration(phoneGraceMs)
    add(`agent ${name}`, { title, ...phone, grace, skills: skills && `[${skills.join(', ')}]` }, [phone.phone])
  }
  for (const [name, variable] of Object.entries(config.env)) add(`env ${name}`, { from: variable }, [variable])
  for (const [name, variable] of Object.entries(config.secrets)) add(`secret ${name}`, { from: variable }, [variable])
  for (const host of config.allowedHosts) add(`allowed host ${host}`, {}, [])
  for (const [language, { engine, voice }] of config.voices)
    add(`voice ${language}`, { engine, voice }, [engine, voice])
  if (config.sms) {
    const { url, authorizationFrom, body } = config.sms
    add('sms gateway', { url, authorizationFrom, body: JSON.stringify(body) }, [url])
  }
  for (const [thing, fields, brief] of [...iceThings(config.ice), ...mailThings(config.mail)]) add(thing, fields, brief)
  const { sipHost, sipPort, rtpFrom, rtpTo, ariPort } = config.asterisk
  const asterisk = { sip: `${sipHost}:${sipPort}`, rtp: `${rtpFrom}-${rtpTo}`, ari: `127.0.0.1:${ariPort}` }
  add('asterisk', asterisk, [`sip ${asterisk.sip}`, `rtp ${asterisk.rtp}`, `ari ${asterisk.ari}`])
  return things
}

type Described = readonly [thing: string, fields: Thing['fields'], brief: readonly (string | undefined)[]]

function iceThings(ice: InstallationConfig['ice']): Described[] {
  if (!ice) return []
  const { addresses, turnSecretFrom } = ice
  return [['phones', { ice: addresses.join(' '), turnSecretFrom }, addresses]]
}

function mailThings(mail: InstallationConfig['mail']): Described[] {
  const { mailboxes = [], intake, outbound } = mail ?? {}
  const things = mailboxes.map(({ name, address, title, team, opensCases, authenticatedBy, imap }): Described => {
    const opens = opensCases ? 'opens cases' : undefined
    const fetched = imap && JSON.stringify(imap)
    const fields = { address, title, queue: team, opensCases: String(opensCases), authenticatedBy, imap: fetched }
    return [`mailbox ${name}`, fields, [address, imap && `fetched from ${imap.host}`, opens]]
  })
  if (intake) {
    const place = `${intake.protocol} ${intake.host}:${intake.port}`
    const { certificateFile, keyFile } = intake
    things.push(['mail intake', { place, certificateFile, keyFile }, [place]])
  }
  if (outbound) {
    const { username, passwordFrom, tls } = outbound
    const server = `${outbound.host}:${outbound.port}`
    things.push(['mail outbound', { server, tls, username, passwordFrom }, [server]])
  }
  return things
}

function phoneOf(
  config: InstallationConfig,
  agent: Parameters<InstallationConfig['phones']['get']>[0],
): { phone?: string; passwordFrom?: string } {
  const phone = config.phones.get(agent)
  if (!phone) return {}
  if (phone.kind === 'browser') return { phone: phone.isOpus ? 'in the browser, with Opus' : 'in the browser' }
  if (phone.kind === 'fixed') return { phone: `${phone.host}:${phone.port}` }
  return { phone: `registers as ${phone.username}`, passwordFrom: phone.passwordFrom }
}

function recordedAs({ mode, isTranscribed }: RecordingRule): string {
  return isTranscribed ? mode : `${mode} without transcripts`
}
