import { expect, test } from 'vitest'
import { runProgram } from '../../../src/adapters/speech/run-program.ts'

const LIMITS = { timeoutMs: 10_000, outputBytesMax: 1_000 }

test('given input, the program reads it and its output comes back', async () => {
  expect(await runProgram('cat', [], 'Füße', LIMITS)).toEqual({ ok: true, output: Buffer.from('Füße') })
})

test('given arguments with shell words, they are only arguments', async () => {
  expect(await runProgram('printf', ['%s', '$(id); `id` > x'], '', LIMITS)).toEqual({
    ok: true,
    output: Buffer.from('$(id); `id` > x'),
  })
})

test.each([
  ['that is not there', 'no-such-program', [], LIMITS, { missing: true }],
  ['that is a directory', '/', [], LIMITS, { missing: true }],
  [
    'that never ends',
    'tail',
    ['-f', '/dev/null'],
    { ...LIMITS, timeoutMs: 50 },
    { why: 'it took too long and was killed' },
  ],
  ['that never stops talking', 'yes', [], LIMITS, { why: 'its output is too large' }],
  ['that fails', 'sh', ['-c', 'echo sorry >&2; exit 3'], LIMITS, { missing: false, why: 'it ended with 3: sorry' }],
  ['that does not read', 'true', [], LIMITS, { ok: true }],
])('given a program %s, the outcome says so', async (_, program, args, limits, expected) => {
  expect(await runProgram(program, args, 'x'.repeat(1_000_000), limits)).toMatchObject(expected)
})
