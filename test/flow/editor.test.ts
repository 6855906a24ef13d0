/** Flows in an editor: what `yaml-language-server`, which editors run, proposes, explains and underlines. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node'
import { STEP_KIND_NAMES } from '../../src/flow/model/kinds.ts'

const root = join(import.meta.dirname, '../..')
const SERVER = join(root, 'node_modules/yaml-language-server/bin/yaml-language-server')
const child = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
const server = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin))

interface Diagnostics {
  readonly uri: string
  readonly diagnostics: readonly { readonly range: { readonly start: Place }; readonly message: string }[]
}
interface Place {
  readonly line: number
  readonly character: number
}

const underlined = new Map<string, (told: Diagnostics['diagnostics']) => void>()

beforeAll(async () => {
  server.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) => items.map(() => ({})))
  server.onRequest('client/registerCapability', () => null)
  server.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }: Diagnostics) =>
    underlined.get(uri)?.(diagnostics),
  )
  server.listen()
  const capabilities = { textDocument: { completion: {}, hover: {} } }
  await server.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities })
  await server.sendNotification('initialized', {})
})
afterAll(() => {
  server.dispose()
  child.kill()
})

let documents = 0

/** A file that is being written in the folder of the flows; `|` is where the author is. */
async function opened(marked: string) {
  const [before = '', after = ''] = marked.split('|')
  const uri = pathToFileURL(join(root, `flows/draft-${++documents}.yaml`)).href
  const lines = before.split('\n')
  const at = { textDocument: { uri }, position: { line: lines.length - 1, character: lines.at(-1)!.length } }
  const told = new Promise<Diagnostics['diagnostics']>((resolve) => underlined.set(uri, resolve))
  const textDocument = { uri, languageId: 'yaml', version: 1, text: before + after }
  await server.sendNotification('textDocument/didOpen', { textDocument })
  return {
    async proposed() {
      const { items } = await server.sendRequest<{ items: { label: string }[] }>('textDocument/completion', at)
      return items.map(({ label }) => label)
    },
    async explained() {
      const { contents } = await server.sendRequest<{ contents: { value: string } }>('textDocument/hover', at)
      return contents.value
    },
    async mistakes() {
      return (await told).map(({ range: { start }, message }) => [start.line + 1, message])
    },
  }
}

const flowWith = (steps: string) => `# yaml-language-server: $schema=./flow.schema.json
flow: draft
start: ask
steps:
${steps}`

test('in a step the editor proposes every kind, and in a kind its keys', async () => {
  const step = await opened(flowWith('  ask:\n    |\n'))
  expect(await step.proposed()).toEqual(expect.arrayContaining([...STEP_KIND_NAMES, 'next', 'on', 'as', 'limit']))
  const gather = await opened(flowWith('  ask:\n    gather:\n      prompt: Hello.\n      |\n    next: ask\n'))
  const keys = await gather.proposed()
  expect(keys).toEqual(expect.arrayContaining(['digits', 'finish', 'pattern', 'confirm', 'secret', 'tries']))
  expect(keys).not.toContain('prompt')
})

test('a key is explained in words, with its units', async () => {
  const at = await opened(
    flowWith('  ask:\n    gather: { prompt: Hello., digits: 4, firstDigit|Timeout: 5s }\n    next: ask\n'),
  )
  const text = await at.explained()
  expect(text).toContain('How long to wait for the first key, after the prompt.')
  expect(text).toContain('500ms')
})

test('a misspelt key and a missing one are underlined where they stand', async () => {
  const { mistakes } = await opened(flowWith('  ask:\n    gather: { prompt: Hello. }\n    next: ask\n    onn: {}|\n'))
  expect((await mistakes()).sort()).toEqual([
    [6, expect.stringContaining('"digits"')],
    [8, expect.stringContaining('onn')],
  ])
})

test('a flow without a mistake is not underlined', async () => {
  const { mistakes } = await opened(flowWith('  ask: { play: Hello., next: bye }\n  bye: { hangup: {} }|\n'))
  expect(await mistakes()).toEqual([])
})

test('a file of tests is helped in the same way', async () => {
  const tests = (call: string) => `# yaml-language-server: $schema=./flow-test.schema.json
flow: draft
tests:
  - test: a caller
    call:
${call}`
  const { proposed } = await opened(tests('      - |\n'))
  expect(await proposed()).toEqual(expect.arrayContaining(['hear', 'press', 'wait', 'say', 'expect', 'agent']))
  const { explained } = await opened(tests('      - { h|ear: Hello. }\n'))
  expect(await explained()).toContain('Waits until these words are spoken')
  const { mistakes } = await opened(tests('      - { hears: Hello. }|\n'))
  expect(await mistakes()).toEqual([[6, expect.stringContaining('hears')]])
})
