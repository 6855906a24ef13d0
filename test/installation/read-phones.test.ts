/** What a configuration says of phones in browsers. */
import { expect, test } from 'vitest'
import { readConfig } from '../../src/installation/read-config.ts'
import { formatProblem } from '../../src/kernel/file-problem.ts'
import type { AgentName } from '../../src/kernel/ids.ts'

const anna = (phone: string) => `agents: { anna: { phone: ${phone} } }\nteams: { sales: { agents: [anna] } }`

/** As `line:column severity message`. */
const problemsOf = (text: string, env: readonly string[] = ['TURN_SECRET']) =>
  readConfig('s.yaml', text, { hasEnv: (name) => env.includes(name) }).problems.map((problem) =>
    formatProblem(problem).slice('s.yaml:'.length),
  )

test('a browser talks Opus where its phone says so', () => {
  const read = (phone: string) => readConfig('s.yaml', anna(phone)).installation?.phones.get('anna' as AgentName)
  expect(read('{ browser: true, opus: true }')).toEqual({ kind: 'browser', isOpus: true })
  for (const phone of ['{ browser: true }', '{ browser: true, opus: false }']) {
    expect(read(phone)).toEqual({ kind: 'browser' })
  }
  expect(problemsOf(anna('{ host: 10.0.0.1, opus: true }'))).toEqual([
    '1:19 error the phone of anna has the key opus; remove it: only a phone in the browser has it',
  ])
})

test('addresses of STUN and TURN are kept as they are written; without any there is nothing', () => {
  const addresses = ['stun:a.example', 'stun:[fd00::1]:3478', 'turn:192.0.2.1:3478', 'turns:a.example?transport=tcp']
  const { installation } = readConfig(
    's.yaml',
    `phones: { ice: ${JSON.stringify(addresses)}, turnSecretFrom: TURN_SECRET }`,
  )
  expect(installation?.ice).toEqual({ addresses, turnSecretFrom: 'TURN_SECRET' })
  expect(readConfig('s.yaml', 'phones: { ice: [] }').installation).not.toHaveProperty('ice')
})

// The last one may hold a password.
test.each([
  'stun:',
  'stun:a.example?transport=udp',
  'turn:a.example:0',
  'turn:fd00::1',
  'turn://a.example',
  'turn:a.example?transport=tls',
  'https://a.example',
  'turn:me:pass@a.example',
])('%s is no address of STUN or TURN, and is not repeated', (address) => {
  expect(problemsOf(`phones: { ice: ["${address}"] }`)).toEqual([
    '1:17 error phones.ice.0 must be an address such as "stun:stun.example.com", "turn:turn.example.com:3478" or ' +
      '"turns:turn.example.com:443?transport=tcp"',
  ])
})

test.each([
  ['phones: { ice: ["turn:a.example"] }', '1:11 error turn:a.example needs a secret; add turnSecretFrom to phones'],
  [
    'phones: { ice: ["stun:a.example"], turnSecretFrom: TURN_SECRET }',
    '1:36 error there is no TURN address in phones.ice; add one, or remove it',
  ],
  [
    'phones: { ice: ["turn:a.example"], turnSecret: hunter2 }',
    '1:36 error this file must not contain passwords; set an environment variable and write turnSecretFrom: ITS_NAME',
  ],
  [
    'phones: { ice: ["turn:a.example"], turnSecretFrom: hunter2 }',
    '1:52 error phones.turnSecretFrom must be the name of an environment variable that holds the secret of the TURN ' +
      'servers, in capitals',
  ],
  [
    'phones: { ice: ["turn:a.example"], turnSecretFrom: OTHER }',
    '1:52 warn  the environment variable OTHER is not set; set it before you start the service',
  ],
])('%s: one message says what to do', (text, problem) => {
  expect(problemsOf(text)).toEqual([problem])
})
