/** Ending a process that is known by its number and a word of its command line. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRunning, killProcess } from '../../asterisk/process.ts'
import { RealClock } from '../../src/kernel/clock.ts'

/** Much memory takes the kernel long to free, and until then the socket of a killed process answers. */
const SLOW_TO_END = `
  const memory = Array.from({ length: 8 }, () => Buffer.alloc(64 * 1024 * 1024, 1))
  require('node:net').createServer().listen(process.argv[1], () => process.stdout.write(String(memory.length)))
`

test('a killed process has given back its sockets', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'killed-'))
  const path = join(directory, 'socket')
  const child = spawn(process.execPath, ['-e', SLOW_TO_END, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  await killProcess({ pid: child.pid!, marker: path }, new RealClock())
  const socket = connect(path)
  const [error] = await once(socket, 'error')
  rmSync(directory, { recursive: true, force: true })
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
})

test('another process with the number is not taken for it, the first thread of the kernel neither', () => {
  expect(isRunning({ pid: 2, marker: '/run/asterisk.conf' })).toBe(false)
})
