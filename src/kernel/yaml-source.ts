import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import { byPlace, type Problem } from './file-problem.ts'
import { excessOf } from './yaml-limits.ts'
import { mistakeOf } from './yaml-syntax.ts'

/** In the file, and again as expansions of one anchor: nested ones multiply. */
const ALIASES_MAX = 50
const IDLE_ANCHORS_SHOWN = 20
const DOUBLED_KEY = 'is already used above; rename it, or remove one'

/** A path into a document: map keys and list positions. */
export type Path = readonly (string | number)[]

/** Whether a path leads to what `above` names, or to something inside it. */
export function isWithin(path: Path, above: Path): boolean {
  return above.every((part, depth) => path[depth] === part)
}

type Pairs = ReadonlyMap<string, Pair<Node, Node | null>>

/** A YAML text with its positions: every message can name line and column. */
export class YamlSource {
  readonly file: string
  /** Problems of the YAML syntax, in the order of the file. With any of them, `value` is undefined. */
  readonly problems: readonly Problem[]
  readonly value: unknown
  readonly #text: string
  readonly #document: Document
  readonly #lines: LineCounter
  readonly #pairs = new Map<YAMLMap, Pairs>()

  /** `holds` names the content in messages: `flow`, `configuration`. */
  constructor(file: string, text: string, holds: string) {
    this.file = file
    const excess = excessOf(text, holds)
    this.#text = excess ? '' : text
    this.#lines = linesOf(text)
    this.#document = parseDocument(this.#text, {
      // YAML 1.2: `no` stays text, `09:00` stays text. Tags that make anything but JSON are unknown.
      version: '1.2',
      strict: true,
      resolveKnownTags: false,
      // The parser's own search for duplicate keys is quadratic; `#checkNodes` finds them.
      uniqueKeys: false,
      // Otherwise the parser prints warnings. Not `silent`, which would also hide a second document.
      logLevel: 'error',
    })
    // An empty text has the first line only.
    const problems = excess ? [this.#atOffset(excess.offset, excess.message)] : this.#mistakes(holds)
    this.value = problems.length === 0 ? this.#toData(problems) : undefined
    this.problems = problems
  }

  /** A problem at the value that `path` names, or at its nearest existing parent. */
  problem(path: Path, message: string, severity: Problem['severity'] = 'error'): Problem {
    return this.#atOffset(this.#offsetOf(path, 'value'), message, severity)
  }

  problemAtKey(path: Path, message: string, severity: Problem['severity'] = 'error'): Problem {
    return this.#atOffset(this.#offsetOf(path, 'key'), message, severity)
  }

  /** The line of the key that `path` names; 1-based. */
  lineOf(path: Path): number {
    return this.#lines.linePos(this.#offsetOf(path, 'key')).line
  }

  /** The data at `path`, as in `value`. */
  valueAt(path: Path): unknown {
    return path.reduce<unknown>((value, part) => (value as Record<string | number, unknown>)[part], this.value)
  }

  /** The scalar at `path` as written, to distinguish `+372…` (a number) from `"+372…"` (text). */
  writtenAt(path: Path): string | undefined {
    const node = this.#nodeAt(path)
    return isScalar(node) ? node.source : undefined
  }

  /** The key that `path` names as written: the key `0047` has become 47. */
  keyWrittenAt(path: Path): string | undefined {
    const key = this.#pairAt(this.#nodeAt(path.slice(0, -1)), path.at(-1)!)?.key
    return isScalar(key) && typeof key.value === 'number' ? key.source : undefined
  }

  /** The comment behind a text without quotes, one space after it: perhaps a part of the text. */
  commentAfter(path: Path): string | undefined {
    const node = this.#nodeAt(path)
    if (!isScalar(node) || node.type !== 'PLAIN' || !node.comment) return undefined
    return this.#text.startsWith(' #', node.range![1]) ? node.comment : undefined
  }

  #nodeAt(path: Path): Node | null | undefined {
    let node: Node | null | undefined = this.#document.contents
    for (const part of path) node = this.#pairAt(node, part)?.value ?? itemAt(node, part)
    return node
  }

  #offsetOf(path: Path, wanted: 'key' | 'value'): number {
    let node: Node | null | undefined = this.#document.contents
    let offset = node?.range?.[0] ?? 0
    for (const [depth, part] of path.entries()) {
      const pair = this.#pairAt(node, part)
      offset = pair?.key.range?.[0] ?? offset
      if (pair && wanted === 'key' && depth === path.length - 1) return offset
      node = pair?.value ?? itemAt(node, part)
      if (!node) return offset
      offset = node.range?.[0] ?? offset
    }
    return offset
  }

  #pairAt(node: unknown, key: string | number) {
    return isMap(node) ? this.#pairs.get(node)?.get(String(key)) : undefined
  }

  #mistakes(holds: string): Problem[] {
    const inNodes = this.#checkNodes()
    // `*Welcome to us` is an alias of nothing, which explains what the parser says about the next word.
    const isExplained = ({ line, column }: Problem) =>
      inNodes.some((node) => node.line === line && node.column < column)
    const syntax = this.#firstSyntaxError(holds).filter((problem) => !isExplained(problem))
    return [...syntax, ...inNodes].sort(byPlace)
  }

  /** Messages after the parser's first error are of no help. */
  #firstSyntaxError(holds: string): Problem[] {
    // `!Note: we close` is a tag for YAML, and its first word would be lost. Tags of YAML itself lose nothing.
    const lost = this.#document.warnings.filter(({ message }) => message.startsWith('Unresolved tag: !'))
    const [first] = [...this.#document.errors, ...lost]
    if (!first) return []
    const { offset, message } = mistakeOf(first, this.#text, this.#document, holds)
    return [this.#atOffset(offset, message)]
  }

  /** Checks limits, duplicate keys and undefined aliases in one pass. Fills `#pairs`. */
  #checkNodes(): Problem[] {
    const problems: Problem[] = []
    const open: unknown[] = [this.#document.contents]
    let aliases = 0
    const anchored = new Map<string, Scalar>()
    const used = new Set<string>()
    while (open.length > 0) {
      const node = open.pop()
      if (isScalar(node) && node.anchor !== undefined) anchored.set(node.anchor, node)
      if (isAlias(node)) {
        used.add(node.source)
        if (++aliases > ALIASES_MAX) return [this.#tooManyAliases()]
        if (!node.resolve(this.#document)) problems.push(this.#aliasOfNothing(node))
      } else if (isSeq(node)) {
        for (const item of node.items) open.push(item)
      } else if (isMap(node)) {
        for (const { key, value } of node.items) open.push(key, value)
        problems.push(...this.#indexKeys(node as YAMLMap<Node, Node | null>))
      }
    }
    const idle = [...anchored].filter(([name]) => !used.has(name))
    return [...problems, ...idle.slice(-IDLE_ANCHORS_SHOWN).map(([name, node]) => this.#uselessAnchor(name, node))]
  }

  #indexKeys(map: YAMLMap<Node, Node | null>): Problem[] {
    const pairs = new Map<string, Pair<Node, Node | null>>()
    this.#pairs.set(map, pairs)
    return map.items.flatMap((pair) => {
      if (!isScalar(pair.key)) return []
      const name = nameOf(pair.key)
      if (pairs.has(name)) return [this.#atOffset(pair.key.range?.[0] ?? 0, `"${name.slice(0, 60)}" ${DOUBLED_KEY}`)]
      pairs.set(name, pair)
      return []
    })
  }

  /** Plain data; undefined, with a further problem, when aliases expand too far. */
  #toData(problems: Problem[]): unknown {
    try {
      return this.#document.toJS({ maxAliasCount: ALIASES_MAX })
    } catch {
      problems.push(this.#tooManyAliases())
      return undefined
    }
  }

  #tooManyAliases(): Problem {
    return this.#atOffset(0, `too many aliases (more than ${ALIASES_MAX} expansions); write the values out`)
  }

  #aliasOfNothing({ source, range }: Alias): Problem {
    return this.#atOffset(range?.[0] ?? 0, `no &${source} stands above this *${source}; text with a * needs quotes`)
  }

  #uselessAnchor(name: string, { range }: Scalar): Problem {
    const offset = this.#text.lastIndexOf(`&${name}`, range?.[0])
    return this.#atOffset(offset, `nothing repeats &${name}; a text that begins with & needs quotes`)
  }

  #atOffset(offset: number, message: string, severity: Problem['severity'] = 'error'): Problem {
    const { line, col } = this.#lines.linePos(offset)
    return { file: this.file, line: Math.max(1, line), column: Math.max(1, col), severity, message }
  }
}

/** Duplicate keys are each a separate mistake, and not a syntax error. */
export function isDoubledKey({ message }: Problem): boolean {
  return message.endsWith(DOUBLED_KEY)
}

/** The key as in `value`: `1` and `"1"` are the same, and an empty key is the empty text. */
function nameOf({ value }: Scalar): string {
  return value === null ? '' : String(value)
}

function itemAt(node: unknown, place: string | number): Node | undefined {
  return isSeq(node) ? (node.items[Number(place)] as Node | undefined) : undefined
}

/** Counted here: the parser forgets the end of a line in which it gave up (yaml 2, an alias as a key). */
function linesOf(text: string): LineCounter {
  const lines = new LineCounter()
  let start = 0
  for (const line of text.split('\n')) {
    lines.addNewLine(start)
    start += line.length + 1
  }
  return lines
}
