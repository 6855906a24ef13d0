import { ROLES, type Role } from '../ports/directory.ts'
import { checkPassword, hashPassword } from '../rest/access/password.ts'
import type { CliContext } from './place/cli-context.ts'
import { type Registry, withDatabase } from './place/with-database.ts'

interface UserOptions {
  readonly userName: string
  readonly name?: string
  /** Separated by commas; `agent` when absent. */
  readonly roles?: string
}

/** `switchboard user add`: adds a user; agents of the configuration are users already. */
export async function userAdd(options: UserOptions, context: CliContext): Promise<number> {
  return withDatabase(context, (registry) => addUser(options, registry, context.write))
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
    return said(write, 1, 'a user name has letters, digits, dots, dashes and @, at most 100 characters')
  }
  const added = await directory.addUser({ userName, name, corporation, roles }, nowMs)
  if (added === 'name is taken') return said(write, 1, `user ${userName} already exists`)
  if (added === 'no such corporation') return said(write, 1, 'the corporation no longer exists')
  return said(write, 0, `${userName} is user ${added}; "user password ${userName}" sets the password to sign on with`)
}

/** `given` comes from standard input; without it a password is made and shown once. Old sessions end. */
export async function userPassword(userName: string, given: string | undefined, context: CliContext): Promise<number> {
  return withDatabase(context, (registry) => changePassword(userName, given, registry, context.write))
}

/** The same on an open database. */
export async function changePassword(
  userName: string,
  given: string | undefined,
  { directory, secretBytes }: Registry,
  write: CliContext['write'],
): Promise<number> {
  const password = given ?? madeFor(userName, secretBytes)
  const flaw = checkPassword(password, userName)
  if (flaw !== undefined) return said(write, 1, `the password ${flaw}`)
  const isSet = await directory.setPassword(userName, await hashPassword(password, secretBytes))
  if (!isSet) return said(write, 1, `there is no user ${userName}; add the user with "user add"`)
  return said(write, 0, given === undefined ? `password of ${userName}, not shown again: ${password}` : 'done')
}

function said(write: CliContext['write'], status: number, line: string): number {
  write(line)
  return status
}

/** Made again where chance put the user name into it: short names come up. */
function madeFor(userName: string, secretBytes: Registry['secretBytes']): string {
  const password = secretBytes(15).toString('base64url')
  return checkPassword(password, userName) === undefined ? password : madeFor(userName, secretBytes)
}
