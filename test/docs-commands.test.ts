/** Every command on a page can be run: its script, files and options exist. Cheap commands are run. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { terminalPicture } from '../scripts/terminal-picture.ts'

const root = join(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> }
const PAGES = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const PROJECTS = ['unit', 'real', 'browser', 'sound']
/** A busy machine takes a while to load them all. */
/** Development commands that print their options without doing anything. */
const HELPFUL = [
  'acceptance',
  'bench',
  'chaos',
  'desk-proof',
  'desk-soak',
  'ledger-proof',
  'malformed',
  'mutants',
  'restore-drill',
  'weeks',
  'worlds',
]

const commandsOf = (text: string) =>
  [...text.matchAll(/\b(?:npm (?:run|test)|npx) [^\n`#|]*/g)].map(([found]) => found.trim())
const shown = PAGES.flatMap((page) => commandsOf(textOf(page)).map((command) => [page, command] as const))
const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: root })

test('the pages show commands of every kind', () => {
  for (const kind of ['npx vitest run', 'npm run switchboard --', 'npm run worlds']) {
    expect(shown.filter(([, command]) => command.startsWith(kind)).length, kind).toBeGreaterThan(1)
  }
})

test.each(shown)('%s: %s', (_, command) => {
  const words = command.split(/\s+/)
  if (words[0] === 'npx') return expect(faultsOfNpx(words.slice(1))).toEqual([])
  const script = words[1] === 'test' ? 'test' : words.slice(2).find((word) => !word.startsWith('-'))
  expect(Object.keys(scripts)).toContain(script)
})

/** Options that the pages show for a command, each once. */
const optionsOf = (script: string) => {
  const uses = shown.filter(([, command]) => new RegExp(`^npm run (-s )?${script} --`).test(command))
  return new Set(uses.flatMap(([, command]) => command.split(/\s+/).filter((word) => /^--\w/.test(word))))
}

test('development commands print their help, and know the options on the pages', async () => {
  const faults = await Promise.all(
    HELPFUL.map(async (script) => {
      const { stdout: help } = await run(/ (\S+\.ts)/.exec(scripts[script]!)![1]!, '--help')
      const unknown = [...optionsOf(script)].filter((option) => !help.includes(option))
      return help.includes('Usage:') ? unknown.map((option) => `${script} ${option}`) : [`${script} has no help`]
    }),
  )
  expect(faults.flat()).toEqual([])
})

test('the switchboard command has the verbs and options on the pages', () => {
  const program = textOf('src/cli/switchboard.ts') + textOf('src/cli/operate/installation-commands.ts')
  const uses = shown.flatMap(([, command]) => /^npm run (?:-s )?switchboard -- (\w.*)/.exec(command)?.[1] ?? [])
  const verbs = uses.flatMap((use) => /^[a-z]+(?: [a-z]+(?= |$))?/.exec(use)?.[0].split(' ') ?? [])
  expect(uses.length).toBeGreaterThan(10)
  expect(verbs.filter((verb) => !program.includes(`.command('${verb}')`))).toEqual([])
  expect([...optionsOf('switchboard')].filter((option) => !new RegExp(`ption\\('${option}`).test(program))).toEqual([])
})

test('npm run switchboard -- flow check finds nothing in the shipped flows', async () => {
  await expect(run('src/cli/switchboard.ts', 'flow', 'check')).resolves.toBeDefined()
})

describe('code of CONTRIBUTING.md', () => {
  const steps = [...textOf('CONTRIBUTING.md').matchAll(/`([\w/.-]+\.ts)` \(new\)[^`]*?```ts\n(.*?)```/gs)]

  test.each(steps.map(([, path, code]) => [path!, code!] as const))('%s imports what is there', (path, code) => {
    const isNew = new Set(steps.map(([, of]) => of))
    const faults = [...code.matchAll(/import (?:type )?\{([^}]*)\} from '(\.[^']+)'/g)].flatMap(([, names, from]) => {
      const file = join(dirname(path), from!)
      if (isNew.has(file)) return []
      if (!existsSync(join(root, file))) return [`${file} is not there`]
      const text = textOf(file)
      const wanted = names!.split(',').map((name) => name.trim().replace(/^type /, ''))
      return wanted
        .filter(
          (name) =>
            !new RegExp(`^export (?:async )?(?:function|const|class|interface|type) ${name}\\b`, 'm').test(text),
        )
        .map((name) => `${file} does not export ${name}`)
    })
    expect(faults).toEqual([])
  })
})

test('the picture of the demo is drawn from its text (npm run generate:demo-picture)', () => {
  expect(textOf('docs/pictures/demo.svg')).toBe(terminalPicture(textOf('docs/pictures/demo.txt')))
})

/** `vitest run FILES… --project NAME`, `tsc`, `biome`: the program, the files and the project exist. */
function faultsOfNpx([program = '', ...args]: readonly string[]): string[] {
  const project = args[args.indexOf('--project') + 1]
  const paths = args.filter((word) => /^(src|test|bench|scripts|docs)\//.test(word))
  return [
    ...(existsSync(join(root, 'node_modules/.bin', program)) ? [] : [`${program} is not installed`]),
    ...(program === 'vitest' && !PROJECTS.includes(project ?? '') ? [`${project} is no project`] : []),
    ...paths.filter((path) => !existsSync(join(root, path)) && !isNew(path)).map((path) => `${path} is not there`),
  ]
}

/** Files that a page tells its reader to make. */
function isNew(path: string): boolean {
  return PAGES.some((page) => textOf(page).includes(`\`${path}\` (new)`))
}
