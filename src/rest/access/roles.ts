/** What people may do through the API, by their role in the house. */
import type { Role } from '../../ports/directory.ts'
import { SCOPES, type Scope } from '../http/route.ts'

const AGENT: readonly Scope[] = [
  'dialer:read',
  'calls:read',
  'entities:read',
  'cases:read',
  'cases:write',
  'files:read',
]
const SUPERVISOR: readonly Scope[] = [
  ...AGENT,
  'dialer:write',
  'transcripts:read',
  'files:write',
  'users:read',
  'webhooks:write',
  'config:write',
]

/** Our choice: the contract knows no roles. An administrator may do everything. */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = { agent: AGENT, supervisor: SUPERVISOR, admin: SCOPES }

/** The scopes of somebody with these roles. */
export function scopesOf(roles: readonly Role[]): Scope[] {
  const all = new Set(roles.flatMap((role) => SCOPES_OF[role] ?? []))
  return SCOPES.filter((scope) => all.has(scope))
}
