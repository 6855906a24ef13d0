/** Calls that ec485bb wrote into its journal are shown and replayed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
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

test('every call is shown, from its first line to its last', { timeout: 240_000 }, async () => {
  for (const call of calls) {
    const { status, text } = await switchboard(['call', 'show', call, '--numbers'], env)
    expect({ call, status }).toEqual({ call, status: 0 })
    const numbers = JSON.stringify(lines.filter((line) => line.call === call)).match(/\+4[57]\d{8}/g) ?? []
    expect(text.split('\n').length).toBeGreaterThan(2)
    if (text.includes('+4')) expect(numbers.some((number) => text.includes(number))).toBe(true)
  }
})

describe.each(inbound)('the caller’s call %s', (id) => {
  test('gives the same commands when it is replayed', async () => {
    const { status, text } = await switchboard(['call', 'replay', id], env)
    const ours = lines.filter(({ call, by, kind }) => call === id && by === 'call' && kind === 'command')
    expect({ text, status }).toEqual({ text: expect.stringContaining(` ${ours.length} `), status: 0 })
  })
})
