/** The house rules that a reader should never have to check: who may import whom, sizes, time and chance, docs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

/** Room → rooms it may import besides itself. Arrows go up this list only (architecture-laws.md 4). */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  ports: ['kernel'],
  calls: ['kernel', 'ports'],
  flow: ['kernel', 'ports', 'calls'],
  dialer: ['kernel', 'ports', 'calls'],
  // Runs the dialer's own rules on days of virtual time.
  simulate: ['kernel', 'ports', 'calls', 'dialer'],
  cases: ['kernel', 'ports'],
  setup: ['kernel', 'calls'],
  webhooks: ['kernel', 'ports', 'calls'],
  engine: ['kernel', 'ports', 'calls', 'flow', 'dialer', 'webhooks', 'setup'],
  asterisk: ['kernel', 'ports'],
  // What an email says is read with the words in which threads are told; forecasts are simulated days.
  services: ['kernel', 'ports', 'setup', 'cases', 'simulate'],
  // The rules of cases are kept within the transaction that holds the case: nowhere else can they be judged.
  store: ['kernel', 'ports', 'cases'],
  live: ['kernel', 'ports'],
  rest: ['kernel', 'ports', 'calls', 'cases', 'dialer', 'webhooks', 'setup'],
  sim: ['kernel', 'ports', 'setup', 'calls', 'flow', 'webhooks'],
  config: ['kernel'],
  // Runs without the rest: pure parts alone, and the signatures of webhooks, which both sides must make alike.
  client: ['kernel', 'webhooks'],
  // Where everything is joined.
  cli: ['*'],
  demo: ['*'],
  'pid-file': [],
  desired: ['*'],
  service: ['*'],
  'service-asterisk': ['*'],
  'service-records': ['*'],
  core: ['*'],
  'core-transcripts': ['*'],
  'core-mail': ['*'],
  memory: ['*'],
  main: ['*'],
  // The kit at the top level installs and configures Asterisk; it runs without the service.
  '/asterisk': ['kernel', 'setup', 'calls'],
  '/bench': ['*'],
  '/scripts': ['*'],
  '/test': ['*'],
}

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['src', 'test', 'asterisk', 'bench', 'scripts'].filter((folder) => existsSync(join(ROOT, folder)))
const LINES_MAX = 400
const FUNCTION_LINES_MAX = 60
const COLUMNS_MAX = 120
const GENERATED = ['src/ari/ari-types.ts', 'src/client/operations.ts']
/** The only readers of real time, real chance and the environment. */
const OUTER_SKIN = /^src\/(kernel\/|main\.ts|config\.ts|cli\/switchboard\.ts)/

interface SourceFile {
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
  /** The same lines with comments blanked out. */
  readonly code: readonly string[]
}

const files = FOLDERS.flatMap(sourcesIn).filter(({ path }) => !GENERATED.includes(path))

/** Something that must not stand in the code of some files. */
interface Ban {
  readonly what: RegExp
  readonly where: (path: string) => boolean
  readonly remedy: string
}

const isSrc = (path: string) => path.startsWith('src/')
const isTest = (path: string) => path.startsWith('test/') && path !== 'test/tidy.test.ts'

const BANS: Readonly<Record<string, Ban>> = {
  'no clock of its own': {
    what: /\bDate\.now\b|\bnew Date\(\)|\bset(Timeout|Interval|Immediate)\(|\bperformance\.now\b|timers\/promises/,
    where: (path) => isSrc(path) && !OUTER_SKIN.test(path),
    remedy: 'take a Clock (src/kernel/clock.ts) as a parameter',
  },
  'no chance of its own': {
    what: /\bMath\.random\b|\brandomUUID\b/,
    where: (path) => isSrc(path) && !OUTER_SKIN.test(path),
    remedy: 'take a Random (src/kernel/random.ts) as a parameter',
  },
  'no reading of the environment': {
    what: /\bprocess\.env\b/,
    where: (path) => isSrc(path) && !OUTER_SKIN.test(path),
    remedy: 'add a setting to src/app/settings.ts and pass its value in',
  },
  'no sleep in a test': {
    what: /\bset(Timeout|Interval)\(|timers\/promises|\b(sleep|delay)\(/,
    where: isTest,
    remedy: 'wait for the fact itself: a promise or an event, or run a VirtualClock',
  },
  'no word of the switch outside its room': {
    what: /\b(Stasis|PJSIP|chan_pjsip)/,
    where: (path) => isSrc(path) && !path.startsWith('src/asterisk/'),
    remedy: 'say leg, call or bridge, and translate in src/asterisk',
  },
  'no SQL outside the store': {
    what: /\b(select .+ from|insert into|delete from|update \w+ set|create table) /i,
    where: (path) => isSrc(path) && !path.startsWith('src/store/'),
    remedy: 'ask a port (src/ports), and write the statement in src/store',
  },
  'no printing from inside': {
    what: /\bconsole\.\w+\(/,
    where: (path) => isSrc(path) && !/^src\/(cli\/|main\.ts)/.test(path),
    remedy: 'take a Log (src/kernel/log.ts) as a parameter',
  },
  'no default export': {
    what: /^export default\b|\bexport \{[^}]*\bas default\b/,
    where: (path) => path !== 'vitest.config.ts',
    remedy: 'export it by name',
  },
  'no barrel': {
    what: /^export (\*|(type )?\{[^}]*\}) from\b/,
    where: isSrc,
    remedy: 'let everybody import from the file that makes it',
  },
  'no event emitter': {
    what: /\bEventEmitter\b/,
    where: isSrc,
    remedy: 'take one listener as a parameter',
  },
}

for (const [name, { what, where, remedy }] of Object.entries(BANS)) {
  test(`there is ${name}`, () => {
    const faults = files
      .filter(({ path }) => where(path))
      .flatMap(({ path, code }) => placesOf(code, (line) => what.test(line)).map((line) => `${path}:${line} ${remedy}`))
    expect(faults).toEqual([])
  })
}

test('there is no unfinished business in a comment', () => {
  const mark = /\b(TODO|FIXME|XXX)\b/
  const faults = files
    .filter(({ path }) => path !== 'test/tidy.test.ts')
    .flatMap(({ path, lines }) =>
      placesOf(lines, (line) => mark.test(line)).map((line) => `${path}:${line} do it, or open an issue`),
    )
  expect(faults).toEqual([])
})

test('every import follows the arrows of the house', () => {
  const faults = files.flatMap(({ path, code }) =>
    code.flatMap((line, index) => {
      const imported = /(?:\bfrom|\bimport\(?)\s*['"](\.[^'"]+)['"]/.exec(line)?.[1]
      if (!imported) return []
      const [from, to] = [roomOf(path), roomOf(join(dirname(path), imported))]
      const allowed = MAY_IMPORT[from]
      const place = `${path}:${index + 1}`
      if (!allowed) return [`${place} ${from} is no room of the house; give it arrows in test/tidy.test.ts`]
      if (from === to || allowed.includes(to) || allowed.includes('*')) return []
      return [`${place} ${from} must not import ${to}; move what they share up, or pass it in`]
    }),
  )
  expect(faults).toEqual([])
})

test('nothing of the service imports tests, benchmarks or scripts', () => {
  const outside = /['"](\.\.\/)+(test|bench|scripts)\//
  const faults = files
    .filter(({ path }) => isSrc(path))
    .flatMap(({ path, code }) =>
      placesOf(code, (line) => outside.test(line)).map((line) => `${path}:${line} move it into src`),
    )
  expect(faults).toEqual([])
})

test(`no file is longer than ${LINES_MAX} lines`, () => {
  const faults = files
    .filter(({ lines }) => lines.length > LINES_MAX)
    .map(({ path, lines }) => `${path}:${LINES_MAX} has ${lines.length} lines; split it at its second idea`)
  expect(faults).toEqual([])
})

test(`no line is longer than ${COLUMNS_MAX} columns`, () => {
  const faults = files.flatMap(({ path, lines }) =>
    placesOf(lines, (line) => line.length > COLUMNS_MAX).map((line) => `${path}:${line} break the line`),
  )
  expect(faults).toEqual([])
})

test(`no function is longer than ${FUNCTION_LINES_MAX} lines`, () => {
  const faults = files.filter(({ path }) => !path.startsWith('test/')).flatMap(longFunctions)
  expect(faults).toEqual([])
})

test('everything that is exported says what it is', () => {
  const faults = files.filter(({ path }) => isSrc(path)).flatMap(undocumented)
  expect(faults).toEqual([])
})

/** The formatter puts the end of a function at the indentation of its beginning: that is how long it is. */
function longFunctions({ path, code }: SourceFile): string[] {
  const begins = [
    /^(\s*)(?:export )?(?:async )?function\b/,
    /^(\s*)(?:export )?const \w+ = (?:async )?\(.*=> \{$/,
    /^(\s*)(?:static |async |get )*#?\w+(?:<.*>)?\(.*\).* \{$/,
  ]
  const isStatement = /^\s*(if|for|while|switch|return|expect|test|describe|else)\b/
  return code.flatMap((line, index) => {
    const indentation = begins.map((begin) => begin.exec(line)?.[1]).find((found) => found !== undefined)
    if (indentation === undefined || isStatement.test(line)) return []
    const length = code.slice(index).findIndex((later, offset) => offset > 0 && later.startsWith(`${indentation}}`)) + 1
    const isLong = length > FUNCTION_LINES_MAX
    return isLong ? [`${path}:${index + 1} this function has ${length} lines; name its parts`] : []
  })
}

/** A docstring stands right above. A brand says all in its own name. */
function undocumented({ path, lines }: SourceFile): string[] {
  const declares = /^export (async )?(abstract )?(function|const|let|class|interface|type)\b/
  return placesOf(lines, (line, index) => {
    const isBrand = /^export type \w+ = Branded</.test(line)
    return declares.test(line) && !isBrand && !lines[index - 1]?.trimEnd().endsWith('*/')
  }).map((line) => `${path}:${line} say above what it is: units, errors, source`)
}

/** Line numbers, as editors count. */
function placesOf(lines: readonly string[], isFault: (line: string, index: number) => boolean): number[] {
  return lines.flatMap((line, index) => (isFault(line, index) ? [index + 1] : []))
}

/** `src/flow/steps/x.ts` → flow; `src/main.ts` → main; `bench/run.ts` → /bench. */
function roomOf(path: string): string {
  const [top = '', room = ''] = path.split('/')
  return top === 'src' ? room.replace(/\.ts$/, '') : `/${top}`
}

function sourcesIn(folder: string): SourceFile[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => {
      const path = relative(ROOT, join(ROOT, folder, name))
      const text = readFileSync(join(ROOT, path), 'utf8')
      return { path, text, lines: linesOf(text), code: linesOf(withoutComments(text)) }
    })
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}

/** Good enough for our own code: strings are passed over, so that `//` inside an address stays. */
function withoutComments(text: string): string {
  const tokens = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g
  return text.replace(tokens, (token) => (token.startsWith('/') ? token.replace(/[^\n]/g, '') : token))
}
