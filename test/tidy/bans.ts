/** What must not stand in the code of some files. */
import { isSrc, placesOf, type SourceFile } from './source-files.ts'

/** Something that must not stand in the code of some files. */
export interface Ban {
  readonly what: RegExp
  readonly where: (path: string) => boolean
  readonly remedy: string
}

/** The only readers of real time, real chance and the environment. */
const OUTER_SKIN = /^src\/(kernel\/|main\.ts|app\/settings\.ts|cli\/switchboard\.ts|console\/stream\/browser-clock\.ts)/

/** The rules themselves name their patterns. */
const isTest = (path: string) => path.startsWith('test/') && !path.startsWith('test/tidy/')

/** Each ban by its name, as a reader says it: there is … */
export const BANS: Readonly<Record<string, Ban>> = {
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
    where: (path) => isSrc(path) && !path.startsWith('src/ari/'),
    remedy: 'say leg, call or bridge, and translate in src/ari',
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
  'no spread of a literal': {
    what: /\.\.\.\{/,
    where: (path) => !path.startsWith('test/tidy/'),
    remedy: 'write its properties where they belong',
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

/** Lines that a ban forbids. */
export function bannedLines(files: readonly SourceFile[], { what, where, remedy }: Ban): string[] {
  return files
    .filter(({ path }) => where(path))
    .flatMap(({ path, code }) => placesOf(code, (line) => what.test(line)).map((line) => `${path}:${line} ${remedy}`))
}

/** Comments and texts that put something off. */
export function unfinished(files: readonly SourceFile[]): string[] {
  const mark = /\b(TODO|FIXME|XXX)\b/
  return files
    .filter(({ path }) => !path.startsWith('test/tidy/'))
    .flatMap(({ path, lines }) =>
      placesOf(lines, (line) => mark.test(line)).map((line) => `${path}:${line} do it, or open an issue`),
    )
}
