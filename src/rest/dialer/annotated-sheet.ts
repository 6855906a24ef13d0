/** A copy of an imported sheet with the result of each row: a CSV file of text cells alone (F-J3). */
import type { SheetList } from '../../core/imports/read-task-list.ts'
import { cellText, harmlessCell } from '../../dialer/sheet-tasks.ts'
import type { TaskFault } from '../../ports/dialer-admin-repository.ts'
import { errorOut } from './call-task-import-schema.ts'

/** The result of an import. `done` is the result of rows without a fault. */
export interface SheetOutcome {
  readonly list: SheetList
  readonly faults: readonly TaskFault[]
  readonly done: 'accepted' | 'imported' | 'queued'
}

const ADDED = ['import row', 'import result', 'import codes', 'import text'] as const
/** Excel recognises UTF-8 by this mark alone. */
const MARK = '\uFEFF'
const LINES_AT_A_TIME = 500

/** The lines of the copy, in blocks. A copy can be corrected and imported again: added columns are ignored. */
export function* sheetCopy({ list, faults, done }: SheetOutcome, delimiter: string): Generator<string> {
  const { columns, rows } = list
  const own = columns.headings.flatMap((heading, place) => (isAdded(heading) ? [] : [place]))
  const line = (cells: readonly string[], added: readonly string[]) =>
    [...own.map((place) => harmlessCell(cellText(cells[place] ?? ''))), ...added].map(quoted).join(delimiter)
  const byIndex = new Map(faults.map((fault) => [fault.index, fault]))
  let lines = [MARK + line(columns.headings, ADDED)]
  for (const [index, { row, cells }] of rows.entries()) {
    const fault = byIndex.get(index)
    const said = fault ? errorOut(fault) : undefined
    const result = said ? ['refused', said.errorCodes.join(' '), said.errorText] : [done, '', '']
    lines.push(line(cells, [String(row), ...result]))
    if (lines.length < LINES_AT_A_TIME) continue
    yield `${lines.join('\r\n')}\r\n`
    lines = []
  }
  if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`
}

function isAdded(heading: string): boolean {
  return (ADDED as readonly string[]).includes(heading)
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}
