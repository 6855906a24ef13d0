/** Reads which lines of the contract (test/acceptance/lines.md) the names of tests say they assert. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One testable statement of the contract. */
interface AcceptanceLine {
  readonly number: number
  /** Where the list has it: `2.1`, `5`. */
  readonly section: string
  /** How it is tested: `H`, `D`, `C`, `E`, `U` or `P`, as the list explains. */
  readonly kind: string
  readonly text: string
}

/** A part of the list. */
export interface AcceptanceSection {
  /** `2.1`, `5`. */
  readonly number: string
  readonly title: string
  readonly lines: readonly AcceptanceLine[]
}

/** A test, or a group of them, that says which lines it asserts. */
interface TaggedTest {
  readonly file: string
  /** As it is written, with its tag. */
  readonly title: string
  /** Without the tag. */
  readonly name: string
  readonly numbers: readonly number[]
  /** Through which doors. */
  readonly doors: readonly Door[]
  /** What is wrong with the tag; undefined when nothing is. */
  readonly fault: string | undefined
}

/** Ways in and out that production has. */
export const DOORS = ['HTTP', 'WebSocket', 'SIP', 'CLI', 'webhook', 'SMTP', 'IMAP', 'file', 'client'] as const
type Door = (typeof DOORS)[number]

const ROOT = join(import.meta.dirname, '..')
/** The black-box suite; no other test may say that it asserts a line. */
const SUITE = /^acceptance\/[\w-]+\.test\.ts$/
/** The test of this file speaks about tags. */
const NOT_SCANNED = 'tidy/acceptance-lines.test.ts'
const FORM = 'a tag is [acc 3 by HTTP], [acc 3, 4 by HTTP, SIP] or [acc 3–6 by CLI]'

/** The list, section by section, from the Markdown that it is kept in. */
export function readAcceptanceLines(markdown = readFileSync(join(ROOT, 'test/acceptance/lines.md'), 'utf8')) {
  const sections: { number: string; title: string; lines: AcceptanceLine[] }[] = []
  for (const row of markdown.split('\n')) {
    const [, number, title] = /^### (\d+(?:\.\d+)?) (.+)$/.exec(row) ?? []
    if (number !== undefined && title !== undefined) sections.push({ number, title, lines: [] })
    const [, line, text, kind] = /^(\d+)\. (\[([A-Z])\] .+)$/.exec(row) ?? []
    const section = sections.at(-1)
    if (line !== undefined && text !== undefined && kind !== undefined && section) {
      section.lines.push({ number: Number(line), section: section.number, kind, text })
    }
  }
  return sections as readonly AcceptanceSection[]
}

/** Every tagged name under test/. */
export function readTaggedTests(): TaggedTest[] {
  const names = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith('.ts') && name !== NOT_SCANNED).sort()
  return files.flatMap((name) => {
    const tagged = taggedTestsOf(`test/${name}`, readFileSync(join(ROOT, 'test', name), 'utf8'))
    if (SUITE.test(name)) return tagged
    return tagged.map((test) => ({ ...test, fault: 'only the black-box suite, test/acceptance, asserts lines' }))
  })
}

/** Tagged names of one file. Comments count for nothing, and neither do tests that are skipped. */
export function taggedTestsOf(file: string, source: string): TaggedTest[] {
  const tokens = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g
  return [...source.matchAll(tokens)].flatMap(({ 0: token, index }) => {
    if (token.startsWith('/') || !token.includes('[acc')) return []
    const isSkipped = /\.(skip|todo)\(\s*$/.test(source.slice(Math.max(0, index - 80), index))
    return isSkipped ? [] : [taggedTest(file, token.slice(1, -1).replace(/\\(.)/g, '$1'))]
  })
}

function taggedTest(file: string, title: string): TaggedTest {
  const [whole, numbers = '', by = ''] = / ?\[acc ([^\]]*?)(?: by ([^\]]*))?\]$/.exec(title) ?? []
  const nothing = { file, title, name: title, numbers: [], doors: [] }
  if (whole === undefined) return { ...nothing, fault: 'the tag must be the end of the name' }
  const parts = numbers.split(',').map((part) => /^\s*(\d+)(?:\s*[-–]\s*(\d+))?\s*$/.exec(part))
  const name = title.slice(0, -whole.length)
  if (parts.includes(null)) return { ...nothing, name, fault: FORM }
  const ranges = parts.map((part) => [Number(part?.[1]), Number(part?.[2] ?? part?.[1])] as const)
  const words = by.split(',').map((word) => word.trim())
  const doors = DOORS.filter((door) => words.includes(door))
  const fault = doors.length < words.length ? `${FORM}; the doors are ${DOORS.join(', ')}` : undefined
  return { file, title, name, numbers: ranges.flatMap(([from, to]) => fromTo(from, to)), doors, fault }
}

function fromTo(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}

/** Tags that are wrong, each with its place and reason: badly written, or of a line that does not exist. */
export function tagFaults(sections: readonly AcceptanceSection[], tests: readonly TaggedTest[]): string[] {
  const known = new Set(sections.flatMap(({ lines }) => lines.map(({ number }) => number)))
  return tests.flatMap(({ file, name, numbers, fault }) => {
    const strange = numbers.filter((number) => !known.has(number)).map((number) => `there is no line ${number}`)
    const isEmpty = fault === undefined && numbers.length === 0
    const faults = [...[fault ?? []].flat(), ...(isEmpty ? ['the tag names no line'] : []), ...strange]
    return faults.map((fault) => `${file} "${name}": ${fault}`)
  })
}

/** The tests that assert each line. */
export function coverOf(tests: readonly TaggedTest[]): ReadonlyMap<number, readonly TaggedTest[]> {
  const cover = new Map<number, TaggedTest[]>()
  for (const test of tests) {
    for (const number of new Set(test.numbers)) cover.set(number, [...(cover.get(number) ?? []), test])
  }
  return cover
}

/** Lines of these kinds that no test asserts. */
export function missingOf(
  sections: readonly AcceptanceSection[],
  tests: readonly TaggedTest[],
  required: readonly string[],
): AcceptanceLine[] {
  const cover = coverOf(tests)
  const lines = sections.flatMap((section) => section.lines)
  return lines.filter(({ number, kind }) => required.includes(kind) && !cover.has(number))
}
