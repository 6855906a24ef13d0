/** `npm run acceptance`: runs the black-box suite, then prints the tests and doors of each line. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AcceptanceSection,
  coverOf,
  missingOf,
  readAcceptanceLines,
  readTaggedTests,
  tagFaults,
} from './acceptance-cover.ts'
import { developmentCommand } from './command.ts'

interface Options {
  readonly require?: string
  readonly list?: boolean
}

const { require = '', list } = developmentCommand(
  'acceptance',
  'Runs the tests of the contract, and names them by line.',
)
  .option('--require <kinds>', 'end with 1 when a line of these kinds (H,D) is not asserted; wrong tags: 2')
  .option('--list', 'print the table without running the tests')
  .parse()
  .opts<Options>()
const required = require.split(',').flatMap((kind) => kind.trim() || [])
const sections = readAcceptanceLines()
const tests = readTaggedTests()
const cover = coverOf(tests)
const lines = sections.flatMap(({ lines }) => lines)
/** Names of tests that did not pass; undefined: nothing was run. */
const failed = list ? undefined : await run()

for (const section of sections) if (section.lines.length > 0) say(told(section))
const asserted = lines.filter(({ number }) => cover.has(number))
say(`${asserted.length} of ${lines.length} lines are asserted by a named test`)
if (failed) say(`${asserted.filter(({ number }) => isHeld(number)).length} of them passed`)
process.exitCode = Math.max(verdict(), failed && failed.size > 0 ? 1 : 0)

/** Runs the suite; its progress goes to the terminal. */
async function run(): Promise<ReadonlySet<string>> {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-acceptance-report-'))
  const outputFile = join(directory, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${outputFile}`]
  const args = ['run', '--project', 'acceptance', '--maxWorkers=2', ...reporters]
  const child = spawn(join('node_modules', '.bin', 'vitest'), args, { stdio: 'inherit' })
  await new Promise((done) => child.once('close', done))
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as {
    readonly testResults: readonly {
      readonly name: string
      readonly status: string
      readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
    }[]
  }
  rmSync(directory, { recursive: true })
  // A file that could not be loaded names itself.
  return new Set(
    testResults.flatMap(({ name, status, assertionResults: all }) => [
      ...(status === 'failed' && all.length === 0 ? [name] : []),
      ...all.filter(({ status }) => status !== 'passed').map(({ title }) => title),
    ]),
  )
}

function isHeld(number: number): boolean {
  return (cover.get(number) ?? []).every(({ title }) => !failed?.has(title))
}

function told({ number, title, lines }: AcceptanceSection): string {
  const rows = lines.flatMap(({ number, text }) => {
    const found = cover.get(number) ?? []
    return [
      `${found.length > 0 && isHeld(number) ? '✓' : '✗'} ${number}. ${text}`,
      ...found.map(({ file, name, doors }) => `    ${file}: ${name} → ${doors.join(', ')}`),
    ]
  })
  const covered = lines.filter(({ number }) => cover.has(number)).length
  return `${number} ${title}: ${covered} of ${lines.length}\n${rows.map((row) => `  ${row}`).join('\n')}\n`
}

function verdict(): number {
  const faults = tagFaults(sections, tests)
  const unknown = required.filter((wanted) => !lines.some(({ kind }) => kind === wanted))
  for (const kind of unknown) faults.push(`there is no line of kind ${kind} in test/acceptance/lines.md`)
  for (const fault of faults) say(`✗ ${fault}`)
  if (faults.length > 0) return 2
  if (required.length === 0) return 0
  const missing = missingOf(sections, tests, required)
  if (missing.length === 0) say(`kinds ${required.join(', ')}: every line is asserted`)
  for (const { number, text } of missing) say(`✗ no test asserts ${number}. ${text}`)
  return missing.length === 0 ? 0 : 1
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
