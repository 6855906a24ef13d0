/**
 * What the node may say to a person of the console, read from its source. The parser is that of `texts.test.ts`: the
 * TypeScript of this project has no stable compiler API.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

interface Node {
  readonly type: string
  readonly [name: string]: unknown
}

/** Where sentences stand: arguments of functions by their place, and members of object literals by their name. */
export interface Sinks {
  readonly calls?: Readonly<Record<string, number>>
  readonly members?: readonly string[]
  /** Tables whose texts with a blank are sentences. */
  readonly tables?: readonly string[]
}

interface File {
  readonly program: Node
  /** What stands in the file under a name, in whatever block: values of constants, and functions. */
  readonly named: ReadonlyMap<string, readonly Node[]>
  /** Imported name → file. */
  readonly imports: ReadonlyMap<string, string>
}

/** What is put in for a value that only the running node knows. */
export const VALUE = '{}'
/** Their texts come from outside, although they are put together here. */
const FROM_OUTSIDE = new Set(['targetText'])
const DEPTH_MAX = 12
const ROOT = join(import.meta.dirname, '../../..')
const files = new Map<string, File>()

/** Every sentence of a file. Texts without a blank are codes, and a value alone was said elsewhere. */
export function sentencesOf(path: string, { calls = {}, members = [], tables = [] }: Sinks): string[] {
  const file = fileOf(join(ROOT, path))
  const found = tables.flatMap((name) => textsUnder(file, file.named.get(name) ?? []))
  each(file.program, (node) => {
    if (node.type === 'CallExpression') {
      const place = calls[nameOf(node['callee'] as Node)]
      const given = place === undefined ? undefined : (node['arguments'] as Node[])[place]
      if (given) found.push(...textsOf(given, new Reading(file)))
    } else if (node.type === 'Property' && members.includes(nameOf(node['key'] as Node))) {
      found.push(...textsOf(node['value'] as Node, new Reading(file)))
    }
  })
  return [...new Set(found)].filter((text) => / /.test(text) && /\p{L}{2}/u.test(text.replaceAll(VALUE, '')))
}

/** Where an expression stands: its file, what the parameters of its function are, and how deep it was followed. */
class Reading {
  readonly file: File
  readonly given: ReadonlyMap<string, readonly string[]>
  readonly depth: number

  constructor(file: File, given: ReadonlyMap<string, readonly string[]> = new Map(), depth = 0) {
    this.file = file
    this.given = given
    this.depth = depth
  }

  deeper(): Reading {
    return new Reading(this.file, this.given, this.depth + 1)
  }

  /** In a function, whose parameters are what it was given. */
  within(made: Node, args: readonly Node[]): Reading {
    const given = (made['params'] as Node[]).map((parameter, place) => {
      const name = nameOf(parameterOf(parameter))
      return [name, literalTypes(parameter) ?? (args[place] ? textsOf(args[place], this.deeper()) : [VALUE])] as const
    })
    return new Reading(this.file, new Map(given), this.depth + 1)
  }

  /** Where an imported name is made. */
  made(name: string): Reading {
    const from = this.file.imports.get(name)
    return from === undefined ? this.deeper() : new Reading(fileOf(from), this.given, this.depth + 1)
  }
}

/** All texts that an expression may be. */
function textsOf(node: Node, at: Reading): readonly string[] {
  if (at.depth > DEPTH_MAX) return [VALUE]
  const of = (name: string) => textsOf(node[name] as Node, at)
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? [node['value']] : node['value'] === null ? [] : [VALUE]
    case 'TemplateLiteral':
      return joined(node, at)
    case 'BinaryExpression':
      return node['operator'] === '+' ? of('left').flatMap((left) => of('right').map((right) => left + right)) : [VALUE]
    case 'ConditionalExpression':
      return [...of('consequent'), ...of('alternate')]
    case 'LogicalExpression':
      return node['operator'] === '&&' ? of('right') : [...of('left'), ...of('right')]
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return of('expression')
    case 'AwaitExpression':
      return of('argument')
    case 'Identifier':
      return ofName(nameOf(node), at)
    case 'MemberExpression':
      return ofMember(node, at)
    case 'CallExpression':
      return ofCall(node, at)
    case 'ObjectExpression':
    case 'ArrayExpression':
      return []
    default:
      return [VALUE]
  }
}

function joined(node: Node, at: Reading): string[] {
  const values = (node['expressions'] as Node[]).map((one) => textsOf(one, at))
  const between = (node['quasis'] as Node[]).map((one) => (one['value'] as { cooked: string }).cooked)
  return values.reduce<string[]>(
    (texts, value, place) => texts.flatMap((text) => value.map((one) => text + one + between[place + 1])),
    [between[0] ?? ''],
  )
}

function ofName(name: string, at: Reading): readonly string[] {
  if (name === 'undefined') return []
  const given = at.given.get(name)
  if (given) return given
  const there = at.made(name)
  const values = (there.file.named.get(name) ?? []).filter(({ type }) => !isFunction(type))
  return values.length === 0 ? [VALUE] : values.flatMap((value) => textsOf(value, there))
}

/** One text of a table, or all of them where the running node chooses. */
function ofMember(node: Node, at: Reading): readonly string[] {
  const table = nameOf(node['object'] as Node)
  const there = at.made(table)
  const made = (there.file.named.get(table) ?? []).map(plain).find(({ type }) => type === 'ObjectExpression')
  if (!made) return [VALUE]
  const members = (made['properties'] as Node[]).filter(({ type }) => type === 'Property')
  const chosen = node['computed'] ? undefined : nameOf(node['property'] as Node)
  const meant = members.filter(({ key }) => chosen === undefined || nameOf(key as Node) === chosen)
  return meant.flatMap(({ value }) => textsOf(value as Node, there))
}

/** What a function of this project returns. */
function ofCall(node: Node, at: Reading): readonly string[] {
  const name = nameOf(node['callee'] as Node)
  if (FROM_OUTSIDE.has(name)) return [VALUE]
  const there = at.made(name)
  const made = (there.file.named.get(name) ?? []).find(({ type }) => isFunction(type))
  if (!made) return [VALUE]
  const bound = at.within(made, node['arguments'] as Node[])
  const inside = new Reading(there.file, bound.given, bound.depth)
  const body = made['body'] as Node
  if (body.type !== 'BlockStatement') return textsOf(body, inside)
  const returned: string[] = []
  each(body, (one) => {
    if (one.type === 'ReturnStatement' && one['argument']) returned.push(...textsOf(one['argument'] as Node, inside))
  })
  return returned
}

function textsUnder(file: File, nodes: readonly Node[]): string[] {
  const found: string[] = []
  for (const node of nodes) {
    each(node, (one) => {
      if (one.type === 'Literal' || one.type === 'TemplateLiteral') found.push(...textsOf(one, new Reading(file)))
    })
  }
  return found
}

/** `'campaign' | 'team'` of a parameter. */
function literalTypes(parameter: Node): string[] | undefined {
  const type = (parameterOf(parameter)['typeAnnotation'] as { readonly typeAnnotation?: Node } | null | undefined)
    ?.typeAnnotation
  if (type?.type !== 'TSUnionType') return undefined
  const texts = (type['types'] as Node[]).map((one) => (one['literal'] as Node | undefined)?.['value'])
  return texts.every((text) => typeof text === 'string') ? texts : undefined
}

/** Without its default. */
function parameterOf(node: Node): Node {
  return node.type === 'AssignmentPattern' ? (node['left'] as Node) : node
}

function fileOf(path: string): File {
  const known = files.get(path) ?? read(path)
  files.set(path, known)
  return known
}

function read(path: string): File {
  const parsed = parseSync(path, readFileSync(path, 'utf8'), { lang: 'ts' })
  if (parsed.errors.length > 0) throw new Error(`${path} cannot be read`)
  const program = parsed.program as unknown as Node
  const named = new Map<string, Node[]>()
  const imports = new Map<string, string>()
  const add = (name: string, node: Node) => named.set(name, [...(named.get(name) ?? []), node])
  each(program, (node) => {
    const id = node['id'] as Node | null | undefined
    if (node.type === 'VariableDeclarator' && node['init'] && id?.type === 'Identifier') {
      add(nameOf(id), plain(node['init'] as Node))
    }
    if (node.type === 'FunctionDeclaration' && id && node['body']) add(nameOf(id), node)
    if (isFunction(node.type)) {
      for (const one of node['params'] as Node[]) {
        for (const value of literalTypes(one) ?? []) add(nameOf(parameterOf(one)), { type: 'Literal', value })
      }
    }
    if (node.type === 'MethodDefinition') add(nameOf(node['key'] as Node), node['value'] as Node)
    if (node.type === 'ImportDeclaration') {
      const from = String((node['source'] as Node)['value'])
      for (const one of node['specifiers'] as Node[]) {
        if (from.startsWith('.')) imports.set(nameOf(one['local'] as Node), join(dirname(path), from))
      }
    }
  })
  return { program, named, imports }
}

function plain(node: Node): Node {
  return node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression'
    ? plain(node['expression'] as Node)
    : node
}

function isFunction(type: string): boolean {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type)
}

/** Of an identifier, of what is called, or of a key. */
function nameOf(node: Node): string {
  if (node.type === 'MemberExpression') return nameOf(node['property'] as Node)
  return String(node['name'] ?? node['value'] ?? '')
}

function each(node: Node, told: (node: Node) => void): void {
  told(node)
  for (const child of Object.values(node)) {
    for (const one of Array.isArray(child) ? child : [child]) {
      if (typeof one === 'object' && one !== null && 'type' in one) each(one as Node, told)
    }
  }
}
