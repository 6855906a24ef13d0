/** `switchboard import`: call tasks from a spreadsheet. It needs no token, because it opens the database itself. */
import { readFileSync, writeFileSync } from 'node:fs'
import { sheetReader } from '../adapters/sheets/sheet-reader.ts'
import { portsOf } from '../app/repositories.ts'
import { type ImportOrder, jobOf } from '../core/imports/import-job.ts'
import { type ImportWorkerDependencies, workOffPiece } from '../core/imports/import-worker.ts'
import { listOf, piecesOfList, rehearse, type SheetList } from '../core/imports/read-task-list.ts'
import type { CarriedOut } from '../core/imports/run-import.ts'
import type { ColumnUse, SaidColumns } from '../dialer/sheet-columns.ts'
import { type Clock, RealClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { seededRandom } from '../kernel/random.ts'
import type { ImportJob, TaskFault } from '../ports/dialer-admin-repository.ts'
import type { Charset, SheetReading } from '../ports/sheets.ts'
import { sheetCopy } from '../rest/dialer/annotated-sheet.ts'
import { readImport } from '../rest/dialer/call-task-import-request.ts'
import { errorOut } from '../rest/dialer/call-task-import-schema.ts'
import { columnsOut, readUse, USE_NAMES } from '../rest/dialer/call-task-sheet-schema.ts'
import type { CliContext } from './place/cli-context.ts'
import { type Registry, withDatabase } from './place/with-database.ts'

export interface ImportOptions {
  readonly campaign: number
  readonly system: string
  readonly attempts: number
  readonly intervalHours: number
  readonly dryRun?: boolean
  /** `Heading=field`, or the letter of a column. */
  readonly map?: readonly string[]
  readonly sheet?: number
  readonly charset?: Charset
  readonly out?: string
}

type Write = CliContext['write']

/** Problems printed; the copy has all of them. */
const SHOWN_MAX = 20
/** Rows between two progress lines. */
const PROGRESS_EVERY = 5_000
const LOOK_EVERY_MS = 200

/** Exit status: 0 all rows imported, 2 some refused, 1 nothing done. The service continues an interrupted import. */
export async function importSheet(file: string, options: ImportOptions, context: CliContext): Promise<number> {
  return withDatabase(context, (registry) => importOn(file, options, registry, context))
}

/** The same on an open database. */
export async function importOn(
  file: string,
  options: ImportOptions,
  { pools, secretBytes, corporation }: Pick<Registry, 'pools' | 'secretBytes' | 'corporation'>,
  { settings, write }: CliContext,
): Promise<number> {
  const said = saidColumns(options.map ?? [])
  if (typeof said === 'string') return failed(write, said)
  const clock = new RealClock()
  const reading = await readFile(file, options, clock)
  if (!reading.ok) return failed(write, `${file}: ${reading.why}`)
  const random = seededRandom(secretBytes(6).readUIntBE(0, 6))
  const parts = { ...portsOf(pools, settings.environment), clock, log: silentLog, random }
  const { campaign: callCode, system: systemCode, attempts, intervalHours } = options
  const body = { callCode, systemCode, maxCallAttempts: attempts, minCallIntervalHours: intervalHours }
  const order = await readImport(parts, { ...body, callTasks: reading.rows.slice(1) }, [corporation], true)
  if ('length' in order) return failed(write, order.map(({ text }) => text).join('\n'))
  const list = listOf(reading, await parts.directory.infoFields([order.corporation], false), said)
  const { unknown } = list.columns
  if (unknown.length > 0)
    return failed(write, `there is no column ${unknown.join(', ')}; write the heading as in the sheet`)
  if (list.rows.length === 0) return failed(write, 'the sheet has no rows below its headings')
  tellColumns(list, write)
  const whole = { ...order, callTasks: list.rows }
  const { dryRun = false, out } = options
  const done = await (dryRun ? tryOut(parts, whole, list, write) : carryThrough(parts, whole, list, write))
  if (typeof done === 'string') return failed(write, done)
  tellFaults(list, done.faults, write)
  if (out !== undefined) {
    const texts = sheetCopy(
      { list, faults: done.faults, done: dryRun ? 'accepted' : 'imported' },
      reading.delimiter ?? ';',
    )
    // The file holds names and numbers: only its owner may read it.
    writeFileSync(out, [...texts].join(''), { mode: 0o600 })
    write(`every row with its result: ${out}`)
  }
  write(summary(list, done, dryRun))
  return done.faults.length === 0 ? 0 : 2
}

type Dependencies = ImportWorkerDependencies & Parameters<typeof jobOf>[0]
type Done = { readonly imported: number; readonly faults: readonly TaskFault[]; readonly importId?: string }

async function readFile(file: string, { charset, sheet }: ImportOptions, clock: Clock): Promise<SheetReading> {
  const reader = sheetReader({ clock })
  try {
    const bytes = readFileSync(file)
    return await reader.read({ bytes, ...(charset && { charset }), ...(sheet !== undefined && { sheet }) })
  } catch {
    return { ok: false, why: 'the file cannot be opened' }
  } finally {
    await reader.close()
  }
}

function saidColumns(words: readonly string[]): SaidColumns | string {
  const said = new Map<string, ColumnUse>()
  for (const word of words) {
    const [, name = '', field = ''] = /^(.+)=([^=]+)$/s.exec(word) ?? []
    const use = readUse(field)
    if (!use) return `--map ${word}: write COLUMN=FIELD, a heading or a letter and one of ${USE_NAMES}`
    said.set(name, use)
  }
  return said
}

async function tryOut(
  dependencies: Dependencies,
  order: ImportOrder,
  list: SheetList,
  write: Write,
): Promise<Done | string> {
  const { importId } = jobOf(dependencies, order)
  const tell = progress(list.rows.length, write)
  const done: CarriedOut | string = await rehearse(dependencies, order, { importId, list }, tell)
  return typeof done === 'string'
    ? 'the campaign no longer exists'
    : { imported: done.imported.length, faults: done.faults }
}

/** Like a large import over REST: stored first, then carried out here and by the service if it runs. */
async function carryThrough(
  dependencies: Dependencies,
  order: ImportOrder,
  list: SheetList,
  write: Write,
): Promise<Done | string> {
  const job = jobOf(dependencies, order)
  const { importId, corporation } = job
  await dependencies.dialerAdmin.queueImport(job, piecesOfList(list))
  const tell = progress(list.rows.length, write)
  for (;;) {
    const worked = await workOffPiece(dependencies)
    const now = await dependencies.dialerAdmin.findImport([corporation], importId)
    if (!now) return `the import ${importId} no longer exists`
    tell(now.imported + now.failed)
    if (now.finishedAtMs !== null) return outcomeOf(dependencies, now)
    if (!worked)
      await new Promise<void>((go) => dependencies.clock.schedule(dependencies.clock.nowMs() + LOOK_EVERY_MS, go))
  }
}

async function outcomeOf(
  { dialerAdmin }: Dependencies,
  { importId, status, imported, why }: ImportJob,
): Promise<Done | string> {
  if (status !== 'completed') return `the import ${importId} is ${status}: ${why ?? 'it was cancelled'}`
  const faults: TaskFault[] = []
  for await (const some of dialerAdmin.importFaults(importId)) faults.push(...some)
  return { imported, faults, importId }
}

function progress(all: number, write: Write): (done: number) => void {
  let shown = 0
  return (done) => {
    if (done - shown < PROGRESS_EVERY || done === all) return
    shown = done
    write(`${done} of ${all} rows`)
  }
}

function tellColumns({ columns, warnings, rows, headingRow }: SheetList, write: Write): void {
  write(`headings in row ${headingRow}, ${rows.length} rows below`)
  for (const { column, heading, field, ...property } of columnsOut(columns)) {
    const id = 'emprId' in property ? ` (emprId ${property.emprId})` : ''
    write(`  ${column}  ${heading || '–'}: ${field === null ? 'ignored' : field + id}`)
  }
  for (const warning of warnings) write(`warning: ${warning}`)
}

function tellFaults({ rows }: SheetList, faults: readonly TaskFault[], write: Write): void {
  for (const fault of faults.slice(0, SHOWN_MAX)) {
    const { errorCodes, errorText } = errorOut(fault)
    write(`row ${rows[fault.index]?.row}: ${errorCodes.join(' ')} ${errorText}`)
  }
  if (faults.length > SHOWN_MAX) write(`… and ${faults.length - SHOWN_MAX} more; use --out FILE for all of them`)
}

function summary({ rows }: SheetList, { imported, faults, importId }: Done, dryRun: boolean): string {
  const what = dryRun ? 'would be imported; nothing was stored' : `imported as ${importId}`
  return `${imported} of ${rows.length} rows ${what}${faults.length > 0 ? `; ${faults.length} refused` : ''}`
}

function failed(write: Write, why: string): number {
  write(why)
  return 1
}
