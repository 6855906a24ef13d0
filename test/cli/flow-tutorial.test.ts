/** "Your first flow in 15 minutes" of docs/flows.md, done from beginning to end by its commands. */
import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/flows.md'), 'utf8')
const tutorial = page.slice(page.indexOf('## Your first flow'), page.indexOf('## Recipes'))
const blocks = [...tutorial.matchAll(/```(yaml|sh|)\n(.*?)```/gs)].map(([, kind, code]) => ({ kind, code: code! }))
const typed = blocks.filter(({ kind }) => kind === 'sh').flatMap(({ code }) => code.trim().split('\n'))
const commands = typed.filter((line) => line.startsWith('npm run switchboard'))
/** What the page sets in each terminal. */
const exported = Object.fromEntries(
  typed.flatMap((line) => [...line.matchAll(/^export (\w+)=(.*)$/g)]).map(([, name, value]) => [name!, value!]),
)
const session = blocks.find(({ kind }) => kind === '')!.code

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flow-tutorial-'))
  // As root, the database runs under another user, who needs access.
  chmodSync(folder, 0o755)
  for (const { kind, code } of blocks) {
    const file = /^# (\S+\.yaml)\n/.exec(code)?.[1]
    if (kind !== 'yaml' || file === undefined) continue
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), code)
  }
  copyFileSync(join(root, 'flows/debtor-self-service.yaml'), join(folder, 'flows/debtor-self-service.yaml'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A program in the folder of the new flow, in a terminal with what the page sets, and nothing else. */
function start(script: string, words: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env['PATH'], USER: 'mette', ...exported, ...more }
  return spawn(process.execPath, [join(root, script), ...words], { cwd: folder, env })
}

/** Runs the words of a command behind `npm run switchboard --`. */
async function run(command: string, input = '') {
  const words = /^npm run switchboard -- (.*)$/.exec(command)![1]!.split(' ')
  const program = start('src/cli/switchboard.ts', words)
  const status = new Promise<number | null>((done) => program.on('exit', done))
  program.stdin.end(input)
  const printed = await text(program.stdout)
  return { printed, status: await status }
}

const commandWith = (words: string) => commands.find((command) => command.includes(words))!

test('the flow has no mistake', async () => {
  expect(await run(commandWith('flow check'))).toMatchObject({
    status: 0,
    printed: expect.stringContaining('no errors'),
  })
})

test('the call goes as the page shows it, and its test is that of the page', async () => {
  const orders = [...session.matchAll(/^(?:> |.*\(Enter: [^)]*\): ?)(.*)$/gm)].map(([, typed]) => typed)
  const { printed, status } = await run(commandWith('flow run'), `${[...orders, '', ''].join('\n')}\n`)
  const shown = session.split('\n').filter((line) => line.trim() !== '…')
  for (const line of shown) expect(printed).toContain(line)
  const onPage = readFileSync(join(folder, 'flows/front.test.yaml'), 'utf8')
  for (const [action] of onPage.matchAll(/ {6}- .*/g)) expect(printed).toContain(action.trim())
  expect(status).toBe(0)
})

test('the test passes, and what it misses is named and proposed', async () => {
  const { printed } = await run(commandWith('--coverage'))
  expect(printed).toContain('✓ a caller hears when the order comes')
  expect(printed).toMatch(/never taken: main \(2\) → team/)
  const { printed: proposed } = await run(commandWith('--propose'))
  const [, tests] = proposed.split('tests:\n')
  const file = join(folder, 'flows/front.test.yaml')
  writeFileSync(file, `${readFileSync(file, 'utf8')}${tests}`)
  const { printed: all, status } = await run(commandWith('--mutate').replace('--mutate', '--mutate --coverage-min 100'))
  expect(all).toMatch(/coverage 100 %/)
  expect(all).toMatch(/\d\d passed, 0 failed/)
  expect(status).toBe(0)
})

test('it is ready to be published: flow and configuration fit, without a warning', async () => {
  const checked = await run(commandWith('flow check'))
  expect(checked.printed).not.toMatch(/warn|error |not checked/)
  const { printed, status } = await run(commandWith('--dry-run'))
  expect(printed).toContain('+4570001001')
  expect(printed).not.toMatch(/warn|error/)
  expect(status).toBe(0)
})

test('the service starts with it, here with simulated phones; apply in a second terminal finds it', async () => {
  expect(typed).toContain('npm start')
  const ports = { HTTP_PORT: '0', SSO_PORT: '0', PBX: 'simulated', ALLOW_ROOT: '1' }
  const service = start('src/main.ts', [], ports)
  const exited = new Promise<number | null>((done) => service.once('exit', done))
  let log = ''
  const says = (words: string) =>
    new Promise<void>((waits, gone) => {
      const look = () => (log.includes(words) ? waits() : undefined)
      service.stdout.on('data', look)
      void exited.then(() => gone(new Error(`the service ended: ${log}`)))
      look()
    })
  service.stdout.on('data', (data) => {
    log += data
  })
  await says('ready: calls are taken')
  const applied = await run(commands.find((command) => command.endsWith('-- apply'))!)
  expect(applied.printed).toContain(`the service (process ${service.pid}) was notified`)
  await says('the configuration was read again and is in force')
  const { printed } = await run('npm run switchboard -- flow revisions')
  expect(printed).toMatch(/^\* front@\w{12} {2}\S+ file by front\.yaml on node-1$/m)
  expect(printed).not.toContain('no service runs')
  service.kill('SIGINT')
  expect(await exited).toBe(0)
})

test('the page has no other commands than these and --watch', () => {
  expect(commands).toHaveLength(9)
  expect(typed.filter((line) => !commands.includes(line))).toEqual([
    'export SHOP_URL=https://shop.example',
    'npm start',
    'export SHOP_URL=https://shop.example',
  ])
})
