/** The client as a package: packed, installed alone, and used by plain Node and by the compiler. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { packClient } from '../../scripts/pack-client.ts'

const MODULES = join(import.meta.dirname, '../../node_modules')

const SCRIPT = `
import { connect } from 'switchboard/client'
import { SwitchboardProblem } from 'switchboard/client/problem'
import { openWebhook } from 'switchboard/client/webhook'

const credential = { tokenv2: 'a', rcntrl: 'b', ccntrl: 'c' }
const client = connect({ ssoUrl: 'http://127.0.0.1:9', credential, fetch: () => Promise.reject(new Error('away')) })
try {
  await client.ask('GET /rest/core/activeuser')
} catch (error) {
  console.log(error instanceof SwitchboardProblem, error instanceof SwitchboardProblem && error.kind)
}
console.log(typeof openWebhook)
const ORDER = { systemCode: 'DEBT', callCode: 7, maxCallAttempts: 3, minCallIntervalHours: 4 }
`
/** The compiler must refuse every line: no such operation, no such mode, no list of numbers, an unknown setting. */
const WRONG = `
await client.ask('GET /no/such/operation')
await client.ask('POST /dialer/callcode', { body: { name: 'A', dialMode: 'robot' } })
await client.ask('POST /svcdialer/calltaskimport', { body: { ...ORDER, callTasks: [{ callReceiverName: 'Jane' }] } })
await client.ask('POST /dialer/callcode', { body: { callCodes: [{ name: 'A', parallelLines: 2 }] } })
`.trimStart()

test('the packed client works under plain Node without dependencies, and brings its types', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-client-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const run = (file: string, args: readonly string[], cwd: string) => promisify(execFile)(file, [...args], { cwd })
  const place = join(folder, 'place')
  await mkdir(join(place, 'node_modules', '@types'), { recursive: true })
  await writeFile(join(place, 'package.json'), '{ "type": "module", "private": true }')
  const tarball = packClient(folder)
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], place)
  await writeFile(join(place, 'use.mjs'), SCRIPT)
  // The Node of this machine may be older than the product's.
  for (const node of [process.execPath, 'node']) {
    expect((await run(node, ['use.mjs'], place)).stdout).toBe('true unreachable\nfunction\n')
  }
  const inPackage = (path: string) => join(place, 'node_modules/switchboard', path)
  expect(JSON.parse(await readFile(inPackage('package.json'), 'utf8'))).toMatchObject({ engines: { node: '>=18' } })
  const links = [...(await readFile(inPackage('README.md'), 'utf8')).matchAll(/\]\((?!https?:)([^)#]+)/g)]
  expect(links.length).toBeGreaterThan(0)
  expect(links.map(([, link = '']) => link).filter((link) => !existsSync(inPackage(link)))).toEqual([])

  await writeFile(join(place, 'use.ts'), SCRIPT)
  await mkdir(join(place, 'node_modules', '@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types'])
    await symlink(join(MODULES, name), join(place, 'node_modules', name))
  const compiler = join(MODULES, 'typescript', 'bin', 'tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node', 'use.ts']
  await run(process.execPath, [compiler, ...options], place)
  await writeFile(join(place, 'wrong.ts'), `${SCRIPT}\n${WRONG}`)
  const wrong = await run(process.execPath, [compiler, ...options.slice(0, -1), 'wrong.ts'], place).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  )
  const lines = WRONG.trim()
    .split('\n')
    .map((_, at) => `wrong.ts(${SCRIPT.split('\n').length + 1 + at},`)
  expect(lines.filter((line) => !wrong.stdout.includes(line))).toEqual([])
})
