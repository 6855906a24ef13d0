/** `switchboard flow test --watch`: the program beside an editor, and its rules on virtual time. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../src/app/settings.ts'
import { flowTestWatch } from '../../src/cli/flow-test-watch.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const FLOW = 'flow: a\nstart: bye\nsteps: { bye: { hangup: { say: Goodbye. } } }\n'
const testsThatHear = (words: string) => `flow: a\ntests: [{ test: words, call: [{ hear: ${words} }] }]\n`

function flowsIn(): string {
  const directory = mkdtempSync(join(tmpdir(), 'flow-watch-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'a.yaml'), FLOW)
  writeFileSync(join(directory, 'a.test.yaml'), testsThatHear('Goodbye'))
  return directory
}

test('the program tests again when a file is saved, and ends at Ctrl-C with the last result', async () => {
  const directory = flowsIn()
  const program = spawn(process.execPath, ['src/cli/switchboard.ts', 'flow', 'test', '--watch'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, FLOWS_DIR: directory },
  })
  let printed = ''
  const says = (text: string) =>
    new Promise<void>((done) => {
      const look = () => void (printed.includes(text) && done())
      program.stdout.on('data', look)
      look()
    })
  program.stdout.on('data', (part) => {
    printed += part
  })
  const ended = new Promise((done) => program.on('exit', done))
  await says('1 passed, 0 failed')
  writeFileSync(join(directory, 'a.test.yaml'), testsThatHear('Hello'))
  await says('0 passed, 1 failed')
  program.kill('SIGINT')
  expect(await ended).toBe(1)
  expect(printed).toContain('"Hello" is never heard; heard last: "Goodbye."')
})

test('several writes of one save are one test; other files are none', async () => {
  const directory = flowsIn()
  const clock = new VirtualClock()
  const lines: string[] = []
  let changed = (_: string) => {}
  let interrupt = () => {}
  const isClosed: string[] = []
  const ended = flowTestWatch(
    [],
    {},
    {
      settings: readSettings({ FLOWS_DIR: directory }).settings!,
      write: (line) => void lines.push(line),
      clock,
      watchFolder: (folder, listener) => {
        changed = listener
        return { close: () => void isClosed.push(folder) }
      },
      interrupted: new Promise<void>((done) => {
        interrupt = done
      }),
    },
  )
  const reports = () => lines.filter((line) => /passed/.test(line))
  expect(reports()).toEqual(['1 passed, 0 failed'])
  changed('notes.txt')
  clock.run(1_000)
  expect(reports()).toHaveLength(1)
  writeFileSync(join(directory, 'a.test.yaml'), testsThatHear('Hello'))
  changed('a.test.yaml')
  clock.run(50)
  changed('a.test.yaml')
  clock.run(99)
  expect(reports()).toHaveLength(1)
  clock.run(1)
  expect(reports()).toEqual(['1 passed, 0 failed', '0 passed, 1 failed'])
  interrupt()
  expect(await ended).toBe(1)
  expect(isClosed).toEqual([directory])
})
