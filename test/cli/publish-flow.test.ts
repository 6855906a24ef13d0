/** `switchboard flow publish`, `rollback`, `revisions`, `show`, `diff` and `apply`, where no service runs. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '../../src/app/settings.ts'
import { applyCommand } from '../../src/cli/apply.ts'
import { flowDiff } from '../../src/cli/flow-diff.ts'
import { flowPublish, flowRevisions, flowRollback } from '../../src/cli/publish-flow.ts'
import { flowText, storedText } from '../../src/cli/stored-flow.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import type { FlowName } from '../../src/kernel/ids.ts'
import { postgresFlowRevisions } from '../../src/store/calls/flow-revisions.ts'
import { makeDatabase, servers, type TestDatabase } from '../store/db/database.ts'

const CLINIC = 'clinic' as FlowName
const textOf = (words: string) => `flow: clinic\nstart: bye\nsteps:\n  bye: { hangup: { say: ${words}. } }\n`
const revisionOf = (words: string) => readFlow('', textOf(words)).flow!.revision
const directory = mkdtempSync(join(tmpdir(), 'switchboard-clinic-'))
const DATA_DIR = join(directory, 'data')
const file = join(directory, 'clinic.yaml')
// In no file name of a flow.
const setup = join(directory, 'setup.yml')
let database: TestDatabase
/** Settings with a database server, which is quick. */
let served: ReturnType<typeof contextOf>
const printed: string[] = []

beforeAll(async () => {
  // As root, the database runs under another user, who needs access.
  chmodSync(directory, 0o755)
  database = await makeDatabase(servers[0]!)
  served = contextOf({ DATABASE_URL: addressOf(database.connection) })
})
afterAll(async () => {
  await database.drop()
  rmSync(directory, { recursive: true })
})

function addressOf({ user, database: name, host }: ClientConfig): string {
  return `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host!)}`
}

function contextOf(more: Readonly<Record<string, string>> = {}) {
  const env = { DATA_DIR, SETUP_FILE: setup, FLOWS_DIR: directory, USER: 'mette', ...more }
  const { settings } = readSettings(env)
  const write = (line: string) => void printed.push(line)
  return { settings: settings!, env, write, complain: (line: string) => void printed.push(`! ${line}`) }
}

/** The status of a command, and what it printed. */
async function run(command: Promise<number>): Promise<{ status: number; lines: string[] }> {
  const status = await command
  return { status, lines: printed.splice(0).map((line) => line.replaceAll(directory, '')) }
}

async function publish(words: string, note?: string) {
  writeFileSync(file, textOf(words))
  return run(flowPublish(file, note === undefined ? {} : { note }, served))
}

/** As a service with this file in its folder publishes it. */
async function takeFile(words: string): Promise<void> {
  const signed = { author: 'clinic.yaml on node-1', note: null, atMs: Date.now() }
  const taken = { flow: CLINIC, revision: revisionOf(words), text: textOf(words), ...signed }
  await postgresFlowRevisions(database.pools).takeFile('node-1', taken)
}

const INSTANT = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'
const line = (words: string, live: ' ' | '*', signed: string) =>
  expect.stringMatching(new RegExp(`^[${live}] clinic@${revisionOf(words)}  ${INSTANT} ${signed}$`))

test('without a service each command names the folder of its database', async () => {
  const remedy = 'if yours has another one, set DATA_DIR or DATABASE_URL as for it'
  const place = `the database in /data; no service runs on it: ${remedy}`
  const context = contextOf()
  const none = await run(flowRevisions(undefined, {}, context))
  expect(none.lines).toContain('no flow was published yet in the database in /data')
  expect(none.lines.at(-1)).toBe(`read from ${place}`)
  writeFileSync(file, textOf('Hello'))
  const published = await run(flowPublish(file, {}, context))
  expect(published.lines.slice(-2)).toEqual([
    `clinic: new calls take revision ${revisionOf('Hello')}`,
    `written to ${place}`,
  ])
  writeFileSync(file, textOf('Hi'))
  await run(flowPublish(file, {}, context))
  const back = await run(flowRollback('clinic', undefined, {}, context))
  expect(back.lines.at(-1)).toBe(`written to ${place}`)
  expect((await run(flowRollback('clinic', undefined, {}, context))).lines.at(-1)).toBe(`read from ${place}`)
  writeFileSync(setup, `numbers: { "+4570001000": { flow: clinic } }\n`)
  const applied = await run(applyCommand({ ...context, dryRun: false }))
  expect(applied).toMatchObject({ status: 0 })
  expect(applied.lines.at(-1)).toBe(
    'no service runs on /data; the next one that starts applies this configuration; if yours runs elsewhere, ' +
      'set DATA_DIR as for it',
  )
  const shown = await run(applyCommand({ ...context, dryRun: true }))
  expect(shown.lines.at(-1)).toBe('no service runs on /data; if yours runs elsewhere, set DATA_DIR as for it')
})

test('a note is kept, also if the file was published before; so is that of a rollback', async () => {
  await takeFile('One')
  const { lines } = await publish('One', 'shorter welcome')
  expect(lines).toEqual([`clinic: revision ${revisionOf('One')} is live already; your note was added`])
  expect((await run(flowRevisions('clinic', {}, served))).lines).toEqual([
    line('One', '*', `publish by mette: shorter welcome; first ${INSTANT} by clinic.yaml on node-1`),
  ])
  await publish('Two', 'with music')
  // The service sees the file only now.
  await takeFile('Two')
  expect((await run(flowRevisions(undefined, {}, served))).lines).toEqual([
    line('Two', '*', 'file by clinic.yaml on node-1: with music'),
  ])
  expect(await run(flowRollback('clinic', undefined, { note: 'too loud' }, served))).toMatchObject({ status: 0 })
  const listed = await run(flowRevisions('clinic', {}, served))
  expect(listed.lines).toEqual([
    line('One', '*', `rollback by mette: too loud; first ${INSTANT} by clinic.yaml on node-1`),
    line('Two', ' ', `file by clinic.yaml on node-1: with music; first ${INSTANT} by mette: with music`),
  ])
  const json = JSON.parse((await run(flowRevisions('clinic', { json: true }, served))).lines[0]!)
  expect(json.revisions[0]).toMatchObject({
    flow: 'clinic',
    revision: revisionOf('One'),
    live: true,
    author: 'clinic.yaml on node-1',
    note: null,
    way: 'rollback',
    lastAuthor: 'mette',
    lastNote: 'too loud',
  })
})

test('a revision is shown, and compared with another one or with a file', async () => {
  expect(await run(flowText('clinic', revisionOf('Two'), served))).toEqual({
    status: 0,
    lines: [textOf('Two').trimEnd()],
  })
  expect((await run(flowText('clinic', undefined, served))).lines).toEqual([textOf('One').trimEnd()])
  expect(await run(flowText('clinic', 'ffffffffffff', served))).toEqual({
    status: 1,
    lines: ['! clinic has no revision ffffffffffff; "flow revisions clinic" lists them'],
  })
  const stored = (flow: string, revision: string) => storedText(flow, revision, served)
  const two = `clinic@${revisionOf('Two')}`
  writeFileSync(file, textOf('Three'))
  const { status, lines } = await run(flowDiff(two, file, {}, { write: served.write, stored }))
  expect([status, lines[0]]).toEqual([0, `${two} → clinic@${revisionOf('Three')}`])
  expect(lines.join()).toMatch(/before: .*Two.*now: .*Three/)
  const absent = await run(flowDiff('clinic@ffffffffffff', file, {}, { write: served.write, stored }))
  expect(absent.status).toBe(1)
})

test('a mistyped flow is named with the one that was meant', async () => {
  const meant = 'there is no flow clinc; did you mean "clinic"?'
  expect(await run(flowRollback('clinc', undefined, {}, served))).toEqual({ status: 1, lines: [meant] })
  expect(await run(flowRevisions('clinc', {}, served))).toEqual({ status: 1, lines: [meant] })
  expect(await run(flowText('clinc', undefined, served))).toEqual({ status: 1, lines: [`! ${meant}`] })
  expect((await run(flowRollback('pharmacy', undefined, {}, served))).lines).toEqual([
    'there is no flow pharmacy; "flow revisions" lists those that were published',
  ])
  const missing = await run(flowPublish(join(directory, 'clinc.yaml'), {}, served))
  expect(missing.lines).toEqual(['/clinc.yaml:1:1 error there is no such file; did you mean /clinic.yaml?'])
})

test('apply refuses a number in a language that its flow does not have', async () => {
  writeFileSync(setup, 'numbers: { "+4570001000": { flow: clinic, language: sv } }\n')
  const { status, lines } = await run(applyCommand({ ...served, dryRun: true }))
  expect(status).toBe(1)
  expect(lines[0]).toMatch(
    /^\/clinic\.yaml:1:7 error the number \+4570001000 has the language "sv", and the flow has en/,
  )
})
