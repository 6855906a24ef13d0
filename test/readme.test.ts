import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withDiagram } from '../scripts/machine-diagram.ts'
import { agentSessionMachine } from '../src/acd/agent-session.machine.ts'
import { settingsTable } from '../src/app/settings.ts'
import { STATUS_RULES } from '../src/cases/case-status.ts'
import { attemptMachine } from '../src/dialer/attempt.machine.ts'
import { campaignSettings } from '../src/dialer/campaign-settings.ts'
import { REASONS } from '../src/dialer/may-dial-now.ts'
import { STEP_KIND_NAMES, STEP_KINDS } from '../src/flow/model/kinds.ts'
import { OrderIn } from '../src/rest/agents/agent-schema.ts'
import { ATTEMPT_RESULTS } from '../src/rest/dialer/call-attempt-schema.ts'

const root = join(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
/** The pages at the top level, and all under docs/. */
const pages = [
  ...readdirSync(root).filter(isPage),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(isPage)
    .map((name) => `docs/${name}`),
]
const readme = textOf('README.md')
const flows = textOf('docs/flows.md')
const dialing = textOf('docs/dialing.md')
const README_BYTES_MAX = 12_288
const RENAMED = 'docs/decisions/renamed-files.md'

describe('the README', () => {
  test(`has at most ${README_BYTES_MAX} bytes`, () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(README_BYTES_MAX)
  })

  test('leads to every page under docs/ in two steps at most', () => {
    const near = linkedFrom('README.md')
    const reached = new Set(['README.md', ...near, ...near.filter(isPage).flatMap(linkedFrom)])
    expect(pages.filter((page) => !reached.has(page))).toEqual([])
  })
})

test('the page about the configuration lists every setting as the schema has it', () => {
  expect(textOf('docs/configuration.md')).toContain(settingsTable())
})

describe('the page about flows', () => {
  test('names every kind of step there is', () => {
    const listed = /Steps so far: ([^.]*)\./
      .exec(flows)?.[1]
      ?.match(/`(\w+)`/g)
      ?.map((name) => name.slice(1, -1))
    expect(listed).toEqual([...STEP_KIND_NAMES])
  })

  test('names every failure of every kind', () => {
    const rows = new Map(
      [...flows.matchAll(/^\| `(\w+)` \|.*\| ([^|]*) \|$/gm)].map(([, kind, ends]) => [kind, namesIn(ends!)]),
    )
    for (const kind of STEP_KIND_NAMES) expect(rows.get(kind), kind).toEqual(STEP_KINDS[kind].ends)
  })
})

test('the table of places points to more than a page', () => {
  expect(textOf('docs/architecture.md').match(/\]\((?!https?:)/g)?.length).toBeGreaterThan(50)
})

test('the page about cases shows every status, in the picture and in the table', () => {
  const [, picture = '', table = ''] = textOf('docs/cases.md').split('```')
  const names = Object.values(STATUS_RULES).map(({ name }) => name)
  expect(names.filter((name) => !picture.includes(`"${name}"`) || !table.includes(`| ${name} |`))).toEqual([])
})

describe('decisions', () => {
  const homes = pages.filter((page) => /^docs\/decisions\/(?!README|renamed|contract)/.test(page))

  test.each(homes)('%s numbers each of them, and gives its reason and date', (page) => {
    const [, ...entries] = textOf(page).split(/^## /m)
    const name = basename(page, '.md')
    const numbers = entries.map((entry) => entry.split(' ')[0])
    expect(numbers).toEqual(entries.map((_, index) => `${name}-${String(index + 1).padStart(2, '0')}`))
    const form = /^\S+ .+\n\n\*\*Decision:\*\* .+\n\n\*\*Reason:\*\* .+\n\n\*\*Date:\*\* \d{4}-\d\d-\d\d\n/
    expect(entries.filter((entry) => !form.test(entry))).toEqual([])
    expect(textOf('docs/decisions/README.md')).toContain(`| [${name}](${name}.md) | ${entries.length} |`)
  })

  test('are found nowhere else', () => {
    const table = /^\|[^|]*\|\s*Decision\s*\|\s*Reason\s*\|$|^\*\*Decision:\*\*/m
    expect(pages.filter((page) => !homes.includes(page) && table.test(textOf(page)))).toEqual([])
  })
})

describe.each(pages)('%s', (page) => {
  const text = textOf(page)

  test('every file, folder and heading that it points to is there', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link]) => link!)
    expect(links.filter((link) => !isThere(page, link))).toEqual([])
  })

  test('every path that it names in passing is there', () => {
    // One page exists for paths that are there no more: the first column of its table.
    const today = page === RENAMED ? text.replaceAll(/^\| `[^`]+` \|/gm, '|') : text
    expect(pathsIn(today).filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('every file that it names beside a linked one is there', () => {
    const faults = text.split('\n').flatMap((line) => {
      const folders = [...line.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link]) => folderOf(page, link!))
      const names = [...line.matchAll(/`([a-z][\w.-]*\.ts)`/g)].map(([, name]) => name!)
      return names.filter((name) => !folders.some((folder) => existsSync(join(root, folder, name))))
    })
    expect(faults).toEqual([])
  })
})

/** The catalogue under docs/design/ defines the numbers; the other pages promise what they number. */
test.each(pages.filter((page) => !page.startsWith('docs/design/')))(
  'every rule that %s numbers is held by a test',
  (page) => {
    const held = new Set(testsText().match(/INV-[A-Z]\d+/g))
    expect((textOf(page).match(/INV-[A-Z]\d+/g) ?? []).filter((rule) => !held.has(rule))).toEqual([])
  },
)

describe('the page about dialing', () => {
  test('says how many rules must be proved before a number is dialed', () => {
    expect(dialing).toContain(`Each of ${Object.keys(REASONS).length} rules`)
  })

  test('tells every reason for which a call is not placed, in the words of the gate', () => {
    const rows = Object.entries(REASONS).map(([reason, why]) => `| \`${reason}\` | ${why} |`)
    expect(dialing).toContain(rows.join('\n'))
  })

  test('tells every result by its code and name', () => {
    for (const [code, name] of Object.values(ATTEMPT_RESULTS)) expect(dialing).toContain(`| ${code} | \`${name}\` |`)
  })

  test('tells every setting of a campaign', () => {
    for (const name of Object.keys(campaignSettings.properties)) expect(dialing).toContain(`\n| \`${name}\` |`)
  })
})

test('the page about integrating tells every order of an agent', () => {
  const orders = OrderIn.anyOf.map(({ properties }) => properties.type.const)
  expect(orders.filter((order) => !textOf('docs/integrating.md').includes(`\`${order}\``))).toEqual([])
})

test.each([
  ['docs/pictures/attempt.svg', attemptMachine.config],
  ['docs/pictures/agent.svg', agentSessionMachine.config],
])('%s shows every state of its machine', (picture, machine) => {
  const words = new Set(textOf(picture).match(/\w+/g))
  expect(statesOf(machine).filter((state) => !words.has(state))).toEqual([])
})

test('the diagrams of machines are drawn from the machines; npm run generate:diagrams draws them', () => {
  expect(textOf('docs/dialing.md')).toBe(withDiagram(textOf('docs/dialing.md')))
})

interface States {
  readonly states?: Readonly<Record<string, object>> | undefined
}

/** All names, of states within states as well. `in` only holds the three regions together. */
function statesOf({ states = {} }: States): string[] {
  return Object.entries(states).flatMap(([name, state]) => [...(name === 'in' ? [] : [name]), ...statesOf(state)])
}

/** Pages and files of this repository that a page links to. */
function linkedFrom(page: string): string[] {
  const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link!)
  return links.map((link) => normalize(join(dirname(page), link)))
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
}

function isPage(name: string): boolean {
  return name.endsWith('.md')
}

/** `dialing.md#results`: the file, and a heading whose anchor this is as GitHub makes it. */
function isThere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, file))) return false
  return anchor === undefined || headingsOf(file).includes(anchor)
}

function headingsOf(file: string): string[] {
  const headings = [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Paths of this repository outside of examples; those of an installation (`DATA_DIR/…`) begin otherwise. */
function pathsIn(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '')
  const paths = [
    ...prose.matchAll(/(?<![\w/.-])((?:src|test|asterisk|bench|demo|scripts|flows|docs)\/[\w./-]*\w\.\w+)/g),
  ]
  // Files that a page tells its reader to make.
  return paths.map(([, path]) => path!).filter((path) => !text.includes(`\`${path}\` (new)`))
}

function folderOf(page: string, link: string): string {
  const path = join(dirname(page), link)
  return /\.\w+$/.test(path) ? dirname(path) : path
}

function testsText(): string {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts') && file !== 'readme.test.ts')
    .map((file) => textOf(`test/${file}`))
    .join('\n')
}
