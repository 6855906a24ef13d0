import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadConfig, saveConfig } from '../../src/installation/applied-config.ts'
import type { InstallationConfig } from '../../src/installation/config.ts'
import { formatChanges, needsRestart, planChanges } from '../../src/installation/config-diff.ts'
import { readConfig } from '../../src/installation/read-config.ts'

const EXAMPLE = readFileSync('switchboard.example.yaml', 'utf8')

function configOf(text: string): InstallationConfig {
  const { installation: config, problems } = readConfig('s.yaml', text)
  expect(problems).toEqual([])
  return config!
}

describe('a plan', () => {
  test('given nothing applied before, adds everything', () => {
    expect(formatChanges(planChanges(undefined, configOf(EXAMPLE)))).toBe(
      [
        '+ number +4570001000 (debtor-self-service, en)',
        '+ trunk carrier (192.0.2.10:5060, example-company)',
        '+ team collections (anna, ben)',
        '+ team collections-consumer (anna)',
        '+ team collections-business (ben)',
        '+ agent anna (registers as anna)',
        '+ agent ben (192.0.2.31:5060)',
        '+ env integrator (INTEGRATOR_URL)',
        '+ secret caseInfo (CASE_INFO_TOKEN)',
        '+ allowed host 127.0.0.1:8099',
        '+ sms gateway (https://sms.example.com/messages)',
        '+ mailbox help (help@example.com, fetched from imap.example.com, opens cases)',
        '+ mail intake (lmtp 127.0.0.1:2424)',
        '+ mail outbound (smtp.example.com:587)',
        '+ asterisk (sip 0.0.0.0:5060, rtp 10000-20000, ari 127.0.0.1:8088)',
      ].join('\n'),
    )
  })

  test('given the same configuration, changes nothing', () => {
    expect(formatChanges(planChanges(configOf(EXAMPLE), configOf(EXAMPLE)))).toBe('no changes')
  })

  test('names additions, differences and removals', () => {
    const after = EXAMPLE.replace('ringTimeout: 15s', 'ringTimeout: 20s')
      .replace('waitingMax: 50', 'waitingMax: 60')
      .replace('"+4570001000"', '"+4570002000"')
      .replace(', language: en', '')
    expect(formatChanges(planChanges(configOf(EXAMPLE), configOf(after)))).toBe(
      [
        '+ number +4570002000 (debtor-self-service)',
        '~ team collections: waitingMax 50 → 60, ringTimeout 15s → 20s',
        '- number +4570001000',
      ].join('\n'),
    )
  })

  test('shows who speaks a language, which needs a restart', () => {
    const [before, after] = [`${EXAMPLE}voices: { en: { engine: espeak }, da: { engine: espeak } }`, EXAMPLE].map(
      configOf,
    )
    const paid = configOf(`${EXAMPLE}voices: { en: { engine: http, voice: nova }, da: { engine: espeak } }`)
    expect(formatChanges(planChanges(before, paid))).toBe('~ voice en: engine espeak → http, voice none → nova')
    expect(formatChanges(planChanges(before, after!))).toBe('- voice en\n- voice da')
    expect([needsRestart(before!, paid), needsRestart(paid, paid)]).toEqual([['voices'], []])
  })

  test('shows the capacity of a trunk, and its caller ids', () => {
    const after = EXAMPLE.replace('lines: 30', 'lines: 60').replace('callerIds: ["+4570001000"]', 'callerIds: []')
    expect(formatChanges(planChanges(configOf(EXAMPLE), configOf(after)))).toBe(
      '~ trunk carrier: lines 30 → 60, callerIds +4570001000 → none',
    )
  })

  test('shows how browsers are reached, and whose talks Opus, which need no restart', () => {
    const [before, after] = ['{ browser: true }', '{ browser: true, opus: true }'].map((phone) =>
      configOf(EXAMPLE.replace('{ host: 192.0.2.31, port: 5060 }', phone)),
    )
    const home = configOf(`${EXAMPLE}phones: { ice: ["turn:a.example"], turnSecretFrom: TURN_SECRET }`)
    expect(formatChanges(planChanges(before, after!))).toBe(
      '~ agent ben: phone in the browser → in the browser, with Opus',
    )
    expect(formatChanges(planChanges(configOf(EXAMPLE), home))).toBe('+ phones (turn:a.example)')
    expect(needsRestart(configOf(EXAMPLE), home)).toEqual([])
    expect(loadConfig(saveConfig(home))).toEqual(home)
  })

  test('shows when a phone starts to register', () => {
    const after = EXAMPLE.replace('{ host: 192.0.2.31, port: 5060 }', '{ username: ben, passwordFrom: BEN_PASSWORD }')
    expect(formatChanges(planChanges(configOf(EXAMPLE), configOf(after)))).toBe(
      '~ agent ben: phone 192.0.2.31:5060 → registers as ben, passwordFrom none → BEN_PASSWORD',
    )
  })
})

describe('an applied configuration', () => {
  test('is the same after it was written and read back', () => {
    const config = configOf(EXAMPLE)
    expect(loadConfig(saveConfig(config))).toEqual(config)
    expect(planChanges(loadConfig(saveConfig(config)), config)).toEqual([])
  })

  test.each(['', '{', 'null', '[]', '{"version":1,"setup":{}}', '{"version":2,"setup":{"numbers":[]}}'])(
    'that is damaged or of another version counts as nothing applied: %s',
    (text) => expect(loadConfig(text)).toBeUndefined(),
  )
})
