/** "Your first flow in 15 minutes" of docs/flows.md, done from beginning to end by its commands. */
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/flows.md'), 'utf8')
const tutorial = page.slice(page.indexOf('## Your first flow'), page.indexOf('## Recipes'))
const blocks = [...tutorial.matchAll(/```(yaml|sh|)\n(.*?)```/gs)].map(([, kind, code]) => ({ kind, code: code! }))
const commands = blocks.filter(({ kind }) => kind === 'sh').flatMap(({ code }) => code.trim().split('\n'))
const session = blocks.find(({ kind }) => kind === '')!.code

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flow-tutorial-'))
  for (const { kind, code } of blocks) {
    const file = /^# (flows\/\S+)\n/.exec(code)?.[1]
    if (kind !== 'yaml' || file === undefined) continue
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), code)
  }
  const example = readFileSync(join(root, 'switchboard.example.yaml'), 'utf8')
  const setup = blocks.find(({ code }) => code.startsWith('numbers:'))!.code
  const [number, team] = [/ {2}"\+.*\n/.exec(setup)![0], / {2}front-desk:.*\n/.exec(setup)![0]]
  writeFileSync(
    join(folder, 'switchboard.yaml'),
    example
      .replace('numbers:\n', `numbers:\n${number}`)
      .replace('teams:\n', `teams:\n${team}`)
      .replace('env: { ', 'env: { shop: SHOP_URL, '),
  )
  copyFileSync(join(root, 'flows/debtor-self-service.yaml'), join(folder, 'flows/debtor-self-service.yaml'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the words of a command behind `npm run switchboard --`, in the folder of the new flow. */
async function run(command: string, input = '') {
  const words = /^npm run switchboard -- (.*)$/.exec(command)![1]!.split(' ')
  const env = { ...process.env, FLOWS_DIR: 'flows', SETUP_FILE: 'switchboard.yaml', DATA_DIR: join(folder, 'data') }
  const given = { SHOP_URL: 'https://shop.example', CARRIER_PASSWORD: 'x', ANNA_PHONE_PASSWORD: 'x' }
  const program = spawn(process.execPath, [join(root, 'src/cli/switchboard.ts'), ...words], {
    cwd: folder,
    env: { ...env, ...given, INTEGRATOR_URL: 'https://i.example', CASE_INFO_TOKEN: 'x', SMS_TOKEN: 'x' },
  })
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

test('it is ready to be published', async () => {
  const { printed, status } = await run(commandWith('--dry-run'))
  expect(printed).toContain('+4570001001')
  expect(status).toBe(0)
})

test('the page has no other commands than these, --watch and apply, which needs a service', () => {
  expect(commands).toHaveLength(8)
})
