import { expect, test } from 'vitest'
import { BANS, bannedLines, unfinished } from './bans.ts'
import { sourceFile } from './source-files.ts'

/** Of each ban: a path and a line that it catches, and a path at which it allows the same line. */
const PLANTED: Readonly<Record<keyof typeof BANS, readonly [string, string, string]>> = {
  'no clock of its own': ['src/dialer/a.ts', 'const now = Date.now()', 'src/kernel/clock.ts'],
  'no chance of its own': ['src/dialer/a.ts', 'const id = crypto.randomUUID()', 'src/main.ts'],
  'no reading of the environment': ['src/app/core.ts', 'const { PORT } = process.env', 'src/app/settings.ts'],
  'no sleep in a test': ['test/x/a.test.ts', 'await sleep(100)', 'src/x/a.ts'],
  'no word of the switch outside its room': ['src/engine/a.ts', "const app = 'Stasis'", 'src/ari/a.ts'],
  'no SQL outside the store': ['src/rest/a.ts', "const text = 'select id from calls'", 'src/store/a.ts'],
  'no printing from inside': ['src/engine/a.ts', "console.log('here')", 'src/cli/a.ts'],
  'no default export': ['src/x/a.ts', 'export default a', 'vitest.config.ts'],
  'no spread of a literal': ['src/x/a.ts', 'const a = { ...{ b, c } }', 'test/tidy/a.ts'],
  'no barrel': ['src/x/index.ts', "export * from './a.ts'", 'test/x/index.ts'],
  'no event emitter': ['src/x/a.ts', 'class A extends EventEmitter {}', 'test/x/a.ts'],
}

test.each(Object.entries(PLANTED))('there is %s: a planted one is caught in a forbidden place', (name, planted) => {
  const [wrong, line, right] = planted
  const files = [wrong, right].map((path) => sourceFile(path, `const a = 1\n${line}`))
  const ban = BANS[name as keyof typeof BANS]!
  expect(bannedLines(files, ban)).toEqual([`${wrong}:2 ${ban.remedy}`])
})

test('every ban has been planted', () => {
  expect(Object.keys(PLANTED)).toEqual(Object.keys(BANS))
})

test('a comment may name what code must not do', () => {
  const file = sourceFile('src/dialer/a.ts', '// Date.now() is for the kernel\n/* console.log(1) */')
  expect(Object.values(BANS).flatMap((ban) => bannedLines([file], ban))).toEqual([])
})

test('unfinished business is caught in comments', () => {
  const mark = ['TO', 'DO'].join('')
  expect(unfinished([sourceFile('src/x/a.ts', `a\n// ${mark}: later`)])).toEqual([expect.stringContaining(':2 do it')])
})
