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

/** Users read these files; a larger one is a mistake. */
const BYTES_MAX = 1024 * 1024
const KEYS_MAX = 10_000
/** In the file, and again as expansions of one anchor: nested ones multiply. */
const ALIASES_MAX = 50
const DOUBLED_KEY = 'this key is already used above'

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
  readonly #document: Document
  readonly #lines = new LineCounter()
  readonly #pairs = new Map<YAMLMap, Pairs>()

  /** `holds` names the content in messages: `flow`, `configuration`. */
  constructor(file: string, text: string, holds: string) {
    this.file = file
    const isTooLarge = Buffer.byteLength(text) > BYTES_MAX
    this.#document = parseDocument(isTooLarge ? '' : text, {
      lineCounter: this.#lines,
      // YAML 1.2: `no` stays text, `09:00` stays text. Tags that make anything but JSON are unknown.
      version: '1.2',
      strict: true,
      resolveKnownTags: false,
      // The parser's own search for duplicate keys is quadratic; `#checkNodes` finds them.
      uniqueKeys: false,
      // Otherwise the parser prints warnings. Not `silent`, which would also hide a second document.
      logLevel: 'error',
    })
    const problems = isTooLarge
      ? [this.#atOffset(0, `the file is larger than ${BYTES_MAX / 1024} kB`)]
      : [...this.#firstSyntaxError(holds), ...this.#checkNodes(holds)].sort(byPlace)
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

  /** The scalar at `path` as written, to distinguish `+372…` (a number) from `"+372…"` (text). */
  writtenAt(path: Path): string | undefined {
    let node: Node | null | undefined = this.#document.contents
    for (const part of path) node = this.#pairAt(node, part)?.value ?? itemAt(node, part)
    return isScalar(node) ? node.source : undefined
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

  /** Messages after the parser's first error are of no help. */
  #firstSyntaxError(holds: string): Problem[] {
    const [first] = this.#document.errors
    return first ? [this.#atOffset(first.pos[0], plainly(first, holds))] : []
  }

  /** Checks limits, duplicate keys and undefined aliases in one pass. Fills `#pairs`. */
  #checkNodes(holds: string): Problem[] {
    const problems: Problem[] = []
    const open: unknown[] = [this.#document.contents]
    let keys = 0
    let aliases = 0
    while (open.length > 0) {
      const node = open.pop()
      if (isAlias(node)) {
        if (++aliases > ALIASES_MAX) return [this.#tooManyAliases()]
        if (!node.resolve(this.#document)) problems.push(this.#aliasOfNothing(node))
      } else if (isSeq(node)) {
        for (const item of node.items) open.push(item)
      } else if (isMap(node)) {
        keys += node.items.length
        if (keys > KEYS_MAX) return [this.#atOffset(0, `more than ${KEYS_MAX} keys; split the ${holds}`)]
        for (const { key, value } of node.items) open.push(key, value)
        problems.push(...this.#indexKeys(node as YAMLMap<Node, Node | null>))
      }
    }
    return problems
  }

  #indexKeys(map: YAMLMap<Node, Node | null>): Problem[] {
    const pairs = new Map<string, Pair<Node, Node | null>>()
    this.#pairs.set(map, pairs)
    return map.items.flatMap((pair) => {
      if (!isScalar(pair.key)) return []
      const name = nameOf(pair.key)
      if (pairs.has(name)) return [this.#atOffset(pair.key.range?.[0] ?? 0, DOUBLED_KEY)]
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

  #atOffset(offset: number, message: string, severity: Problem['severity'] = 'error'): Problem {
    const { line, col } = this.#lines.linePos(offset)
    return { file: this.file, line: Math.max(1, line), column: Math.max(1, col), severity, message }
  }
}

/** Duplicate keys are each a separate mistake, and not a syntax error. */
export function isDoubledKey({ message }: Problem): boolean {
  return message === DOUBLED_KEY
}

/** The key as in `value`: `1` and `"1"` are the same, and an empty key is the empty text. */
function nameOf({ value }: Scalar): string {
  return value === null ? '' : String(value)
}

function itemAt(node: unknown, place: string | number): Node | undefined {
  return isSeq(node) ? (node.items[Number(place)] as Node | undefined) : undefined
}

/** The parser's message in the words of a user. */
function plainly({ code, message }: { code: string; message: string }, holds: string): string {
  if (code === 'MULTIPLE_DOCS') return `a file holds one ${holds}; remove everything from the second --- on`
  if (code === 'RESOURCE_EXHAUSTION') return 'too many brackets within each other'
  return message
    .split(/ at line \d+/)[0]!
    .replace(/\s+/g, ' ')
    .trim()
}
