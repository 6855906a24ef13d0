/** Converts sheet rows to call tasks as the API has them: one set of rules for both (contract.md §1, acceptance 14). */
import { instantOf } from '../kernel/instant.ts'
import type { GivenCallTask, GivenProperty } from './check-import.ts'
import type { ColumnUse } from './sheet-columns.ts'

/** Converts one row. */
export function taskOf(cells: readonly string[], uses: readonly ColumnUse[]): GivenCallTask {
  const texts = (wanted: ColumnUse['as']) =>
    uses.flatMap(({ as }, place) => (as === wanted ? [cellText(cells[place] ?? '').trim()] : [])).filter(isSomething)
  const [externalCustomer] = texts('customer')
  const [externalCaseNumber] = texts('caseNumber')
  const [language] = texts('language')
  const [priority] = texts('priority')
  const [validFrom] = texts('validFrom')
  const [validTo] = texts('validTo')
  const properties = propertiesOf(cells, uses)
  return {
    receiverName: [...texts('name'), ...texts('firstName'), ...texts('lastName')].join(' '),
    numbers: texts('number').flatMap(numbersOf),
    externalCustomer,
    externalCaseNumber,
    language,
    properties: properties.length > 0 ? properties : undefined,
    priority: priority === undefined ? undefined : wholeNumberOf(priority),
    validFrom: validFrom === undefined ? undefined : momentOf(validFrom),
    validTo: validTo === undefined ? undefined : momentOf(validTo),
  }
}

/** A text that is no whole number stays a text: the check names it. */
function wholeNumberOf(text: string): number | string {
  return /^[+-]?\d{1,9}$/.test(text) ? Number(text) : text
}

/** The same for an instant. Without an offset a cell does not say where its clock hangs. */
function momentOf(text: string): number | string {
  const isInstant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)
  return (isInstant ? instantOf(text.replace(' ', 'T')) : undefined) ?? text
}

/** The text of a cell without the marks that keep spreadsheet programs from calculating with it. */
export function cellText(cell: string): string {
  const [, quoted] = /^="((?:[^"]|"")*)"$/.exec(cell.trim()) ?? []
  if (quoted !== undefined) return quoted.replaceAll('""', '"')
  return cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell
}

/** A cell that no program reads as a formula: a mark in front, which `cellText` removes (F-J3; OWASP ASVS 1.2.10). */
export function harmlessCell(text: string): string {
  return isFormula(text) ? `'${text}` : text
}

/** The first characters of a formula, also in the full-width forms of East Asia, and the mark itself. */
function isFormula(text: string): boolean {
  return /^[\s\0]*['=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) || /^[\t\r\n\0]/.test(text)
}

/** Whether a spreadsheet program has already cut the number's digits: `4.57E+09`, also with a comma (F-I13). */
export function isShortened(text: string): boolean {
  return /^\s*[+-]?\d+([.,]\d+)?E\+?\d+\s*$/i.test(text)
}

/** Several numbers of a cell. A slash separates only between blanks: people also write one between digits. */
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
