/** What the node says, in the language of the page: by the sentence itself, as the node has no codes for them. Pure. */
import type { SwitchboardProblem } from '../../client/problem.ts'
import { fill, type Language } from './catalogue.ts'
import { GATE_REFUSALS } from './gate-refusals.ts'
import { BOARD_REFUSALS, FACTOR_REFUSALS, NODE_REFUSALS } from './node-refusals.ts'
import { ORDER_REFUSALS, STATE_REASONS } from './order-refusals.ts'
import type { Refusals, Said } from './refusal-entry.ts'
import { SCHEMA_REFUSALS } from './schema-refusals.ts'

/** Every sentence of the node that the console knows. */
export const REFUSALS: Refusals = Object.assign(
  {},
  ...[ORDER_REFUSALS, STATE_REASONS, GATE_REFUSALS, BOARD_REFUSALS, FACTOR_REFUSALS, NODE_REFUSALS],
)

/** Those of its schemas beside them. */
const KNOWN: Refusals = Object.assign({}, SCHEMA_REFUSALS, REFUSALS)

/** The longest that the node says is a field with all its choices; more is no sentence of the node. */
const LENGTH_MAX = 2_000
const PLACE = /\{(\w+)\}/

interface Template {
  readonly key: string
  readonly pattern: RegExp
}

/** Those with the most words of their own first: they are the most certain. */
const TEMPLATES: readonly Template[] = Object.keys(KNOWN)
  .filter((key) => PLACE.test(key))
  .sort((one, other) => wordsOf(other).length - wordsOf(one).length)
  .map((key) => ({ key, pattern: patternOf(key) }))

/** The entry of a sentence, and the values in it. */
export interface Known {
  readonly key: string
  readonly values: Readonly<Record<string, string>>
}

/** Undefined: the console does not know it, as of a newer node. */
export function knownOf(sentence: string): Known | undefined {
  if (Object.hasOwn(KNOWN, sentence)) return { key: sentence, values: {} }
  if (sentence.length > LENGTH_MAX) return undefined
  for (const { key, pattern } of TEMPLATES) {
    const found = pattern.exec(sentence)
    if (found) return { key, values: found.groups ?? {} }
  }
  return undefined
}

/** The sentence as the person reads it; as it is where the console does not know it. */
export function spoken(sentence: string, language: Language): string {
  return translated(sentence, language) ?? sentence
}

/** A refused request: what is wrong with its field, where the console knows that, else all that the node says. */
export function spokenRefusal({ errors, message, operation }: SwitchboardProblem, language: Language): string {
  const [first] = errors
  const field = first && translated(first.message, language)
  // The message begins with the operation, which nobody wants to read.
  return field ?? spoken(message.slice(operation.length + 2), language)
}

function translated(sentence: string, language: Language): string | undefined {
  const known = knownOf(sentence)
  if (!known) return undefined
  const { why, ...others } = known.values
  const values = why === undefined ? others : Object.assign(others, { why: spoken(why, language) })
  return fill(textOf(known.key, KNOWN[known.key] ?? known.key, language), values)
}

function textOf(key: string, said: Said, language: Language): string {
  if (typeof said !== 'string') return said[language === 'da' ? 1 : 0]
  return language === 'da' ? said : key
}

function wordsOf(key: string): string {
  return key.replaceAll(/\{\w+\}/g, '')
}

function patternOf(key: string): RegExp {
  const parts = key.split(/(\{\w+\})/)
  return new RegExp(`^${parts.map((part) => placeOf(part) ?? escaped(part)).join('')}$`, 's')
}

/** `RegExp.escape` is not in every browser that the console runs in. */
function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function placeOf(part: string): string | undefined {
  const name = PLACE.exec(part)?.[1]
  return name === undefined ? undefined : `(?<${name}>.+?)`
}
