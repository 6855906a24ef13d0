/** Maps the columns of a spreadsheet of call tasks: by their headings, unless the user names them. */
import { columnLetter } from '../kernel/column-letter.ts'
import { ABOUT_NUMBERS, HEADINGS, type HeadingMeaning, NUMBER_HEADINGS, NUMBER_WORDS } from './sheet-words.ts'

/** The use of a column. Several name columns are joined, several number columns dialed in order. */
export type ColumnUse =
  | { readonly as: HeadingMeaning | 'number' | 'nothing' }
  /** Never guessed: an information field may have the heading Priority. */
  | { readonly as: 'language' | 'priority' | 'validFrom' | 'validTo' }
  | { readonly as: 'property'; readonly field: number; readonly addToName: boolean }

export interface NamedField {
  readonly id: number
  readonly name: string
}

/** The user's mapping: a heading as written, or the letter of a column, and its use. */
export type SaidColumns = ReadonlyMap<string, ColumnUse>

export interface SheetColumns {
  /** Index of the row of headings. */
  readonly headingsAt: number
  readonly headings: readonly string[]
  /** One for each heading. */
  readonly uses: readonly ColumnUse[]
  /** Names in `said` without a column. */
  readonly unknown: readonly string[]
}

/** A title and a date may stand above the headings. */
const LOOKED_AT = 20

/**
 * Finds the row of headings and the use of its columns. `said` wins over guesses: a use that the user gave to a column
 * is not guessed for another. A column without a known use is the information field of the same name, or ignored.
 */
export function columnsOf(
  rows: readonly (readonly string[])[],
  fields: readonly NamedField[],
  said: SaidColumns,
): SheetColumns {
  const candidates = rows.slice(0, LOOKED_AT).map((row) => usesOf(row, fields, said))
  // A name alone proves nothing: `Debtor 7` may be a heading or a person.
  const rank = ({ uses, unknown }: (typeof candidates)[number]) =>
    (unknown.length === 0 ? 4 : 0) + (hasUse(uses, 'number') ? (hasUse(uses, ...NAMES) ? 2 : 1) : 0)
  const best = Math.max(0, ...candidates.map(rank))
  const headingsAt = Math.max(
    0,
    candidates.findIndex((candidate) => rank(candidate) === best),
  )
  const { uses, unknown } = candidates[headingsAt] ?? { uses: [], unknown: [...said.keys()] }
  return { headingsAt, headings: rows[headingsAt] ?? [], uses, unknown }
}

const NAMES = ['name', 'firstName', 'lastName'] as const
/** A call task has one of each. */
const SINGLE: readonly ColumnUse['as'][] = ['name', 'firstName', 'lastName', 'customer', 'caseNumber']
const NOTHING: ColumnUse = { as: 'nothing' }

function hasUse(uses: readonly ColumnUse[], ...wanted: readonly ColumnUse['as'][]): boolean {
  return uses.some(({ as }) => wanted.includes(as))
}

function usesOf(headings: readonly string[], fields: readonly NamedField[], said: SaidColumns) {
  const spoken = headings.map((heading, place) => saidOf(heading, place, said))
  const taken = new Set(spoken.flatMap((use) => (use ? [use.as] : [])))
  if (NAMES.some((name) => taken.has(name))) for (const name of NAMES) taken.add(name)
  const guessed = headings.map((heading, place): ColumnUse => {
    const use = spoken[place] ?? guess(heading, fields)
    if (spoken[place] || (!taken.has(use.as) && !isFieldTaken(use, spoken))) {
      if (SINGLE.includes(use.as)) taken.add(use.as)
      return use
    }
    return fieldOf(heading, fields, spoken) ?? NOTHING
  })
  const found = new Set(headings.flatMap((heading, place) => [plain(heading), columnLetter(place).toLowerCase()]))
  return { uses: withOneName(guessed), unknown: [...said.keys()].filter((name) => !found.has(plain(name))) }
}

/** Columns with parts of a name are ignored beside a column with the whole name. */
function withOneName(uses: readonly ColumnUse[]): readonly ColumnUse[] {
  const isPart = ({ as }: ColumnUse) => as === 'firstName' || as === 'lastName'
  return hasUse(uses, 'name') ? uses.map((use) => (isPart(use) ? NOTHING : use)) : uses
}

function saidOf(heading: string, place: number, said: SaidColumns): ColumnUse | undefined {
  const letter = columnLetter(place).toLowerCase()
  for (const [name, use] of said) if (plain(name) === plain(heading)) return use
  for (const [name, use] of said) if (plain(name) === letter) return use
  return undefined
}

function guess(heading: string, fields: readonly NamedField[]): ColumnUse {
  const text = plain(heading)
  const words = text.split(' ')
  const isAboutNumbers = words.some((word) => ABOUT_NUMBERS.has(word))
  if (NUMBER_HEADINGS.includes(text) || (words.some((word) => NUMBER_WORDS.has(word)) && !isAboutNumbers)) {
    return { as: 'number' }
  }
  for (const as of Object.keys(HEADINGS) as HeadingMeaning[]) if (HEADINGS[as].includes(text)) return { as }
  return fieldOf(heading, fields, []) ?? NOTHING
}

function fieldOf(
  heading: string,
  fields: readonly NamedField[],
  spoken: readonly (ColumnUse | undefined)[],
): ColumnUse | undefined {
  const wanted = heading.trim().toLowerCase()
  const field = wanted === '' ? undefined : fields.find(({ name }) => name.trim().toLowerCase() === wanted)
  const use: ColumnUse | undefined = field && { as: 'property', field: field.id, addToName: false }
  return use && !isFieldTaken(use, spoken) ? use : undefined
}

function isFieldTaken(use: ColumnUse, spoken: readonly (ColumnUse | undefined)[]): boolean {
  return use.as === 'property' && spoken.some((other) => other?.as === 'property' && other.field === use.field)
}

/** `callNumberList`, `Call_number list:` and `CALL NUMBER LIST 2` are the same heading. */
function plain(heading: string): string {
  return heading
    .normalize('NFC')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/ ?\d+$/, '')
    .trim()
}
