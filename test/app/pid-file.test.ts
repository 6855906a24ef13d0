import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applySignalOf, claimService, runningService } from '../../src/app/pid-file.ts'

const directory = () => mkdtempSync(join(tmpdir(), 'switchboard-pid-'))

test('a claimed directory is taken until it is released', () => {
  const dataDir = directory()
  const claim = claimService(dataDir)
  expect(runningService(dataDir)).toBe(process.pid)
  expect(claimService(dataDir)).toEqual({ takenBy: process.pid })
  if ('release' in claim) claim.release()
  expect(existsSync(join(dataDir, 'service.pid'))).toBe(false)
})

test('the pid of a foreign process counts as no owner: the directory is free and the process is not signalled', () => {
  const dataDir = directory()
  const stranger = spawn('sleep', ['60'])
  writeFileSync(join(dataDir, 'service.pid'), `${stranger.pid}\n1`)
  expect(runningService(dataDir)).toBeUndefined()
  expect(claimService(dataDir)).toHaveProperty('release')
  stranger.kill('SIGKILL')
})

test.each(['', '0', '-1\n5', 'x'])('a torn file (%j) counts as nothing', (text) => {
  const dataDir = directory()
  writeFileSync(join(dataDir, 'service.pid'), text)
  expect(runningService(dataDir)).toBeUndefined()
  expect(claimService(dataDir)).toHaveProperty('release')
  expect(readFileSync(join(dataDir, 'service.pid'), 'utf8')).toContain(String(process.pid))
})

test('a kept demo asks for another signal than a service, whose files name none if they are old', () => {
  const dataDir = directory()
  claimService(dataDir, 'SIGUSR2')
  expect(runningService(dataDir)).toBe(process.pid)
  expect(applySignalOf(dataDir)).toBe('SIGUSR2')
  writeFileSync(join(dataDir, 'service.pid'), readFileSync(join(dataDir, 'service.pid'), 'utf8').split('\nSIG')[0]!)
  expect(runningService(dataDir)).toBe(process.pid)
  expect(applySignalOf(dataDir)).toBe('SIGHUP')
})
