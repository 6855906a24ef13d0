import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { findTree } from '../../asterisk/tree.ts'

const SCRIPT = fileURLToPath(new URL('../../asterisk/install.sh', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the installer with a changed environment. */
function install(directory: string, env: Record<string, string> = {}): Promise<{ status: unknown; errors: string }> {
  return new Promise((resolve) => {
    execFile('/bin/bash', [SCRIPT, directory], { env: { ...process.env, ...env } }, (error, _stdout, stderr) => {
      resolve({ status: error ? error.code : 0, errors: stderr })
    })
  })
}

test('given no keyring the installer fetches nothing, says what to do, and leaves no files', async () => {
  const directory = join(folder, 'unverified')
  const { status, errors } = await install(directory, { KEYRING: join(folder, 'no-such-keyring') })
  expect(status).toBe(3)
  expect(errors).toContain('nothing was fetched')
  expect(errors).toContain('apt-get install debian-archive-keyring')
  expect(errors).toContain('ALLOW_UNVERIFIED=1')
  expect(readdirSync(folder).filter((name) => name.startsWith('unverified'))).toEqual(['unverified.lock'])
})

test('given a machine without apt the installer names the other ways', async () => {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const name of ['dpkg', 'dpkg-deb', 'flock']) symlinkSync('/bin/true', join(bin, name))
  const { status, errors } = await install(join(folder, 'elsewhere'), { PATH: bin })
  expect(status).toBe(3)
  expect(errors).toContain('there is no apt-get on this machine')
  expect(errors).toContain('asterisk/compose.yaml')
  expect(errors).toContain('ARI_URL')
})

test('given a folder with other files the installer does not touch it', async () => {
  const directory = join(folder, 'precious')
  mkdirSync(directory)
  writeFileSync(join(directory, 'thesis.txt'), 'mine')
  const { status, errors } = await install(directory)
  expect(status).toBe(2)
  expect(errors).toContain('stays as it is')
  expect(readdirSync(directory)).toEqual(['thesis.txt'])
})

test('given a mirror that does not answer the installer fails and leaves no half tree', async () => {
  const directory = join(folder, 'offline')
  const { status, errors } = await install(directory, { MIRROR: 'http://127.0.0.1:1/debian' })
  expect(status).toBe(1)
  expect(errors).toContain('could not be fetched or verified')
  expect(readdirSync(folder).filter((name) => name.startsWith('offline'))).toEqual(['offline.lock'])
})

test('a folder without the stamp is no installation', () => {
  expect(findTree(folder)).toBeUndefined()
})
