import { issue, LIFE_MAX_MS, LIFE_MS } from '../rest/access/issue-credential.ts'
import { isScope } from '../rest/http/authenticate.ts'
import { SCOPES } from '../rest/http/route.ts'
import type { CliContext } from './place/cli-context.ts'
import { type Registry, withDatabase } from './place/with-database.ts'

const DAY_MS = 24 * 60 * 60_000

interface TokenOptions {
  readonly name: string
  readonly user?: string
  /** Separated by commas; all scopes when absent. */
  readonly scopes?: string
  readonly days?: number
}

/** `switchboard token create`: prints the three values of a new credential once (D-03). */
export async function tokenCreate(options: TokenOptions, context: CliContext): Promise<number> {
  return withDatabase(context, (registry) => createToken(options, registry, context))
}

/** The same on an open database. */
export async function createToken(
  { name, user: userName, scopes: given, days }: TokenOptions,
  { directory, credentials, secretBytes, corporation, nowMs }: Registry,
  { settings, write }: CliContext,
): Promise<number> {
  const words = given === undefined ? SCOPES : given.split(',').map((word) => word.trim())
  const scopes = words.filter(isScope)
  const unknown = words.find((word) => !isScope(word))
  if (unknown !== undefined) return failed(write, `there is no scope "${unknown}"; the scopes are ${SCOPES.join(', ')}`)
  const lifeMs = days === undefined ? LIFE_MS : days * DAY_MS
  if (lifeMs <= 0 || lifeMs > LIFE_MAX_MS) return failed(write, '--days must be from 1 to 730')
  const user = userName === undefined ? undefined : await directory.userByName(userName)
  if (userName !== undefined && !user)
    return failed(write, `there is no user ${userName}; add the user with "user add"`)
  const { environment } = settings
  const command = {
    name,
    user: user?.id,
    scopes,
    corporations: [user?.corporation.id ?? corporation],
    ipAllowList: [],
    expiresAtMs: nowMs + lifeMs,
  }
  const issuer = { key: await credentials.checkKey(secretBytes(32)), secretBytes, environment, nowMs }
  const { values, credential } = issue(command, issuer)
  await credentials.addCredential(credential)
  for (const [header, value] of Object.entries(values)) write(`${header}: ${value}`)
  write(`valid in ${environment} until ${new Date(command.expiresAtMs).toISOString()}; tokenv2 is not shown again`)
  return 0
}

function failed(write: CliContext['write'], why: string): number {
  write(why)
  return 1
}
