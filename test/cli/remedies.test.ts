/** What commands say to an operator who is in a hurry: what to do next, and nothing done by halves. */
import { expect, test } from 'vitest'
import { readSettings } from '../../src/app/settings.ts'
import { callReplay } from '../../src/cli/call-replay.ts'
import { changePassword } from '../../src/cli/user.ts'
import { switchboard } from '../app/service-process.ts'

test('a kill switch that is to be on and off is neither', async () => {
  // A database that is not there: whoever asks it is too late.
  const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' }
  await expect(switchboard(['killswitch', '--on', '--off'], env)).rejects.toThrow(/'--on' cannot be used with/)
})

test('the password of a user who is not there: the answer says how to add the user', async () => {
  const said: string[] = []
  const directory = { setPassword: async () => false }
  const registry = { directory, secretBytes: (bytes: number) => Buffer.alloc(bytes) }
  const parts = registry as unknown as Parameters<typeof changePassword>[2]
  expect(await changePassword('nobody', 'seven green bottles', parts, (line) => said.push(line))).toBe(1)
  expect(said).toEqual(['there is no user nobody; add the user with "user add"'])
})

test('a replay of a call that the journal does not have names the folder and the way to find it', async () => {
  const said: string[] = []
  const settings = readSettings({ DATA_DIR: '/elsewhere' }).settings!
  const context = { journal: { read: async () => [] }, settings, write: (line: string) => void said.push(line) }
  expect(await callReplay('67', context)).toBe(1)
  expect(said).toEqual(['no call "67" with a flow in the journal of /elsewhere; "call show" finds calls in other ways'])
})
