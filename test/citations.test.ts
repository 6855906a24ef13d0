/** Every code and document that source and tests cite exists in the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const CITING_FOLDERS = ['src', 'demo', 'test', 'bench', 'asterisk', 'scripts']
const CITING_ENDINGS = ['.ts', '.mjs', '.sh', '.xml', '.patch']
/** This file plants citations without a target. */
const SELF = 'test/citations.test.ts'
const ACCEPTANCE = 'test/acceptance/lines.md'

/** Faults and invariants, decisions, rules, goals, laws: each begins a heading or a table row of `docs/`. */
const CODE = /\b(?:F-[A-Z]\d+|INV-[A-Z]\d*|D-\d\d)(?!\w)|(?<=[(,;] ?)R\d+(?=[),;])|(?<![-\w.])G\d\d(?!\w)|\b[Ll]aw \d+/g
const SECTION = String.raw`§?(\d+(?:\.(?:\d+|[A-Z]))*[a-z]?)(?!\w)`
/** `name.md`, with its sections: `name.md 3.2`, `name.md §4.1, §4.2`, `name.md 2 and 3.5`. */
const DOCUMENT = new RegExp(String.raw`([\w-]+\.md)(?!\w)((?: ${SECTION}(?:(?:,| and| to) ${SECTION})*)?)`, 'g')
const ACCEPTANCE_LINE = /\bacceptance (\d+)/g
/** A document outside the repository. */
const UNNAMED =
  /\b(?:Interface|interface) §?\d[\d.]*|\b(?:flows|dialer|faults|style|design),? (?:section |roles|F-|\d)[\w.-]*/g

/** Path → text of every page that may be cited. */
type Pages = ReadonlyMap<string, string>

/** Cited codes that no page has, each once. */
function deadCitations(text: string, pages: Pages): readonly string[] {
  const joined = text.replaceAll(/\n[-+ ]?\s*(?:\*(?!\/)|\/\/|--)?\s*/g, ' ')
  const starts = [...pages].filter(([path]) => path.startsWith('docs/')).flatMap(([, page]) => startsOf(page))
  const codes = (joined.match(CODE) ?? []).filter((code) => !starts.some((start) => beginsWith(start, code)))
  const documents = [...joined.matchAll(DOCUMENT)].flatMap(([, name = '', sections = '']) =>
    deadSections(name, sections, pages),
  )
  const lines = [...joined.matchAll(ACCEPTANCE_LINE)]
    .filter(([, number]) => !pages.get(ACCEPTANCE)?.includes(`\n${number}. `))
    .map(([citation]) => citation)
  return [...new Set([...codes, ...documents, ...lines, ...(joined.match(UNNAMED) ?? [])])]
}

/** Sections that no page of this name has; without any section the name, if there is no such page. */
function deadSections(name: string, sections: string, pages: Pages): readonly string[] {
  const texts = [...pages].filter(([path]) => basename(path) === name).map(([, text]) => text)
  if (texts.length === 0) return [`${name}${sections}`]
  const numbers = [...sections.matchAll(new RegExp(SECTION, 'g'))].map(([, number]) => number!)
  const headings = texts.flatMap(headingsOf)
  return numbers.filter((one) => !headings.some((heading) => beginsWith(heading, one))).map((one) => `${name} ${one}`)
}

function headingsOf(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!)
}

/** Headings, and first cells of table rows. */
function startsOf(page: string): readonly string[] {
  return [...headingsOf(page), ...[...page.matchAll(/^\| ([^|]*) \|/gm)].map(([, cell]) => cell!)]
}

/** `3.2` begins `3.2 Kinds` and `3.2. Kinds`, but neither `3.20` nor `3.2b`. */
function beginsWith(text: string, start: string): boolean {
  const rest = text.toLowerCase().startsWith(start.toLowerCase()) ? text.slice(start.length) : undefined
  return rest !== undefined && /^(?:$|[^\w.]|\.(?:\s|$))/.test(rest)
}

function filesIn(folder: string): readonly string[] {
  if (!existsSync(join(ROOT, folder))) return []
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const pages: Pages = new Map(
  [...readdirSync(ROOT), ...['docs', 'bench', 'test'].flatMap(filesIn)]
    .filter((path) => path.endsWith('.md'))
    .map((path) => [path, textOf(path)]),
)
const citing = CITING_FOLDERS.flatMap(filesIn).filter((path) => path !== SELF && CITING_ENDINGS.includes(extname(path)))

test('every cited code and document exists', () => {
  const faults = citing.flatMap((path) => deadCitations(textOf(path), pages).map((citation) => `${path}: ${citation}`))
  expect(faults).toEqual([])
})

test('the search finds citations', () => {
  expect(citing.filter((path) => textOf(path).match(CODE)).length).toBeGreaterThan(100)
})

test('each code is explained once', () => {
  const cells = filesIn('docs')
    .filter((path) => path.endsWith('.md') && /^docs\/(?:design|decisions)\//.test(path))
    .flatMap((path) => startsOf(textOf(path)))
  const codes = cells.filter((cell) => /^(?:F-[A-Z]\d+|INV-[A-Z]\d+|R\d+|G\d+|D-\d\d|Law \d+)(?= |$)/.test(cell))
  const names = codes.map((cell) => /^(?:Law \d+|\S+)/.exec(cell)![0])
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
})

describe('a citation', () => {
  const world: Pages = new Map([
    [
      'docs/design/faults.md',
      '| F-A1 | a | b |\n#### INV-C: cases\n| R2 | c |\n### 2.A Lines\n| Law 7 | d |\n## 3.2 Kinds',
    ],
    ['docs/decisions/gaps.md', '## D-01 Paths'],
    ['bench/RESULTS.md', '| F-A2 | not in docs |'],
    ['test/acceptance/lines.md', '\n14. Something\n'],
  ])

  test.each([
    '/** F-A1, D-01; (R2), law 7, INV-C. */',
    '/** (faults.md 3.2, faults.md 2.A) */',
    ' * as measured (faults.md\n * 3.2).',
    '/** RESULTS.md; acceptance 14. */',
    'const file = "F-Ab"',
  ])('with a target is accepted: %s', (text) => {
    expect(deadCitations(text, world)).toEqual([])
  })

  test.each([
    ['/** F-A2. */', ['F-A2']],
    ['/** F-A11, INV-D9. */', ['F-A11', 'INV-D9']],
    ['/** (D-02; R9), law 8. */', ['D-02', 'R9', 'law 8']],
    ['/** (faults.md 3.2, 3.9) */', ['faults.md 3.9']],
    ['/** (gone.md 4) */', ['gone.md 4']],
    ['/** (gone.md) */', ['gone.md']],
    ['/** (Interface §4.2) */', ['Interface §4.2']],
    ['/** acceptance 15 */', ['acceptance 15']],
  ])('without a target is reported: %s', (text, dead) => {
    expect(deadCitations(text, world)).toEqual(dead)
  })
})
