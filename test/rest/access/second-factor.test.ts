/** One-time codes at the sign-in, over HTTP, on virtual time. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt, stepOf } from '../../../src/rest/access/one-time-code.ts'
import { hashPassword } from '../../../src/rest/access/password.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const STEP_MS = 30_000
const PASSWORD = 'correct horse battery'
const FACTOR = '/rest/core/session/second-factor'
/** RFC 6238 appendix B, SHA-1: the secret is `12345678901234567890`; of its eight digits the last six. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const RFC_CODES = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const

let world: RestWorld
const clock = new VirtualClock()
let anna: CredentialValues
let secret: string

beforeAll(async () => {
  world = await openRestWorld({ clock })
  const { directory } = world.parts
  await directory.addUser({ userName: 'anna', name: 'Anna', corporation: OURS, roles: ['supervisor'] }, 0)
  await directory.setPassword('anna', await hashPassword(PASSWORD, (count) => randomBytes(count)))
  anna = (await logIn()).body as CredentialValues
})
afterAll(() => world.close())

const logIn = (code?: string, password = PASSWORD) =>
  world.call('POST', '/rest/api/login', { userName: 'anna', password, code }, { sso: true, as: null })
const codeOf = (beside = 0) => codeAt(secret, Math.floor(clock.nowMs() / STEP_MS) + beside)
const why = (reply: { readonly body: unknown }) => (reply.body as { errors?: { code: string }[] }).errors?.[0]?.code

test('codes are those of RFC 6238, and those of one step before and after count', () => {
  for (const [seconds, code] of RFC_CODES) {
    const step = Math.floor(seconds / 30)
    expect(codeAt(RFC_SECRET, step)).toBe(code)
    const found = [-60, -30, 0, 30, 60].map((beside) => stepOf(RFC_SECRET, code, (seconds + beside) * 1_000))
    expect(found).toEqual([undefined, step, step, step, undefined])
  }
})

test('it is begun with the password, and on when a code has confirmed it', async () => {
  expect((await world.call('POST', FACTOR, { password: 'wrong' }, { as: anna })).status).toBe(403)
  const begun = await world.call('POST', FACTOR, { password: PASSWORD }, { as: anna })
  secret = (begun.body as { secret: string }).secret
  expect((begun.body as { address: string }).address).toBe(
    `otpauth://totp/Switchboard:anna?secret=${secret}&issuer=Switchboard`,
  )
  expect((await logIn()).status).toBe(200)
  expect((await world.call('PUT', FACTOR, { code: '000000' }, { as: anna })).status).toBe(400)
  expect((await world.call('GET', FACTOR, undefined, { as: anna })).body).toEqual({ on: false, recoveryCodesLeft: 0 })
  const on = await world.call('PUT', FACTOR, { code: codeOf() }, { as: anna })
  const { recoveryCodes } = on.body as { recoveryCodes: string[] }
  expect(new Set(recoveryCodes).size).toBe(10)
  expect((await world.call('GET', FACTOR, undefined, { as: anna })).body).toEqual({ on: true, recoveryCodesLeft: 10 })
  expect((await world.call('POST', FACTOR, { password: PASSWORD }, { as: anna })).status).toBe(409)

  // The code that confirmed it has served.
  expect([await logIn(), await logIn(codeOf())].map(why)).toEqual(['missing', 'wrong'])
  clock.run(STEP_MS)
  expect((await logIn(codeOf())).status).toBe(200)
  expect(why(await logIn(codeOf()))).toBe('wrong')
  expect(why(await logIn(codeOf(-1)))).toBe('wrong')

  const [first = ''] = recoveryCodes
  expect((await logIn(first.toUpperCase().replace('-', ' '))).status).toBe(200)
  expect(why(await logIn(first))).toBe('wrong')
  expect((await world.call('GET', FACTOR, undefined, { as: anna })).body).toMatchObject({ recoveryCodesLeft: 9 })
})

test('of many requests with one code one gets in; guesses lock the name; a code alone is nothing', async () => {
  clock.run(60 * 60_000)
  const once = await Promise.all([1, 2, 3, 4].map(() => logIn(codeOf())))
  expect(once.filter(({ status }) => status === 200)).toHaveLength(1)
  clock.run(60 * 60_000)
  const wrong = await logIn(codeOf(), 'not the password')
  expect([wrong.status, why(wrong)]).toEqual([401, undefined])
  const guesses = []
  for (let guess = 0; guess < 12; guess++) guesses.push((await logIn(String(100_000 + guess))).status)
  expect(guesses.at(-1)).toBe(429)
  clock.run(60 * 60_000)
  expect((await logIn(codeOf())).status).toBe(200)
})

test('it is turned off with password and code, or by an administrator', async () => {
  clock.run(STEP_MS)
  const off = (body: object) => world.call('POST', `${FACTOR}/off`, body, { as: anna })
  expect((await off({ password: PASSWORD })).status).toBe(403)
  expect((await off({ password: PASSWORD, code: codeOf() })).status).toBe(200)
  expect((await logIn()).status).toBe(200)

  secret = ((await world.call('POST', FACTOR, { password: PASSWORD }, { as: anna })).body as { secret: string }).secret
  await world.call('PUT', FACTOR, { code: codeOf() }, { as: anna })
  const reset = (as?: CredentialValues) =>
    world.call('DELETE', '/rest/core/users/anna/second-factor', undefined, as ? { as } : {})
  expect((await reset(anna)).status).toBe(403)
  expect((await reset()).status).toBe(200)
  expect((await reset()).status).toBe(404)
  expect((await logIn()).status).toBe(200)
})

test('a credential of a system has none', async () => {
  expect((await world.call('GET', FACTOR)).status).toBe(403)
})
