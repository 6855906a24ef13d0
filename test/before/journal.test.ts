/** Calls in the journal of ec485bb are shown and replayed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCall } from '../../src/adapters/files/journal-folder.ts'
import { readSettings } from '../../src/app/settings.ts'
import { callReplay } from '../../src/cli/call-replay.ts'
import { callShow } from '../../src/cli/call-show.ts'
import type { CallId } from '../../src/kernel/ids.ts'
import { BEFORE, switchboard } from './fixture-service.ts'

interface Line {
  readonly call: string
  readonly by: string
  readonly kind: string
  readonly what: { readonly type: string }
}

const folder = join(BEFORE, 'data/journal')
const lines = readdirSync(folder).flatMap((name) =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as Line),
)
const calls = [...new Set(lines.map(({ call }) => call))]
const inbound = calls.filter((id) => lines.some(({ call, what }) => call === id && what.type === 'call.began'))
const env = { DATA_DIR: join(BEFORE, 'data'), FLOWS_DIR: join(BEFORE, 'flows') }

test('there are calls of both directions', () => {
  expect(inbound.length).toBe(9)
  expect(calls.filter((call) => call.startsWith('sb-att-')).length).toBeGreaterThan(40)
})

/** The verbs of the command line, without a process for each call. */
function doors() {
  const written: string[] = []
  const write = (text: string) => void written.push(text)
  const journal = { read: (call: CallId) => readCall(folder, call) }
  const find = async () => undefined
  return { journal, find, settings: readSettings(env).settings!, write, text: () => written.join('\n') }
}

test.each(calls)('the call %s is shown with its numbers', async (call) => {
  const { text, ...rest } = doors()
  expect(await callShow(call, rest, { showsNumbers: true })).toBe(0)
  expect(text().split('\n').length).toBeGreaterThan(2)
})

test.each(inbound)('the caller’s call %s gives the same commands when it is replayed', async (id) => {
  const { text, ...rest } = doors()
  expect({ status: await callReplay(id, rest), text: text() }).toEqual({ status: 0, text: told(id) })
})

test('a call that gives one command more when it is replayed is not called the same', async () => {
  const { text, ...rest } = doors()
  const read = async (call: CallId) => {
    const recorded = await readCall(folder, call)
    const last = recorded.findLast(({ by, kind }) => by === 'call' && kind === 'command')
    return recorded.filter((line) => line !== last)
  }
  expect(await callReplay(inbound[0]!, { ...rest, journal: { read } })).toBe(1)
  expect(text()).toMatch(/^recorded: nothing more\nreplayed: \{/)
})

test('the command line shows and replays a call', async () => {
  const shown = await switchboard(['call', 'show', inbound[0]!], env)
  expect(shown).toMatchObject({ status: 0, text: expect.stringContaining('+') })
  const replayed = await switchboard(['call', 'replay', inbound[0]!], env)
  expect(replayed).toMatchObject({ status: 0, text: told(inbound[0]!) })
})

/** The text for a call that replays, with the number of its commands. */
function told(id: string) {
  const commands = lines.filter(({ call, by, kind }) => call === id && by === 'call' && kind === 'command')
  return expect.stringContaining(` ${commands.length} `)
}
