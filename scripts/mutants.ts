/**
 * `npm run mutants -- --help`: plants one bug at a time in a copy of the tree, and lives days until a rule is broken.
 *
 * Bugs that no day can show, because another defence stands behind the broken one, are not here: a test of their
 * own room catches them (longest idle: `test/acd/logged-in-agents`; pauses: `test/acd/agent-session.machine`; fences:
 * `test/contract`; numbers that ring beside another: `test/worlds/campaign`; a doubt without a lease, which the next
 * lease settles: `test/engine/recovery/doubt`).
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { allMutants, type Mutant, plant } from '../test/mutants/apply.ts'
import type { Broken } from '../test/weeks/promises.ts'
import { developmentCommand, print, wholeNumber } from './command.ts'

/** What came of one mutant. */
interface Caught {
  readonly mutant: Mutant
  readonly seed: number | undefined
  readonly fault: string
}

const ROOT = join(import.meta.dirname, '..')
/** Installed or stored things, which no planted bug changes. */
const NOT_COPIED = ['node_modules', '.data', '.git']
const DESCRIPTION = `Plants one bug at a time (test/mutants/*.patch) in a copy of the tree, and lives days until a
rule is broken. Ends with 1 when a bug gets through, or a patch does not fit.`

const program = developmentCommand('mutants', DESCRIPTION)
  .argument('[names...]', 'bugs; all when none is named')
  .option('--seeds <count>', 'days that each may live', wholeNumber, 200)
  .parse()
const values = program.opts<{ seeds: number }>()

const waiting = allMutants().filter(({ name }) => program.args.length === 0 || program.args.includes(name))
const done: Caught[] = []
const hands = Array.from({ length: Math.min(2, availableParallelism()) }, async () => {
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const caught = await hunt(mutant)
    done.push(caught)
    const where = caught.seed === undefined ? 'NOT CAUGHT' : `seed ${caught.seed}`
    print(`${mutant.name.padEnd(32)} ${where.padEnd(12)} ${caught.fault}`)
  }
})
await Promise.all(hands)
const free = done.filter(({ seed }) => seed === undefined)
print(`${done.length - free.length} of ${done.length} planted bugs were caught within ${values.seeds} days`)
for (const { mutant } of free) print(`not caught: ${mutant.name}: ${mutant.what}`)
process.exitCode = free.length === 0 && done.length > 0 ? 0 : 1

/** Lives days with the bug until one is wrong. */
async function hunt(mutant: Mutant): Promise<Caught> {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-mutant-'))
  try {
    const names = readdirSync(ROOT).filter((name) => !NOT_COPIED.includes(name))
    for (const name of names) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    plant(mutant, folder)
    return { mutant, ...(await caughtBy(folder, mutant)) }
  } catch (error) {
    return { mutant, seed: undefined, fault: error instanceof Error ? error.message : String(error) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Bugs whose names begin with `weeks-` show in weeks, all others in days. */
async function caughtBy(folder: string, { name }: Mutant): Promise<Pick<Caught, 'seed' | 'fault'>> {
  const isOfWeeks = name.startsWith('weeks-')
  const told = await run(folder, isOfWeeks ? ['weeks.ts', '--json'] : ['worlds.ts'])
  const last = told.trim().split('\n').at(-1) ?? ''
  if (isOfWeeks) {
    const lines = told.split('\n').filter((line) => line.startsWith('{"promise"'))
    const broken = lines.map((line) => JSON.parse(line) as Broken)[0]
    return { seed: broken?.seed, fault: (broken ? `${broken.promise}: ${broken.fault}` : last).slice(0, 110) }
  }
  const seed = /^seed (\d+):/m.exec(told)?.[1]
  const fault = /^ {2}(.*)/m.exec(told)?.[1] ?? last
  return { seed: seed === undefined ? undefined : Number(seed), fault: fault.slice(0, 110) }
}

function run(folder: string, [script, ...options]: readonly string[]): Promise<string> {
  const often = ['--seeds', String(values.seeds), '--workers', '1', '--first']
  const args = [join(folder, 'scripts', script!), ...options, ...often]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let told = ''
  child.stdout.on('data', (text) => {
    told += String(text)
  })
  child.stderr.on('data', (text) => {
    told += String(text)
  })
  return new Promise((resolve) => child.on('close', () => resolve(told)))
}
