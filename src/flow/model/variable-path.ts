/** How flows name a value: `caseInfo.items[0].name`, or `$.caseInfo['payment url']` for members with odd characters. */

/** A place in the variables of a call. Plain data. */
export interface VariablePath {
  /** As the author wrote it. */
  readonly text: string
  /** Members by name, entries of lists by number. The first part is the variable. */
  readonly parts: readonly (string | number)[]
}

/** The variables of a call, by name. Plain JSON. */
export type Scope = Readonly<Record<string, unknown>>

/** `offset` counts characters from the beginning of the text. */
export type Misread = { readonly ok: false; readonly message: string; readonly offset: number }
type PathResult = { readonly ok: true; readonly path: VariablePath } | Misread

const NAME = /[\p{L}_][\p{L}\p{N}_-]*/uy
const INDEX = /\[(\d{1,6})\]/y
const QUOTED = /\[(?:'([^'\\]*)'|"([^"\\]*)")\]/y
const PARTS_MAX = 32

/** Reads a whole text as one path (`has`, `in`, `by`). */
export function parsePath(text: string): PathResult {
  const read = readPath(text, 0)
  if (!read.ok) return read
  if (read.end === text.length) return { ok: true, path: read.path }
  return {
    ok: false,
    message: `"${text[read.end]}" is not allowed in a path; write a path such as caseInfo.caseNumber`,
    offset: read.end,
  }
}

/** Reads the path that begins at `start`; `end` is where it stops. */
export function readPath(text: string, start: number): { ok: true; path: VariablePath; end: number } | Misread {
  const parts: (string | number)[] = []
  let at = start
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(text) ?? undefined
    if (match) at = pattern.lastIndex
    return match
  }
  const root = text.startsWith('$', at) ? undefined : take(NAME)
  if (root) parts.push(root[0])
  else if (text[at] === '$') at++
  else
    return {
      ok: false,
      message: 'the path of a value is missing; write a path such as caseInfo.caseNumber',
      offset: at,
    }
  for (let isLast = false; !isLast; ) {
    const index = take(INDEX)
    const quoted = index ? undefined : take(QUOTED)
    if (index) parts.push(Number(index[1]))
    else if (quoted) parts.push(quoted[1] ?? quoted[2]!)
    else if (text[at] === '.') {
      at++
      const member = take(NAME)
      if (!member) return { ok: false, message: '"." must be followed by the name of one member', offset: at }
      parts.push(member[0])
    } else isLast = true
  }
  if (text[at] === '[')
    return { ok: false, message: "brackets take a number or a quoted name: [0], ['pay url']", offset: at }
  if (typeof parts[0] !== 'string')
    return { ok: false, message: 'the path names no variable; begin with the name of a variable', offset: start }
  if (parts.length > PARTS_MAX)
    return { ok: false, message: `a path has at most ${PARTS_MAX} parts; shorten it`, offset: start }
  return { ok: true, path: { text: text.slice(start, at), parts }, end: at }
}

/** The value at a path, or undefined. Only own members and list entries: `constructor`, `length` are missing names. */
export function lookUp(parts: VariablePath['parts'], root: unknown): unknown {
  let value = root
  for (const part of parts) {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value) !== (typeof part === 'number') || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string | number, unknown>)[part]
  }
  return value
}

/** Paths come from flow files, so they are few. */
const paths = new Map<string, VariablePath['parts']>()
const PATHS_MAX = 10_000

/** The value at a path written as text (`has`, `in`, `by`); undefined also for a text that is no path. */
export function valueAtPath(text: string, scope: Scope): unknown {
  let parts = paths.get(text)
  if (!parts) {
    const read = parsePath(text)
    if (!read.ok) return undefined
    parts = read.path.parts
    if (paths.size >= PATHS_MAX) paths.clear()
    paths.set(text, parts)
  }
  return lookUp(parts, scope)
}
