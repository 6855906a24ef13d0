/** `npm run acceptance`: which lines of the contract a named test asserts, and which none does. */
import {
  type AcceptanceSection,
  coverOf,
  missingOf,
  readAcceptanceLines,
  readTaggedTests,
  tagFaults,
} from './acceptance-cover.ts'
import { developmentCommand } from './command.ts'

const { require = '' } = developmentCommand('acceptance', 'Which lines of the contract a named test asserts.')
  .option('--require <kinds>', 'end with 1 when a line of these kinds (H,D) is not asserted; wrong tags: 2')
  .parse()
  .opts<{ require?: string }>()
const required = require.split(',').flatMap((kind) => kind.trim() || [])
const sections = readAcceptanceLines()
const tests = readTaggedTests()
const cover = coverOf(tests)

for (const section of sections) if (section.lines.length > 0) say(told(section))
const lines = sections.flatMap(({ lines }) => lines)
say(`${lines.filter(({ number }) => cover.has(number)).length} of ${lines.length} lines are asserted by a named test`)
process.exitCode = verdict()

function told({ number, title, lines }: AcceptanceSection): string {
  const rows = lines.flatMap(({ number, text }) => {
    const found = cover.get(number) ?? []
    return [
      `${found.length > 0 ? '✓' : '✗'} ${number}. ${text}`,
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
