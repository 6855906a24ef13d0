import type { Role } from '../../ports/directory.ts'
import { SCOPES, type Scope } from '../http/route.ts'

const AGENT: readonly Scope[] = [
  'dialer:read',
  'calls:read',
  'entities:read',
  'entities:write',
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
  'flows:write',
  'config:write',
]

/** The contract has no roles; an administrator has all scopes. */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = { agent: AGENT, supervisor: SUPERVISOR, admin: SCOPES }

/** The scopes of a user with these roles. */
export function scopesOf(roles: readonly Role[]): Scope[] {
  const all = new Set(roles.flatMap((role) => SCOPES_OF[role] ?? []))
  return SCOPES.filter((scope) => all.has(scope))
}
