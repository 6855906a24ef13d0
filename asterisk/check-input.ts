/**
 * Checks which values of a configuration may be written into Asterisk's: each refusal names place, reason and remedy.
 */
import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import type { InstallationConfig, Phone, Trunk } from '../src/installation/config.ts'
import type { ConfigInput } from './config-input.ts'
import { agentEndpoint, trunkEndpoint } from './pjsip.ts'

/** Longest value from outside; SIP stacks of carriers refuse far shorter ones. */
const VALUE_LENGTH_MAX = 200

type Report = (place: string, reason: string) => void
type Check = (value: string) => string | undefined

/**
 * All problems of `input`, as sentences for its author; empty if it is fine. Values are never repeated: they may be
 * passwords, or contain terminal control sequences.
 */
export function configProblems(
  input: Pick<ConfigInput, 'installation' | 'secret' | 'runDirectory'> & Partial<Pick<ConfigInput, 'ari'>>,
): readonly string[] {
  const { installation: config, secret, runDirectory, ari } = input
  const problems: string[] = []
  const report: Report = (place, reason) => problems.push(`${config.file}: ${place}: ${reason}`)
  for (const [name, trunk] of config.trunks) checkTrunk(`trunks.${name}`, trunk, secret, report)
  checkNamesDiffer(config, report)
  for (const [name, phone] of config.phones) checkPhone(`agents.${name}`, name, phone, secret, report)
  for (const team of config.staff.teams.values()) check(`teams.${team.name}.music`, team.music, nameProblem, report)
  checkAddresses(config, report)
  check('run directory', runDirectory, pathProblem, report)
  const ofEnvironment: Report = (place, reason) => problems.push(`${place}: ${reason}`)
  if (ari) check('ARI_USER', ari.user, usernameProblem, ofEnvironment)
  if (ari) check('ARI_PASSWORD', ari.password, textProblem, ofEnvironment)
  return problems
}

function checkTrunk(place: string, trunk: Trunk, secret: ConfigInput['secret'], report: Report): void {
  check(`${place} (its name)`, trunk.name, nameProblem, report)
  check(`${place}.host`, trunk.host, hostProblem, report)
  check(`${place}.port`, String(trunk.port), portProblem, report)
  if (trunk.username !== undefined) check(`${place}.username`, trunk.username, textProblem, report)
  if (trunk.passwordFrom !== undefined) checkSecret(`${place}.passwordFrom`, trunk.passwordFrom, secret, report)
}

function checkPhone(place: string, name: string, phone: Phone, secret: ConfigInput['secret'], report: Report): void {
  check(`${place} (its name)`, name, nameProblem, report)
  if (phone.kind === 'fixed') {
    check(`${place}.phone.host`, phone.host, hostProblem, report)
    check(`${place}.phone.port`, String(phone.port), portProblem, report)
  } else if (phone.kind === 'registers') {
    check(`${place}.phone.username`, phone.username, usernameProblem, report)
    checkSecret(`${place}.phone.passwordFrom`, phone.passwordFrom, secret, report)
  }
}

/** A registering phone's AOR has its user name, and shares a name space with those of trunks and fixed phones. */
function checkNamesDiffer({ trunks, phones }: InstallationConfig, report: Report): void {
  const taken = new Set([...trunks.keys()].map(trunkEndpoint))
  for (const [name, phone] of phones) if (phone.kind !== 'registers') taken.add(agentEndpoint(name))
  for (const [name, phone] of phones) {
    if (phone.kind !== 'registers') continue
    if (taken.has(phone.username)) report(`agents.${name}.phone.username`, 'is taken already; choose another one')
    taken.add(phone.username)
  }
}

function checkAddresses({ asterisk }: InstallationConfig, report: Report): void {
  if (isIP(asterisk.sipHost) === 0) {
    report('asterisk.sipHost', 'must be an IP address of this machine, or 0.0.0.0 for all of them')
  }
  for (const key of ['sipPort', 'ariPort', 'rtpFrom', 'rtpTo'] as const) {
    check(`asterisk.${key}`, String(asterisk[key]), portProblem, report)
  }
  if (asterisk.rtpTo - asterisk.rtpFrom < 3) report('asterisk.rtp', 'must hold at least four ports')
}

function checkSecret(place: string, variable: string, secret: ConfigInput['secret'], report: Report): void {
  const value = secret(variable)
  if (!value) report(place, `the environment variable ${JSON.stringify(variable)} is not set; set it to the password`)
  else check(`${place} (the value of that variable)`, value, textProblem, report)
}

function check(place: string, value: string, problemOf: Check, report: Report): void {
  const problem = value.length > VALUE_LENGTH_MAX ? `is longer than ${VALUE_LENGTH_MAX}` : problemOf(value)
  if (problem) report(place.replace(/[^\x20-\x7e]/g, '?'), problem)
}

function nameProblem(value: string): string | undefined {
  return /^[a-z0-9-]+$/.test(value) ? undefined : 'may hold lower-case letters, digits and dashes only'
}

function usernameProblem(value: string): string | undefined {
  return /^[A-Za-z0-9._-]+$/.test(value) ? undefined : 'may hold letters, digits, dots and dashes only'
}

function hostProblem(value: string): string | undefined {
  const isName = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value)
  return isName || isIP(value) !== 0 ? undefined : 'must be an IP address or a host name'
}

function portProblem(value: string): string | undefined {
  return /^[0-9]{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535
    ? undefined
    : 'must be a port, 1 to 65535'
}

/**
 * Asterisk cuts values at `;`, reads `\` as an escape, swallows a `>` after the `=`, and trims spaces. `[` and `]` are
 * refused too: our choice, to keep anything like a section header out of these files.
 */
function textProblem(value: string): string | undefined {
  if (!/^[\x20-\x7e]+$/.test(value)) return 'may hold printable ASCII characters only; choose another one'
  if (/[;\\[\]]/.test(value)) return 'may not hold ; \\ [ or ], which mean something to Asterisk; choose another one'
  return /^[\s>]|\s$/.test(value) ? 'may not begin with > nor begin or end with a space; choose another one' : undefined
}

/** The run directory, on which the length of `asterisk.ctl` depends: a socket's path holds 107 bytes (unix(7)). */
function pathProblem(value: string): string | undefined {
  if (!isAbsolute(value)) return 'must be an absolute path'
  if (value.length > 80) return 'is too long for the socket in it: at most 80 characters (DATA_DIR, --out)'
  return textProblem(value)
}
