/** Writes results: a table for the terminal, and a section of `RESULTS.md` that takes the place of its former self. */
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { type Bar, type Benchmark, isHeld, type Result, type Table } from './benchmark.ts'

const HEADER = `# Benchmarks

Written by \`npm run bench\`, one section per benchmark; each run replaces its own. Every figure was measured by the
command above it. A bar is a promise of the project; a missed one says so.
`

/** One section, ready to be filed. */
interface Section {
  readonly benchmark: Benchmark
  readonly result: Result
  /** As it was typed. */
  readonly command: string
  /** Smaller than the defaults: the figures show that it runs, and no more. */
  readonly isTrial: boolean
}

/** Puts a section into the file: in the place of its former self, else in the order of `names`. */
export function fileSection(file: string, section: Section, names: readonly string[]): void {
  const sections = new Map(readSections(file).map((text) => [/^## `(\w+)`/.exec(text)?.[1] ?? '', text]))
  sections.set(section.benchmark.name, markdownOf(section))
  const known = names.flatMap((name) => sections.get(name) ?? [])
  writeFileSync(file, `${[HEADER, ...known].map((text) => text.trim()).join('\n\n')}\n`)
}

/** The bars for the terminal. */
export function barLines({ bars }: Result): string[] {
  return bars.map(
    (bar) => `${isHeld(bar) ? '✓' : '✗'} ${bar.what}: ${figure(bar.measured)} ${bar.unit} (${limitOf(bar)})`,
  )
}

/** A figure with as many digits as a reader can use: three, one more where a bar may be a tenth of a percent away. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return 'not measured'
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en')
  return value.toPrecision(Math.abs(value) >= 10 ? 4 : 3)
}

function readSections(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split(/\n(?=## )/)
      .slice(1)
  } catch {
    return [] // The first run makes the file.
  }
}

function markdownOf({ benchmark, result, command, isTrial }: Section): string {
  const bars = result.bars.map((bar) => [bar.what, `${figure(bar.measured)} ${bar.unit}`, limitOf(bar), verdict(bar)])
  const trial = '**A trial, smaller than the bars ask for: its figures do not count.**'
  return [
    `## \`${benchmark.name}\`: ${benchmark.about}`,
    `\`${command}\`, ${new Date().toISOString().slice(0, 10)}, on ${machine()}; ${programs(result)}.`,
    ...(isTrial ? [trial] : []),
    tableOf({ head: ['', 'measured', 'bar', ''], rows: bars }),
    ...result.tables.map(tableOf),
    ...result.notes,
  ].join('\n\n')
}

function verdict(bar: Bar): string {
  return isHeld(bar) ? 'held' : '**missed**'
}

function limitOf({ limit, unit }: Bar): string {
  return 'atMost' in limit ? `at most ${figure(limit.atMost)} ${unit}` : `at least ${figure(limit.atLeast)} ${unit}`
}

/** The table as markdown. */
export function tableOf({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}

/** What it was measured on. */
export function machine(): string {
  const memoryGib = Math.round(totalmem() / 2 ** 30)
  const system = `${type()} ${release()} ${arch()}`
  return `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${memoryGib} GiB, ${system}`
}

function programs({ asterisk }: Result): string {
  return `Node ${process.versions.node}${asterisk === undefined ? ', no Asterisk' : `, Asterisk ${asterisk}`}`
}
