/** Reads a spreadsheet as a list of call tasks: for REST and for `switchboard import`. */
import type { GivenCallTask } from '../../dialer/check-import.ts'
import { columnsOf, type NamedField, type SaidColumns, type SheetColumns } from '../../dialer/sheet-columns.ts'
import { isShortened, taskOf } from '../../dialer/sheet-tasks.ts'
import { columnLetter } from '../../kernel/column-letter.ts'
import type { SheetReading, SheetRow } from '../../ports/sheets.ts'
import { type ImportOrder, piecesOf } from './import-job.ts'
import { type CarriedOut, type CarryDependencies, carryOut } from './run-import.ts'

/** A sheet whose columns are known. */
export interface SheetList {
  readonly columns: SheetColumns
  /** Row number of the headings, from 1. */
  readonly headingRow: number
  /** Rows below the headings; the call tasks have the same order. */
  readonly rows: readonly SheetRow[]
  readonly warnings: readonly string[]
}

/** Recognises the columns of a sheet. */
export function listOf(
  { rows: all, warnings }: Pick<SheetReading & { ok: true }, 'rows' | 'warnings'>,
  fields: readonly NamedField[],
  said: SaidColumns,
): SheetList {
  const columns = columnsOf(
    all.map(({ cells }) => cells),
    fields,
    said,
  )
  const rows = all.slice(columns.headingsAt + 1)
  return {
    columns,
    headingRow: all[columns.headingsAt]?.row ?? 1,
    rows,
    warnings: [...warnings, ...warningsOf(columns, rows)],
  }
}

/** Rows as call tasks. */
export function tasksOf({ columns }: SheetList, rows: readonly SheetRow[]): readonly GivenCallTask[] {
  return rows.map(({ cells }) => taskOf(cells, columns.uses))
}

/** The call tasks of a list, piece by piece. */
export function piecesOfList(list: SheetList) {
  return piecesOf(list.rows, (rows) => tasksOf(list, rows))
}

/** Warnings about faults that concern many rows. */
function warningsOf({ uses }: SheetColumns, rows: readonly SheetRow[]): string[] {
  const has = (...wanted: string[]) => uses.some(({ as }) => wanted.includes(as))
  const missing = [
    ...(has('name', 'firstName', 'lastName') ? [] : ['no column contains the name (callReceiverName)']),
    ...(has('number') ? [] : ['no column contains a telephone number (callNumberList)']),
  ]
  const shortened = uses.flatMap(({ as }, place) => {
    const count = as === 'number' ? rows.filter(({ cells }) => isShortened(cells[place] ?? '')).length : 0
    const many = count === 1 ? 'one number' : `${count} numbers`
    return count === 0 ? [] : [`column ${columnLetter(place)}: ${many} lost digits, such as 4.57E+09; ${REMEDY}`]
  })
  return [...missing.map((text) => `${text}; name the column with mapping`), ...shortened]
}

const REMEDY = 'format the column as text and enter the numbers again'

/** Imports the list, a thousand call tasks at a time, and rolls it back; `onPiece` gets the number of finished ones. */
export function rehearse(
  dependencies: CarryDependencies,
  order: ImportOrder,
  { importId, list }: { readonly importId: string; readonly list: SheetList },
  onPiece: (done: number) => void = () => {},
): Promise<CarriedOut | 'no such campaign'> {
  return dependencies.dialerAdmin.rehearseImports(async (importCallTasks) => {
    const imported: CarriedOut['imported'][number][] = []
    const faults: CarriedOut['faults'][number][] = []
    for (const { firstIndex, callTasks } of piecesOfList(list)) {
      const piece = { ...order, importId: `${importId}#${firstIndex}`, firstIndex, callTasks }
      const done = await carryOut({ ...dependencies, dialerRepository: { importCallTasks } }, piece)
      if (done === 'no such campaign') return done
      imported.push(...done.imported)
      faults.push(...done.faults)
      onPiece(firstIndex + callTasks.length)
    }
    return { imported, faults }
  })
}
