import { relative, resolve } from 'node:path'
import { findInFiles, foldText } from '../../adapters/files/find-in-files.ts'
import { storedPlaces } from '../../app/engine-storage.ts'
import { type FoundRows, findWords } from '../../store/admin/find-words.ts'
import type { CliContext } from '../place/cli-context.ts'
import { runDirectoryOf } from '../place/data-place.ts'
import { withDatabase } from '../place/with-database.ts'

const LETTERS_MIN = 3
const DIGITS_MIN = 6
/** Read as a database, or without a word: sounds, and the programs of Asterisk. */
const NOT_READ = ['postgres', 'sounds', 'asterisk']
/** What an erasure keeps on purpose: whoever asked not to be called would be called again. */
const STOP_LISTS = ['stopped_numbers', 'stopped_persons']

interface Sought {
  readonly parts: readonly string[]
  /** Of all numbers, however they are written: one expression, because the database keeps few compiled. */
  readonly pattern: string
}

/** `switchboard find-person`: where these words are. Status 1: somewhere else than on a stop list. */
export async function findPerson(words: readonly string[], json: boolean, context: CliContext): Promise<number> {
  const { settings, write } = context
  const sought = soughtOf(words)
  if (typeof sought === 'string') {
    write(sought)
    return 2
  }
  return withDatabase(context, async ({ pools }) => {
    let tables = 0
    const rows = await findWords(pools, sought, () => tables++)
    const files = await inFiles(settings, sought)
    const isKept = ({ table }: FoundRows) => STOP_LISTS.includes(table)
    if (json) write(JSON.stringify({ tables, rows, files }))
    else {
      for (const { table, column, rows: count, keys } of rows) {
        const why = STOP_LISTS.includes(table) ? '; the stop list remembers whom not to call' : ''
        write(`${table}.${column}: ${count} ${count === 1 ? 'row' : 'rows'} (${keys.join(', ')})${why}`)
      }
      for (const { path, lines } of files)
        write(`${path}: ${lines.length === 0 ? 'its name' : `line ${lines.join(', ')}`}`)
      const elsewhere = rows.filter((row) => !isKept(row)).length + files.length
      write(elsewhere === 0 ? `${tables} tables and all files have nothing else` : `found in ${elsewhere} places`)
    }
    return rows.every(isKept) && files.length === 0 ? 0 : 1
  })
}

/** What is looked for, or why nothing can be. */
function soughtOf(words: readonly string[]): Sought | string {
  const parts: string[] = []
  const numbers: string[] = []
  for (const word of words.map((each) => each.trim()).filter((each) => each !== '')) {
    const digits = word.replaceAll(/\D/g, '')
    if (/^[+\d\s().-]+$/.test(word) && digits.length >= DIGITS_MIN) {
      numbers.push([...digits].join('[^0-9A-Za-z]{0,2}'))
    } else if (word.length >= LETTERS_MIN) parts.push(word)
    else return `“${word}” is too short to be looked for; give at least ${LETTERS_MIN} letters or ${DIGITS_MIN} digits`
  }
  // Matches nothing without a number.
  const pattern = numbers.length === 0 ? '$.' : `(^|[^0-9])(${numbers.join('|')})([^0-9]|$)`
  return parts.length + numbers.length > 0 ? { parts, pattern } : 'give a name, a number or an address to look for'
}

async function inFiles(settings: CliContext['settings'], { parts, pattern }: Sought) {
  const folded = parts.map(foldText)
  const number = new RegExp(pattern)
  const isTheirs = (line: string) => folded.some((part) => line.includes(part)) || number.test(line)
  const dataDirectory = resolve(settings.dataDir)
  const { recordingsDirectory, filesDirectory } = storedPlaces(settings, runDirectoryOf(settings))
  const elsewhere = [recordingsDirectory, filesDirectory].filter((path) =>
    relative(dataDirectory, path).startsWith('..'),
  )
  const found = [await findInFiles(dataDirectory, isTheirs, NOT_READ)]
  for (const directory of elsewhere) found.push(await findInFiles(directory, isTheirs))
  return found.flat().map(({ path, lines }) => ({ path: relative(dataDirectory, path), lines }))
}
