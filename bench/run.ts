/**
 * `npm run bench -- NAME`: measures what the project promises, and writes it down. Started as
 * `npx node --cpu-prof --cpu-prof-dir=DIRECTORY bench/run.ts NAME`, every measured process leaves a profile as well.
 */
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'
import { readSettings } from '../src/app/settings.ts'
import { answers } from './answers.ts'
import { authoring } from './authoring/authoring.ts'
import type { Benchmark, Kit, Plan } from './benchmark.ts'
import { blended } from './blended.ts'
import { board } from './board/board.ts'
import { boards } from './board/boards.ts'
import { hour } from './board/hour.ts'
import { calls } from './calls.ts'
import { cases } from './cases/cases.ts'
import { readers } from './cases/readers.ts'
import { words } from './cases/words.ts'
import { claim } from './claim.ts'
import { desk } from './desk/agent-page.ts'
import { detection } from './detection/detection.ts'
import { dial } from './dial.ts'
import { events } from './events.ts'
import { flows } from './flows.ts'
import { imports } from './import.ts'
import { keys } from './keys.ts'
import { mails } from './mails.ts'
import { mixing } from './mixing/mixing.ts'
import { pacing } from './pacing.ts'
import { reads } from './reads.ts'
import { barLines, fileSection } from './report.ts'
import { restart } from './restart.ts'
import { search } from './search.ts'
import { waiting } from './waiting.ts'

const BENCHMARKS: readonly Benchmark[] = [
  calls,
  keys,
  waiting,
  flows,
  authoring,
  events,
  imports,
  search,
  claim,
  reads,
  cases,
  answers,
  dial,
  restart,
  pacing,
  blended,
  detection,
  mails,
  words,
  readers,
  board,
  boards,
  hour,
  desk,
  mixing,
]
const NAMES = BENCHMARKS.map(({ name }) => name)
const RESULTS = fileURLToPath(new URL('RESULTS.md', import.meta.url))

const dataDir = resolve(readSettings(process.env).settings?.dataDir ?? '.data')
const write = (line: string) => void process.stdout.write(`${line}\n`)

type Given = Partial<Plan> & { tree: string; clips?: string; speech?: number; pause?: number }

const program = new Command('npm run bench --')
  .description(`Measures what the project promises and writes it into bench/RESULTS.md.\n\n${descriptions()}`)
  .argument('<name>', `${NAMES.join(', ')}, or all`)
  .option('--rate <calls>', 'new calls per second', positive)
  .option('--seconds <seconds>', 'length of one round', positive)
  .option('--rounds <count>', 'rounds', positive)
  .option('--callers <count>', 'callers', positive)
  .option('--clients <count>', 'clients at once', positive)
  .option('--seed <number>', 'another one is another run', positive)
  .option('--days <count>', 'virtual days of each run, at the most', positive)
  .option('--speech <ms>', 'a person says no more than this without a pause', positive)
  .option('--pause <ms>', 'so much silence after speech is a pause', positive)
  .option('--clips <directory>', 'your own greetings: WAV files in its folders person and machine')
  .option('--tree <directory>', 'an Asterisk that is installed already', join(dataDir, 'asterisk'))
  .showHelpAfterError()
  .action(async (name: string, { tree, clips, speech = 0, pause = 0, ...rest }: Given) => {
    const given = { ...rest, speechMs: speech, pauseMs: pause }
    const chosen = BENCHMARKS.filter((benchmark) => name === 'all' || name === benchmark.name)
    if (chosen.length === 0) program.error(`there is no benchmark ${name}; choose one of ${NAMES.join(', ')}, all`)
    for (const benchmark of chosen)
      await measure(benchmark, given, {
        treeDirectory: resolve(tree),
        ...(clips && { clipsDirectory: resolve(clips) }),
      })
  })
await program.parseAsync()

type Places = Omit<Kit, 'directory' | 'onLine'>

async function measure(benchmark: Benchmark, given: Partial<Plan>, places: Places): Promise<void> {
  const { name, defaults } = benchmark
  const nothing = { rate: 0, seconds: 0, rounds: 1, callers: 0, clients: 0, days: 0, speechMs: 0, pauseMs: 0, seed: 1 }
  const plan = { ...nothing, ...defaults, ...given }
  const kit = { directory: join(dataDir, 'bench', name), ...places, onLine: write }
  const result = await benchmark.run(plan, kit)
  const isTrial = (Object.keys(defaults) as (keyof Plan)[]).some((knob) => plan[knob] < defaults[knob]!)
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ')
  fileSection(RESULTS, { benchmark, result, command, isTrial }, NAMES)
  for (const line of barLines(result)) write(`${name}: ${line}`)
  if (isTrial) write(`${name}: a short trial; leave the options away for figures that count`)
}

function descriptions(): string {
  const lines = BENCHMARKS.map(({ name, about, defaults }) => {
    const plan = Object.entries(defaults).map(([knob, value]) => `--${knob} ${value}`)
    return `  ${name.padEnd(8)} ${about} (${plan.join(' ')})`
  })
  return lines.join('\n')
}

function positive(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number from 1 on.')
  return value
}
