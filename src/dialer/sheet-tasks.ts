/**
 * Rows of a sheet as call tasks, of the very form in which the API's are checked: whatever is wrong with them is found
 * there, by the same rules (contract.md §1; acceptance 14).
 */
import type { GivenCallTask, GivenProperty } from './import-call-tasks.ts'
import type { ColumnUse } from './sheet-columns.ts'

/** One row as a call task. */
export function taskOf(cells: readonly string[], uses: readonly ColumnUse[]): GivenCallTask {
  const texts = (wanted: ColumnUse['as']) =>
    uses.flatMap(({ as }, place) => (as === wanted ? [cellText(cells[place] ?? '').trim()] : [])).filter(isSomething)
  const [externalCustomer] = texts('customer')
  const [externalCaseNumber] = texts('caseNumber')
  const properties = propertiesOf(cells, uses)
  return {
    receiverName: [...texts('name'), ...texts('firstName'), ...texts('lastName')].join(' '),
    numbers: texts('number').flatMap(numbersOf),
    externalCustomer,
    externalCaseNumber,
    properties: properties.length > 0 ? properties : undefined,
  }
}

/** What a cell says: without the marks by which people and programs keep a text from being counted with. */
export function cellText(cell: string): string {
  const [, quoted] = /^="((?:[^"]|"")*)"$/.exec(cell.trim()) ?? []
  if (quoted !== undefined) return quoted.replaceAll('""', '"')
  return cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell
}

/**
 * A cell that no spreadsheet program counts with, also where it looks like a formula: with a mark before it, which
 * `cellText` takes away again (F-J3; OWASP ASVS 1.2.10).
 */
export function harmlessCell(text: string): string {
  return isFormula(text) ? `'${text}` : text
}

/** Signs of a formula, also in the wide forms of East Asia, which some programs take for them; or the mark itself. */
function isFormula(text: string): boolean {
  return /^[\s\0]*['=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) || /^[\t\r\n\0]/.test(text)
}

/** Whether a number lost its digits before it came here: `4.57E+09`, also with a comma (F-I13). */
export function isShortened(text: string): boolean {
  return /^\s*[+-]?\d+([.,]\d+)?E\+?\d+\s*$/i.test(text)
}

/**
 * Several numbers may stand in one cell. A slash divides them only with a blank before and behind it, because people
 * also write one between digits.
 */
function numbersOf(text: string): string[] {
  return text
    .split(/[;,|\r\n\t]|\s\/\s/)
    .map((number) => number.trim())
    .filter(isSomething)
}

function propertiesOf(cells: readonly string[], uses: readonly ColumnUse[]): GivenProperty[] {
  return uses.flatMap((use, place) => {
    const value = cellText(cells[place] ?? '').trim()
    return use.as === 'property' && isSomething(value) ? [{ field: use.field, value, addToName: use.addToName }] : []
  })
}

function isSomething(text: string): boolean {
  return text !== ''
}
