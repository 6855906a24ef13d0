/** Errors of the YAML parser in the words of an author, at the place where the remedy belongs. */
import { type Document, isCollection, isScalar, type Node, visit } from 'yaml'

interface ParserError {
  readonly code: string
  readonly message: string
  readonly pos: readonly [number, number]
}

export interface Mistake {
  readonly offset: number
  readonly message: string
}

interface Place {
  readonly text: string
  readonly document: Document
  /** Where the parser gave up. */
  readonly offset: number
  /** The line from there on, the line after it, and the line up to there. */
  readonly rest: string
  readonly after: string
  readonly before: string
}

type Explain = (place: Place, found: RegExpExecArray) => Mistake | string

/** The parser's sentences → ours. A text alone stays at the parser's place. */
const MISTAKES: readonly (readonly [RegExp, Explain])[] = [
  [/^(?:Nested mappings are not|Block collections are not)/, textWithColon],
  [/ at node end$/, moreAfterText],
  [/^Plain value cannot start with .*(\S)$/, (_, [, sign]) => `a text that begins with ${sign} must stand in quotes`],
  [/^Missing closing (.)quote/, notClosedQuote],
  [/^Flow (?:map|sequence) .* end with a (.)/, notClosedBracket],
  [/^Tabs are not allowed/, () => 'a tab cannot indent a line; use spaces'],
  [/^All (?:mapping|sequence) items must start|^A block sequence may not/, notAligned],
  [/^Tags and anchors must be separated/, lostWord],
  [/^Implicit (?:map )?keys/, noKey],
  [/^Not a YAML token/, () => 'after > or | the text begins on the next line; or put it in quotes'],
  [/^Unexpected block-seq-ind/, () => 'a text that begins with - must stand in quotes; a list begins on the next line'],
  [/^Invalid escape sequence (\\.)/, (_, [, found]) => `in "…" a \\ begins an escape; write \\${found}, or use '…'`],
  [/^Unresolved tag: (!\S*)/, (_, [, tag]) => lost(tag!)],
  [/^Unexpected flow-(?:map|seq)-end/, () => 'nothing is open that this bracket could close; remove it'],
  [/^Missing , /, () => 'a comma is missing before this; a text with a comma or a quote must stand in quotes'],
]

/** What is wrong, at which offset of the text. `holds` names the content: `flow`, `configuration`. */
export function mistakeOf(
  { code, message, pos }: ParserError,
  text: string,
  document: Document,
  holds: string,
): Mistake {
  const [offset] = pos
  if (code === 'MULTIPLE_DOCS')
    return { offset, message: `a file holds one ${holds}; remove everything from the second --- on` }
  if (code === 'RESOURCE_EXHAUSTION') return { offset, message: 'too many brackets within each other' }
  const sentence = message
    .split(/ at line \d+/)[0]!
    .replace(/\s+/g, ' ')
    .trim()
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  const [rest, after = ''] = text.slice(offset).split('\n', 2) as [string, string?]
  for (const [pattern, explain] of MISTAKES) {
    const found = pattern.exec(sentence)
    const said = found && explain({ text, document, offset, rest, after, before }, found)
    if (said) return typeof said === 'string' ? { offset, message: said } : said
  }
  return { offset, message: sentence }
}

function textWithColon({ rest, after }: Place): string {
  if (rest.startsWith('? ')) return 'a text that begins with ? must stand in quotes'
  if (/^["']/.test(rest)) return 'the text goes on after its closing quote; put all of it in one pair of quotes'
  const isKeyBelow = !/:(\s|$)/.test(rest) && /^\s+[\w-]+:(\s|$)/.test(after)
  return isKeyBelow
    ? 'the next line is indented too far; align it with the keys above'
    : 'a text with a colon must stand in quotes'
}

function moreAfterText({ before }: Place): string {
  if (/'[^']*'$/.test(before)) return 'an apostrophe within \'…\' is written twice; or put the text in "…"'
  if (/\*\S+ +$/.test(before)) return 'text with a * needs quotes'
  return 'the text goes on after its closing quote; put all of it in one pair of quotes'
}

function notClosedQuote({ document, offset }: Place, [, quote]: RegExpExecArray): Mistake {
  const open = nodesOf(document).findLast((node) => isScalar(node) && node.type?.startsWith('QUOTE'))
  return {
    offset: open?.range?.[0] ?? offset,
    message: `the quote ${quote} that begins here is not closed; add ${quote}`,
  }
}

/** A bracket may be swallowed by a comment: `{ prompt: Press # to end }`. */
function notClosedBracket({ document, offset, text }: Place, [, end]: RegExpExecArray): Mistake {
  const isOpenAt = (at: number) => at < offset && '{['.includes(text[at]!)
  const nodes = nodesOf(document)
  const cut = nodes.find((node) => isScalar(node) && /[}\]]\s*$/.test(node.comment ?? ''))
  if (cut) return { offset: cut.range![0], message: textBeforeComment(String(cut.comment)) }
  const open = nodes.findLast((node) => isCollection(node) && isOpenAt(node.range?.[0] ?? offset))
  const at = open?.range?.[0] ?? offset
  return { offset: at, message: `the ${text[at]} that begins here is not closed; add ${end}` }
}

/** For a text without quotes that ends before a ` #`. */
export function textBeforeComment(comment: string): string {
  const shown = comment.length > 20 ? `${comment.slice(0, 19)}…` : comment
  return `"#${shown}" is a comment and would be lost; put a text with # in quotes`
}

function notAligned({ offset, rest }: Place): Mistake {
  const message = 'this line is not aligned with those above; indent it like them'
  return { offset: offset + /^ */.exec(rest)![0].length, message }
}

/** `!Attention, please`: the comma stands in no tag. */
function lostWord({ offset, before }: Place): Mistake {
  const [tag] = /[!&][^\s!&]*$/.exec(before) ?? [before.slice(-1)]
  return { offset: offset - tag!.length, message: lost(tag!) }
}

function lost(word: string): string {
  return `the word ${word} would be lost; a text that begins with ${word[0]} needs quotes`
}

function noKey({ before, rest }: Place): string {
  const line = `${before}${rest}`.trim()
  const [, key] = /^(?:- )?([\w-]+)/.exec(line) ?? []
  if (key === undefined) return 'a key and its value stand in one line: key: value'
  return line.includes(`${key}:`)
    ? `a space is missing after the colon; write "${key}: …"`
    : `a colon is missing after "${key}"; write "${key}: …", or put a text that goes on in the line above`
}

function nodesOf(document: Document): Node[] {
  const nodes: Node[] = []
  visit(document, { Node: (_, node) => void nodes.push(node) })
  return nodes
}
