import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml'
import type { Problem } from './problem.ts'

/** A flow or set-up file is read by people; a megabyte is not. */
const BYTES_MAX = 1024 * 1024
const ALIASES_MAX = 50

/** A path into a document: map keys and list positions. */
export type Path = readonly (string | number)[]

/** A YAML text with its positions, so that every complaint can name line and column. */
export class YamlSource {
  readonly file: string
  /** Problems of the YAML itself. While there are any, `value` is undefined. */
  readonly problems: readonly Problem[]
  /** The document as plain data. */
  readonly value: unknown
  readonly #document: Document
  readonly #lines = new LineCounter()

  constructor(file: string, text: string) {
    this.file = file
    const tooLarge = Buffer.byteLength(text) > BYTES_MAX
    // YAML 1.2: `no` stays text, `09:00` stays text. Unique keys are the default and stay on.
    this.#document = parseDocument(tooLarge ? '' : text, { lineCounter: this.#lines, version: '1.2', strict: true })
    const problems: Problem[] = tooLarge ? [this.#atOffset(0, `the file is larger than ${BYTES_MAX / 1024} kB`)] : []
    for (const error of this.#document.errors) problems.push(this.#atOffset(error.pos[0], plainly(error)))
    let value: unknown
    if (problems.length === 0) {
      try {
        value = this.#document.toJS({ maxAliasCount: ALIASES_MAX })
      } catch {
        problems.push(this.#atOffset(0, `too many aliases (more than ${ALIASES_MAX} expansions); write the values out`))
      }
    }
    this.problems = problems
    this.value = problems.length === 0 ? value : undefined
  }

  /** A problem at the value that `path` names, or at the nearest thing above it that exists. */
  problem(path: Path, message: string, severity: Problem['severity'] = 'error'): Problem {
    return this.#atOffset(this.#offsetOf(path, 'value'), message, severity)
  }

  /** A problem at the key itself, where a map's key is what is wrong. */
  problemAtKey(path: Path, message: string, severity: Problem['severity'] = 'error'): Problem {
    return this.#atOffset(this.#offsetOf(path, 'key'), message, severity)
  }

  /** The line of the key that `path` names; 1-based. */
  lineOf(path: Path): number {
    return this.#lines.linePos(this.#offsetOf(path, 'key')).line
  }

  /** How the scalar at `path` was written, for telling `+372…` (a number) from `"+372…"` (text). */
  writtenAt(path: Path): string | undefined {
    const node = this.#document.getIn(path, true)
    return isScalar(node) ? node.source : undefined
  }

  #offsetOf(path: Path, wanted: 'key' | 'value'): number {
    let node = this.#document.contents as Node | null
    let offset = node?.range?.[0] ?? 0
    for (const [depth, part] of path.entries()) {
      let child: Node | null | undefined
      if (isMap(node)) {
        const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part))
        const key = (pair as Pair<Node, Node> | undefined)?.key
        child = (pair as Pair<Node, Node | null> | undefined)?.value
        offset = key?.range?.[0] ?? offset
        if (depth === path.length - 1 && wanted === 'key') return offset
      } else if (isSeq(node)) child = node.items[Number(part)] as Node | undefined
      if (!child) return offset
      node = child
      offset = node.range?.[0] ?? offset
    }
    return offset
  }

  #atOffset(offset: number, message: string, severity: Problem['severity'] = 'error'): Problem {
    const { line, col } = this.#lines.linePos(offset)
    return { file: this.file, line: Math.max(1, line), column: Math.max(1, col), severity, message }
  }
}

/** The parser's message in the words of somebody who writes flows. */
function plainly(error: { code: string; message: string }): string {
  if (error.code === 'DUPLICATE_KEY') return 'this key is already used above'
  return error.message
    .split(/ at line \d+/)[0]!
    .replace(/\s+/g, ' ')
    .trim()
}
