/** Limits of a YAML text, counted before it is parsed: the parser takes 13 s for a list of 800 kB. */
import { CST, Lexer } from 'yaml'
import type { Mistake } from './yaml-syntax.ts'

/** Users read these files; a larger one is a mistake. */
const BYTES_MAX = 1024 * 1024
/** Of each: colons behind keys, and commas, dashes and question marks before entries. */
const ENTRIES_MAX = 10_000
const ENTRY_SIGNS: ReadonlySet<string | null> = new Set(['comma', 'seq-item-ind', 'explicit-key-ind'])
/** Brackets within each other, and levels of lists in one line. */
const DEPTH_MAX = 64
/** Levels need columns: two levels cannot begin in the same one. */
const INDENTATION_MAX = 256

/** Why a text is not parsed at all, at which offset; undefined if it may be. Takes time in proportion to the text. */
export function excessOf(text: string, holds: string): Mistake | undefined {
  if (Buffer.byteLength(text) > BYTES_MAX)
    return { offset: 0, message: `the file is larger than ${BYTES_MAX / 1024} kB` }
  let [offset, entries, keys, depth, column, indentation] = [0, 0, 0, 0, 0, 0]
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme)
    if (type === 'map-value-ind') keys++
    if (ENTRY_SIGNS.has(type)) entries++
    if (keys > ENTRIES_MAX || entries > ENTRIES_MAX)
      return { offset: 0, message: `more than ${ENTRIES_MAX} keys or entries; split the ${holds}` }
    if (type === 'flow-map-start' || type === 'flow-seq-start') depth++
    if (type === 'flow-map-end' || type === 'flow-seq-end') depth = Math.max(0, depth - 1)
    const isBlock = depth === 0
    const isLevel = type === 'seq-item-ind' || type === 'explicit-key-ind'
    const level = isBlock && isLevel ? column : isBlock && type === 'map-value-ind' ? indentation : 0
    if (depth > DEPTH_MAX || level > INDENTATION_MAX) return { offset, message: 'too many brackets within each other' }
    // The lexer's marks of documents and scalars are no text.
    if (type === 'doc-mode' || type === 'flow-error-end' || type === 'scalar') continue
    if (type === 'space' && column === 0) indentation = lexeme.length
    else if (column === 0) indentation = 0
    column = lexeme.endsWith('\n') ? 0 : column + lexeme.length
    offset += lexeme.length
  }
  return undefined
}
