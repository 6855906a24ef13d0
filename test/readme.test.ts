import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { seatMachine } from '../src/acd/agent-session.machine.ts'
import { settingsTable } from '../src/app/settings.ts'
import { attemptMachine } from '../src/dialer/attempt.machine.ts'
import { campaignSettings } from '../src/dialer/campaign-settings.ts'
import { REASONS } from '../src/dialer/may-dial-now.ts'
import { STEP_KIND_NAMES } from '../src/flow/model/kinds.ts'
import { OrderIn } from '../src/rest/agents/agent-schema.ts'
import { ATTEMPT_RESULTS } from '../src/rest/dialer/call-attempt-schema.ts'

const root = join(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter(isPage)
    .map((name) => `docs/${name}`),
]
const readme = textOf('README.md')
const dialing = textOf('docs/dialing.md')

test('the README lists every setting as the schema has it', () => {
  expect(readme).toContain(settingsTable())
})

test('the README names every kind of step there is', () => {
  const listed = /Steps so far: ([^.]*)\./
    .exec(readme)?.[1]
    ?.match(/`(\w+)`/g)
    ?.map((name) => name.slice(1, -1))
  expect(listed).toEqual([...STEP_KIND_NAMES])
})

test('the README points to more than a page', () => {
  expect(readme.match(/\]\((?!https?:)/g)?.length).toBeGreaterThan(50)
})

test('the README says how many rules must be proved before anybody is dialed', () => {
  expect(readme).toContain(`Each of ${Object.keys(REASONS).length} rules`)
})

describe.each(pages)('%s', (page) => {
  const text = textOf(page)

  test('every file, folder and heading that it points to is there', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link]) => link!)
    expect(links.filter((link) => !isThere(page, link))).toEqual([])
  })

  test('every path that it names in passing is there', () => {
    expect(pathsIn(text).filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('every file that it names beside a linked one is there', () => {
    const faults = text.split('\n').flatMap((line) => {
      const folders = [...line.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link]) => folderOf(page, link!))
      const names = [...line.matchAll(/`([a-z][\w.-]*\.ts)`/g)].map(([, name]) => name!)
      return names.filter((name) => !folders.some((folder) => existsSync(join(root, folder, name))))
    })
    expect(faults).toEqual([])
  })

  test('every npm command that it shows is there', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    const shown = [...text.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name]) => name!)
    expect(shown.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  test('every rule that it numbers is held by a test', () => {
    const held = new Set(testsText().match(/INV-[A-Z]\d+/g))
    expect((text.match(/INV-[A-Z]\d+/g) ?? []).filter((rule) => !held.has(rule))).toEqual([])
  })
})

describe('the page about dialing', () => {
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
  ['docs/attempt.svg', attemptMachine.config],
  ['docs/agent.svg', seatMachine.config],
])('%s shows every state of its machine', (picture, machine) => {
  const words = new Set(textOf(picture).match(/\w+/g))
  expect(statesOf(machine).filter((state) => !words.has(state))).toEqual([])
})

interface States {
  readonly states?: Readonly<Record<string, object>> | undefined
}

/** All names, of states within states as well. `in` only holds the three regions together. */
function statesOf({ states = {} }: States): string[] {
  return Object.entries(states).flatMap(([name, state]) => [...(name === 'in' ? [] : [name]), ...statesOf(state)])
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
  return [...prose.matchAll(/(?<![\w/.-])((?:src|test|asterisk|bench|scripts|flows|docs)\/[\w./-]*\w\.\w+)/g)].map(
    ([, path]) => path!,
  )
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
