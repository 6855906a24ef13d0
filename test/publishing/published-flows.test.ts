/** Flow files on disk become revisions in the database, and every node takes what is live there. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { flowChecks } from '../../src/app/read-installation.ts'
import { readSettings, type Settings } from '../../src/app/settings.ts'
import { FlowRegistry } from '../../src/engine/flow-registry.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { formatProblem } from '../../src/kernel/file-problem.ts'
import type { FlowName } from '../../src/kernel/ids.ts'
import { makeLog } from '../../src/kernel/log.ts'
import type { FlowCanaries } from '../../src/ports/flows/flow-canaries.ts'
import type { FlowRevisions } from '../../src/ports/flows/flow-revisions.ts'
import { PublishedFlows } from '../../src/publishing/published-flows.ts'
import { postgresFlowCanaries } from '../../src/store/calls/flow-canaries.ts'
import { postgresFlowRevisions } from '../../src/store/calls/flow-revisions.ts'
import { makeDatabase, servers, type TestDatabase } from '../store/db/database.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const HELLO = 'hello' as FlowName
const clock = new VirtualClock()
const textOf = (words: string) => `flow: hello\nstart: bye\nsteps:\n  bye: { hangup: { say: ${words}. } }\n`
const revisionOf = (words: string) => readFlow('', textOf(words)).flow!.revision
let database: TestDatabase
let revisions: FlowRevisions
let canaries: FlowCanaries
let folders: string[] = []
let logged: string[] = []

beforeAll(async () => {
  database = await makeDatabase(servers[0]!)
  revisions = postgresFlowRevisions(database.pools)
  canaries = postgresFlowCanaries(database.pools)
})
afterAll(() => database.drop())
beforeEach(() => {
  logged = []
})
afterEach(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true })
  folders = []
  await database.pools.jobs.query(`
    delete from flow_canary_counts; delete from flow_canaries; delete from flow_publications; delete from flow_files;
    alter table flow_revisions disable trigger never_change; delete from flow_revisions;
    alter table flow_revisions enable trigger never_change`)
})

/** A node with its own folder of flows, as a service starts it. */
async function startNode(name: string, words?: string, folder = mkdtempSync(join(tmpdir(), 'flows-'))) {
  if (!folders.includes(folder)) folders.push(folder)
  const file = join(folder, 'hello.yaml')
  const write = (text: string) => writeFileSync(file, text)
  if (words !== undefined) write(textOf(words))
  const settings = { ...readSettings({}).settings!, flowsDir: folder } as Settings
  const log = makeLog('info', { write: (line) => void logged.push(line) })
  const published = new PublishedFlows({ revisions, canaries, node: name, clock, log })
  const checks = flowChecks(settings, undefined)
  const plan = await published.plan(checks)
  await published.adopt(plan, checks)
  const registry = new FlowRegistry(plan.flows)
  published.serve(registry, async () => [])
  return {
    folder,
    file,
    published,
    write,
    /** A file is published when it rests. */
    async looks() {
      await published.look()
      await published.look()
    },
    said: () => {
      const step = registry.get(HELLO)?.flow.steps.get('bye' as never)
      return step?.kind === 'hangup' ? JSON.stringify(step.spec.say).match(/\w+\./)?.[0] : undefined
    },
  }
}

const ways = async () => (await revisions.live()).map(({ way, author }) => `${way} by ${author}`)
const rollback = async (words?: string) => {
  const revision = (await revisions.earlier(HELLO, words && revisionOf(words)))!
  return revisions.goBack(HELLO, revision, { author: 'anna', note: null, atMs: clock.nowMs() })
}

test('a file is published at the start, and again when it changes and rests', async () => {
  const node = await startNode('one', 'One')
  expect([node.said(), await ways()]).toEqual(['One.', ['file by hello.yaml on one']])
  node.write(textOf('Two'))
  await node.published.look()
  expect(node.said()).toBe('One.')
  await node.published.look()
  expect(node.said()).toBe('Two.')
  const listed = await revisions.revisions(HELLO)
  expect(listed.map(({ revision, isLive }) => [revision, isLive])).toEqual([
    [revisionOf('Two'), true],
    [revisionOf('One'), false],
  ])
})

test('a flow is published again when a flow that it goes through changes; a call that is up keeps both', async () => {
  const node = await startNode('one', 'One')
  const rest = (words: string) => writeFileSync(join(node.folder, 'rest.yaml'), textOf(words).replace('hello', 'rest'))
  rest('Old')
  node.write(
    textOf('One').replace('start: bye', 'start: a').replace('steps:', 'steps:\n  a: { subflow: rest, next: bye }'),
  )
  await node.looks()
  rest('New')
  await node.looks()
  const now = (await revisions.live()).find(({ flow }) => flow === HELLO)!
  const before = (await revisions.revisions(HELLO)).find(({ isLive }) => !isLive)!
  const said = async (revision: string) => {
    const step = (await node.published.past(revision))?.steps.get('a.bye' as never)
    return step?.kind === 'hangup' ? JSON.stringify(step.spec.say).match(/\w+\./)?.[0] : undefined
  }
  expect([await said(before.revision), await said(now.revision)]).toEqual(['Old.', 'New.'])
  writeFileSync(join(node.folder, 'rest.yaml'), 'flow: [')
  await node.looks()
  expect(node.published.problems.map(formatProblem)).toContainEqual(
    expect.stringMatching(/hello\.yaml:4:17 error the flow "rest" has an error: rest\.yaml:1:/),
  )
  expect(node.published.taken(HELLO)).toBe(now.revision)
})

test('a broken file is reported once, and the last good revision goes on, also after a start', async () => {
  const node = await startNode('one', 'One')
  node.write(textOf('Two').replace('hangup', 'hangpu'))
  await node.looks()
  await node.looks()
  const [problem] = node.published.problems
  expect(formatProblem(problem!)).toMatch(new RegExp(`^${node.file}:4:\\d+ error .*"hangpu"`))
  expect(logged.filter((line) => line.includes('hangpu'))).toHaveLength(1)
  expect(node.said()).toBe('One.')
  const again = await startNode('one', undefined, node.folder)
  expect(again.said()).toBe('One.')
  node.write(textOf('Three'))
  await node.looks()
  expect([node.said(), node.published.problems]).toEqual(['Three.', []])
})

test('a text that was rolled back stays back until its file changes: after looks, starts, on other nodes', async () => {
  const node = await startNode('one', 'One')
  node.write(textOf('Two'))
  await node.looks()
  expect(await rollback()).toEqual({ outcome: 'live', revision: revisionOf('One') })
  await node.looks()
  expect(node.said()).toBe('One.')
  expect((await startNode('one', undefined, node.folder)).said()).toBe('One.')
  // The same text reaches a second node later, and a node that is new.
  const second = await startNode('two', 'One')
  second.write(textOf('Two'))
  await second.looks()
  expect([second.said(), (await startNode('three', 'Two')).said()]).toEqual(['One.', 'One.'])
  node.write(textOf('Three'))
  await node.looks()
  await second.looks()
  expect([node.said(), second.said()]).toEqual(['Three.', 'Three.'])
})

test('nodes with older files do not undo a deployment that reaches them one after another', async () => {
  const nodes = [await startNode('one', 'One'), await startNode('two', 'One')]
  for (const words of ['Two', 'Three']) {
    for (const node of nodes) {
      node.write(textOf(words))
      for (const each of nodes) await each.looks()
      expect(nodes.map(({ said }) => said())).toEqual([`${words}.`, `${words}.`])
    }
  }
  // A text may come back: the file changed.
  nodes[1]!.write(textOf('Two'))
  for (const each of nodes) await each.looks()
  for (const each of nodes) await each.looks()
  expect(nodes.map(({ said }) => said())).toEqual(['Two.', 'Two.'])
  // A node that is behind starts again.
  nodes[0]!.write(textOf('Four'))
  await nodes[0]!.looks()
  expect((await startNode('two', undefined, nodes[1]!.folder)).said()).toBe('Four.')
})

test('two files of one flow are an error of the second, and do not replace each other', async () => {
  const node = await startNode('one', 'One')
  writeFileSync(join(node.folder, 'twin.yaml'), textOf('Twin'))
  await node.looks()
  await node.looks()
  expect([node.said(), node.published.problems.map(({ message }) => message)]).toEqual([
    'One.',
    [expect.stringContaining(`the flow hello is also in ${node.file}`)],
  ])
})

test('a revision never changes in the database, and a flow without a file goes on', async () => {
  const node = await startNode('one', 'One')
  const change = (verb: string) => database.pools.jobs.query(verb)
  await expect(change(`update flow_revisions set text = ''`)).rejects.toThrow('never changes')
  await expect(change('delete from flow_revisions')).rejects.toThrow('never changes')
  rmSync(node.file)
  expect((await startNode('one', undefined, node.folder)).said()).toBe('One.')
})

test('a publication that replaces another revision than its author saw is refused', async () => {
  await startNode('one', 'One')
  const publish = (words: string, replaces?: string) =>
    revisions.publish({
      flow: HELLO,
      revision: revisionOf(words),
      text: textOf(words),
      author: 'anna',
      note: 'why',
      atMs: 1,
      ...(replaces !== undefined && { replaces }),
    })
  expect(await publish('Two', revisionOf('One'))).toBe('published')
  expect(await publish('Three', revisionOf('One'))).toEqual({ liveNow: revisionOf('Two') })
  expect(await publish('Two')).toBe('already live')
  const both = await Promise.all([publish('Four', revisionOf('Two')), publish('Five', revisionOf('Two'))])
  expect(both.filter((one) => one === 'published')).toHaveLength(1)
})

test('a flow has one draft; 500 drafts of other flows are the end', async () => {
  const draft = { text: 'flow: [', author: 'anna', note: null, savedAtMs: 1 }
  for (const text of ['a', 'b']) expect(await revisions.saveDraft(HELLO, { ...draft, text })).toBe(true)
  expect(await revisions.draft(HELLO)).toEqual({ ...draft, text: 'b' })
  await database.pools.jobs.query(
    `insert into flow_drafts select 'other-' || n, '', '', null, 1 from generate_series(1, 499) n`,
  )
  expect(await revisions.saveDraft('one-more' as FlowName, draft)).toBe(false)
  expect(await revisions.saveDraft(HELLO, draft)).toBe(true)
  expect([await revisions.dropDraft(HELLO), await revisions.dropDraft(HELLO)]).toEqual([true, false])
  expect(await revisions.saveDraft('one-more' as FlowName, draft)).toBe(true)
})
