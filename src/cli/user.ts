import { ROLES, type Role } from '../ports/directory.ts'
import { checkPassword, hashPassword } from '../rest/access/password.ts'
import type { CliContext } from './flow-check.ts'
import { type Registry, withDatabase } from './with-database.ts'

/** What was asked for, as it was written. */
export interface UserOptions {
  readonly userName: string
  readonly name?: string
  /** Divided by commas; `agent` when absent. */
  readonly roles?: string
}

/** `switchboard user add`: somebody who may sign on; agents of the set-up are there without it. */
export async function userAdd(options: UserOptions, doors: Pick<CliContext, 'settings' | 'write'>): Promise<number> {
  return withDatabase(doors, (registry) => addUser(options, registry, doors.write))
}

/** The same on an open database. */
export async function addUser(
  { userName, name = userName, roles: given = 'agent' }: UserOptions,
  { directory, corporation, nowMs }: Registry,
  write: CliContext['write'],
): Promise<number> {
  const words = given.split(',').map((word) => word.trim())
  const roles = words.filter((word): word is Role => (ROLES as readonly string[]).includes(word))
  if (roles.length < words.length) return said(write, 1, `the roles are ${ROLES.join(', ')}`)
  if (!/^[a-zA-Z0-9][\w.@-]{0,99}$/.test(userName)) {
    return said(write, 1, 'a user name has letters, digits, dots, dashes and @, 100 characters at the most')
  }
  const added = await directory.addUser({ userName, name, corporation, roles }, nowMs)
  if (added === 'name is taken') return said(write, 1, `there is a user ${userName} already`)
  if (added === 'no such corporation') return said(write, 1, 'the corporation is gone')
  return said(write, 0, `${userName} is user ${added}; "user password ${userName}" lets them sign on`)
}

/**
 * `switchboard user password`: a new password. `given` is what was read from standard input; without it one is made
 * and shown once. Whoever had signed on with the old one is signed off.
 */
export async function userPassword(
  userName: string,
  given: string | undefined,
  doors: Pick<CliContext, 'settings' | 'write'>,
): Promise<number> {
  return withDatabase(doors, (registry) => changePassword(userName, given, registry, doors.write))
}

/** The same on an open database. */
export async function changePassword(
  userName: string,
  given: string | undefined,
  { directory, secretBytes }: Registry,
  write: CliContext['write'],
): Promise<number> {
  const password = given ?? secretBytes(15).toString('base64url')
  const flaw = checkPassword(password, userName)
  if (flaw !== undefined) return said(write, 1, `the password ${flaw}`)
  const isSet = await directory.setPassword(userName, await hashPassword(password, secretBytes))
  if (!isSet) return said(write, 1, `there is no user ${userName}`)
  return said(write, 0, given === undefined ? `password of ${userName}, not shown again: ${password}` : 'done')
}

function said(write: CliContext['write'], status: number, line: string): number {
  write(line)
  return status
}
