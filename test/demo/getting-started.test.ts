/** The first campaign of docs/getting-started.md, from the page's own text, in a demo that the page starts. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf, type RunningServer, serve } from '../../demo/servers/web-server.ts'
import { SOON } from '../support/soon.ts'
import { startKeptDemo } from './kept-demo.ts'

/** Each look runs programs of a shell. */
const RARELY = { ...SOON, interval: 2_000 }
const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/getting-started.md'), 'utf8')
const [start = '', steps = ''] = [...page.split('## A first campaign')[1]!.matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, code]) => code!,
)
const [untilDialing = '', looks = ''] = steps.split(/^(?=# 10\.)/m)
const prelude = untilDialing.split('# 2.')[0]!

let demo: ReturnType<typeof startKeptDemo>
/** A server on the visitor's own machine. */
let own: RunningServer
const received: string[] = []

beforeAll(async () => {
  own = await serve((request, response) => {
    void bodyOf(request).then((body) => received.push(body))
    response.end()
  })
  const [, args = ''] = /^npm run demo -- ([^#]*)/m.exec(start)!
  demo = startKeptDemo([...args.trim().split(/\s+/), '--allow-host', new URL(own.url).host])
  await demo.ready()
  // A checkout of the reader's own, with the data folder of this demo.
  const there = new Set(['.data', '.git'])
  for (const name of readdirSync(root)) if (!there.has(name)) symlinkSync(join(root, name), join(demo.directory, name))
})
afterAll(async () => {
  expect(await demo?.interrupt()).toBe(0)
  await own?.close()
})

/** What the commands print, as a reader's shell runs them. */
async function shell(code: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const own = { PATH: process.env['PATH'], HOME: demo.directory, ALLOW_ROOT: '1', ...env }
  const { stdout } = await promisify(execFile)('bash', ['-c', code], { cwd: demo.directory, env: own })
  return stdout
}

/** The parts of the answers that the page shows, which are not in what was printed, in this order. */
function missing(code: string, printed: string): string[] {
  const shown = [...code.matchAll(/^# {4}(.*)$/gm)].flatMap(([, answer]) => {
    let from = 0
    return answer!.split('…').filter((part) => {
      const at = printed.indexOf(part, from)
      if (at >= 0) from = at + part.length
      return at < 0
    })
  })
  return shown
}

test('each step answers what the page shows', async () => {
  expect(missing(untilDialing, await shell(untilDialing))).toEqual([])
  await expect.poll(async () => missing(looks, await shell(prelude + looks)), RARELY).toEqual([])
})

test('the addresses are those of the page where they are free', () => {
  const [, node, sso] = /^\| kept demo \| (\d+) \| (\d+) \|$/m.exec(page)!
  const url = demo.found(/kept running: open (\S+)/)
  const isTaken = demo.said().includes(`port ${node} is taken: this demo uses ${new URL(url).port} instead`)
  expect(isTaken || url === `http://127.0.0.1:${node}`).toBe(true)
  expect(page).toContain(`NODE=http://127.0.0.1:${node}, SSO=http://127.0.0.1:${sso}`)
})

test('what a visitor edits is in force after apply', async () => {
  const flow = join(demo.dataDir, 'demo/flows/debtor-self-service.yaml')
  const text = readFileSync(flow, 'utf8')
  writeFileSync(flow, text.replace('Please enter', 'Kindly enter'))
  const setup = join(demo.dataDir, 'demo/switchboard.yaml')
  writeFileSync(setup, readFileSync(setup, 'utf8').replace('title: Desk', 'title: Front desk'))
  const said = await shell('. .data/demo/env; npm run -s switchboard -- apply')
  expect(said).toContain('was notified')
  await expect.poll(() => demo.said(), RARELY).toContain('applied: in force now')
  const queues = await shell(`${prelude}as me $NODE/rest/svcpbx/queue`)
  expect(queues).toContain('Front desk')
  expect(await shell('. .data/demo/env; npm run -s switchboard -- flow show debtor-self-service')).toContain(
    'Kindly enter',
  )
})

test('colleagues work on, and webhooks reach a server that was allowed', async () => {
  const hook = JSON.stringify({ url: `${own.url}/hook`, events: ['phone-call.ended', 'phone-call-outcome.creation'] })
  await shell(`${prelude}as me $NODE/rest/core/webhooks -d '${hook}'`)
  for (const type of ['phone-call.ended', 'phone-call-outcome.creation']) {
    await expect.poll(() => received.join('\n'), RARELY).toContain(type)
  }
})

test('an address without a port is refused before anything starts', async () => {
  const refused = startKeptDemo(['--allow-host', 'example.com'])
  await expect(refused.ready()).rejects.toThrow(/--allow-host example.com is no host with a port/)
})

test('the passwords are in no file', async () => {
  const passwords = [...demo.said().matchAll(/: (?:you|supervisor) \/ (\S+)/g)].map(([, password]) => password!)
  expect(passwords.length).toBe(2)
  for (const password of passwords) expect(await shell(`grep -rlF -e ${password} .data/demo || true`)).toBe('')
})
