import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../src/app/settings.ts'
import type { Registry } from '../../src/cli/place/with-database.ts'
import { createToken } from '../../src/cli/token-create.ts'
import { addUser, changePassword } from '../../src/cli/user.ts'
import type { CredentialValues } from '../../src/rest/http/credential-values.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest/rest-world.ts'

let world: RestWorld
let registry: Registry
const { settings } = readSettings({ ENVIRONMENT: 'development' })
beforeAll(async () => {
  world = await openRestWorld()
  const { directory, credentials } = world.parts
  registry = {
    directory,
    credentials,
    pools: world.pools,
    secretBytes: (count) => randomBytes(count),
    corporation: OURS,
    nowMs: Date.now(),
  }
})
afterAll(() => world.close())

/** Runs a verb; returns its exit status and output. */
async function run(verb: (write: (line: string) => void) => Promise<number>) {
  const lines: string[] = []
  const status = await verb((line) => void lines.push(line))
  return { status, lines }
}
const create = (options: Parameters<typeof createToken>[0]) =>
  run((write) => createToken(options, registry, { settings: settings!, write }))
const valuesIn = (lines: readonly string[]) =>
  Object.fromEntries(lines.slice(0, 3).map((line) => line.split(': '))) as unknown as CredentialValues

describe('switchboard token create', () => {
  test('prints three values that work', async () => {
    const { status, lines } = await create({ name: 'first', days: 10 })
    expect(status).toBe(0)
    const reply = await world.call('GET', '/core/activeuser', undefined, { as: valuesIn(lines) })
    expect(reply.status).toBe(200)
    expect(reply.body.scopes).toContain('admin')
    expect(reply.body).toMatchObject({ userId: null, name: 'first' })
    expect(lines.at(-1)).toContain('not shown again')
  })

  test('gives the requested scopes, on behalf of the person', async () => {
    await run((write) => addUser({ userName: 'anna', roles: 'supervisor' }, registry, write))
    const { lines } = await create({ name: 'anna’s', user: 'anna', scopes: 'dialer:read, calls:read' })
    const reply = await world.call('GET', '/core/activeuser', undefined, { as: valuesIn(lines) })
    expect(reply.body).toMatchObject({ userName: 'anna', scopes: ['dialer:read', 'calls:read'] })
  })

  test.each([
    [{ name: 'x', scopes: 'everything' }, 'there is no scope "everything"'],
    [{ name: 'x', user: 'nobody' }, 'there is no user nobody'],
    [{ name: 'x', days: 731 }, 'from 1 to 730'],
    [{ name: 'x', days: 0 }, 'from 1 to 730'],
  ])('given %j names the mistake', async (options, why) => {
    const { status, lines } = await create(options)
    expect([status, lines.join()]).toEqual([1, expect.stringContaining(why)])
  })
})

describe('switchboard user', () => {
  test('adds a user who can sign on after getting a password', async () => {
    const added = await run((write) => addUser({ userName: 'ben', name: 'Ben', roles: 'agent' }, registry, write))
    expect(added.status).toBe(0)
    const { lines } = await run((write) => changePassword('ben', undefined, registry, write))
    const password = lines[0]!.split(': ')[1]
    const login = { userName: 'ben', password }
    const reply = await world.call('POST', '/api/login', login, { sso: true, as: null })
    expect(reply.status).toBe(200)
  })

  test.each([
    ['short', 'fewer than 12'],
    ['aaaaaaaaaaaaaaaa', 'too few different'],
    ['anna-is-my-name', 'contains the user name'],
    ['x'.repeat(300), 'more than 256'],
  ])('refuses the password "%s"', async (password, why) => {
    const { status, lines } = await run((write) => changePassword('anna', password, registry, write))
    expect([status, lines.join()]).toEqual([1, expect.stringContaining(why)])
  })

  test('reports a user that exists, a missing user and an unknown role', async () => {
    const said = async (verb: (write: (line: string) => void) => Promise<number>) => (await run(verb)).lines.join()
    expect(await said((write) => addUser({ userName: 'anna' }, registry, write))).toContain('already')
    expect(await said((write) => changePassword('nobody', undefined, registry, write))).toContain('no user nobody')
    expect(await said((write) => addUser({ userName: 'x', roles: 'boss' }, registry, write))).toContain('the roles are')
    expect(await said((write) => addUser({ userName: 'a b' }, registry, write))).toContain('a user name has')
  })
})
