import { describe, expect, test } from 'vitest'
import { configProblems } from '../../asterisk/check-input.ts'
import { configText, section } from '../../asterisk/config-text.ts'
import { generateConfig } from '../../asterisk/generate-config.ts'
import { debianTree } from '../../asterisk/tree.ts'
import type { InstallationConfig } from '../../src/installation/config.ts'
import { configWith, FIXED, REGISTERING, secretOf } from './setups.ts'

function problemsOf(
  config: InstallationConfig,
  secret: (name: string) => string | undefined = secretOf,
  runDirectory = '/srv/run',
) {
  return configProblems({ installation: config, secret, runDirectory })
}

const WITH_PASSWORD = { username: 'us', passwordFrom: 'CARRIER_PASSWORD' }

describe('hostile values are refused, each with its place', () => {
  test.each([
    ['trunks.main.host', { host: '127.0.0.1\n[anonymous]\ntype=endpoint' }],
    ['trunks.main.host', { host: '127.0.0.1;' }],
    ['trunks.main.host', { host: '0.0.0.0/0' }],
    ['trunks.main.port', { port: 70_000 }],
    ['trunks.main.port', { port: Number.NaN }],
    ['trunks.main.username', { ...WITH_PASSWORD, username: 'us\r\nauth=' }],
    ['trunks.main.username', { ...WITH_PASSWORD, username: 'us;' }],
    ['trunks.main.username', { ...WITH_PASSWORD, username: '[us]' }],
    ['trunks.main.username', { ...WITH_PASSWORD, username: '>us' }],
    ['trunks.main.username', { ...WITH_PASSWORD, username: 'x'.repeat(201) }],
    ['trunks.a]?[global (its name)', { name: 'a]\n[global' }],
    ['trunks.Main (its name)', { name: 'Main' }],
  ])('%s', (place, trunk) => {
    const problems = problemsOf(configWith({ trunks: [trunk] }))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^switchboard\.yaml: [\x20-\x7e]+$/)
    expect(problems[0]).toContain(`${place}: `)
  })

  test.each(['line\nend', 'semi;colon', 'back\\slash', '[bracket', ' sp4ce', 'sp4ce ', '>greater', 'nul\0', 'ä'])(
    'a password such as %j is refused and never repeated',
    (password) => {
      const problems = problemsOf(configWith({ trunks: [WITH_PASSWORD] }), () => password)
      expect(problems).toHaveLength(1)
      expect(problems[0]).toContain('trunks.main.passwordFrom (the value of that variable): may ')
      expect(problems[0]).not.toContain(password)
    },
  )

  test.each([
    ['agents.anna.phone.username', { anna: { ...REGISTERING, username: 'x@y/ .*' } }],
    ['agents.ben.phone.host', { ben: { ...FIXED, host: 'phone>;transport=tls' } }],
    ['agents.anna smith (its name)', { 'anna smith': FIXED }],
  ])('%s', (place, phones) => {
    expect(problemsOf(configWith({ phones }))).toEqual([expect.stringContaining(`${place}: `)])
  })

  test('a class of music cannot open a section', () => {
    expect(problemsOf(configWith({ music: 'x]\n[y' }))).toEqual([expect.stringContaining('teams.help.music: ')])
  })

  test('a run directory must be absolute, and short enough for the socket in it', () => {
    expect(problemsOf(configWith(), secretOf, 'run')[0]).toContain('run directory: must be an absolute path')
    expect(problemsOf(configWith(), secretOf, `/${'long/'.repeat(30)}`)[0]).toContain('run directory: is too long')
    expect(problemsOf(configWith(), secretOf, '/srv/a;b')[0]).toContain('run directory: may not hold')
  })
})

test('an unset password is reported by the name of its variable', () => {
  const problems = problemsOf(configWith({ trunks: [WITH_PASSWORD] }), () => undefined)
  expect(problems).toEqual([
    'switchboard.yaml: trunks.main.passwordFrom: the environment variable "CARRIER_PASSWORD" is not set; ' +
      'set it to the password',
  ])
})

test("given a phone with a trunk's name the second of the two is refused", () => {
  const phones = { anna: { ...REGISTERING, username: 'trunk-main' } }
  expect(problemsOf(configWith({ phones }))).toEqual([expect.stringContaining('agents.anna.phone.username: is taken')])
})

test('all mistakes are reported at once', () => {
  const config = configWith({ trunks: [{ host: ';' }, { name: 'second', port: 0 }], phones: { anna: REGISTERING } })
  expect(problemsOf(config, () => undefined)).toHaveLength(3)
})

test('given invalid input that was not checked before the generator writes nothing', () => {
  const config = configWith({ trunks: [{ host: 'x\ny' }] })
  const tree = debianTree('x86_64-linux-gnu')
  const ari = { user: 'switchboard', password: 'random', port: 8088 }
  expect(() => generateConfig({ installation: config, secret: secretOf, tree, runDirectory: '/srv/run', ari })).toThrow(
    'refused input',
  )
})

test.each(['a\nb', 'a;b', 'ä', 'x'.repeat(2_000)])('the writer itself rejects such a value (%#)', (value) => {
  expect(() => configText([section('general', ['key', value])])).toThrow()
})
