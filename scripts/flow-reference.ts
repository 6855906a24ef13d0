/** `docs/flow-reference.md`, from the schema and the kinds table that the reader itself uses. */
import { ENGINE_ROOTS } from '../src/flow/model/engine-roots.ts'
import { LIMIT_END, STEP_KIND_NAMES, STEP_KINDS } from '../src/flow/model/kinds.ts'
import { FILTERS } from '../src/flow/model/template-parser.ts'
import { flowFile } from '../src/flow/read/schema.ts'
import { segment } from '../src/flow/read/schema-prompt.ts'
import { step } from '../src/flow/read/schema-steps.ts'
import {
  FAILURES,
  FILE_EXAMPLE,
  FILTER_MEANINGS,
  KIND_EXAMPLES,
  VARIABLE_EXAMPLES,
  VARIABLES,
} from './flow-examples.ts'

interface Shape {
  readonly type?: string
  readonly description?: string
  readonly hint?: string
  readonly default?: unknown
  readonly definition?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
}

interface Row {
  readonly key: string
  readonly shape: Shape
  readonly isRequired: boolean
}

const KINDS: readonly string[] = STEP_KIND_NAMES

/** The text of `docs/flow-reference.md`. The same schema always gives the same bytes. */
export function flowReferenceText(): string {
  const common = rowsOf(step as unknown as Shape, '').filter(({ key }) => !KINDS.includes(key.split('.')[0]!))
  return `${[
    '# Flow language reference',
    '',
    'Made by `npm run generate:flow-schema` from what the engine reads. [flows.md](flows.md) explains the language.',
    '',
    '## The file',
    '',
    ...example(FILE_EXAMPLE.trimEnd()),
    ...table(rowsOf(flowFile as unknown as Shape, '', ['steps', 'onHangup', 'prompts'])),
    '## Every step',
    '',
    'A step has exactly one kind and these keys. Failures go where `on` says, then to `onError`, then to an apology.',
    '',
    ...table(common),
    ...STEP_KIND_NAMES.flatMap(section),
    '## Pieces of a prompt',
    '',
    `${(segment as unknown as Shape).description} A prompt is a text, one piece, or a list of them.`,
    '',
    ...table(rowsOf(segment as unknown as Shape, '')),
    '## Failures',
    '',
    '| Name | When | Kinds |',
    '|---|---|---|',
    ...failures().map((name) => row(`\`${name}\``, of(FAILURES, name), kindsWith(name))),
    '',
    'An `http` step also ends with a status such as `409`.',
    '',
    '## Variables of the engine',
    '',
    '| Variable | Value | Example |',
    '|---|---|---|',
    ...variables().map((name) => row(`\`${name}\``, of(VARIABLES, name), `\`${of(VARIABLE_EXAMPLES, name)}\``)),
    '',
    '## Filters',
    '',
    'A value in a text has at most one filter.',
    '',
    '| Filter | Writes | Example |',
    '|---|---|---|',
    ...FILTERS.map((name) => row(`\`${name}\``, of(FILTER_MEANINGS, name)[0], `\`${of(FILTER_MEANINGS, name)[1]}\``)),
  ].join('\n')}\n`
}

function section(kind: (typeof STEP_KIND_NAMES)[number]): string[] {
  const shape = (step as unknown as Shape).properties![kind]!
  const { ends, gives, goesOnBy, afterHangup } = STEP_KINDS[kind]
  const facts = [
    ['Continues by', goesOnBy === 'next' ? '`next`' : goesOnBy],
    ['Result (`as`)', gives ?? '–'],
    ['Failures (`on`)', ends.length > 0 ? ends.map((end) => `\`${end}\``).join(', ') : '–'],
    ['In `onHangup`', afterHangup ? 'yes' : 'no'],
  ]
  return [
    `## ${kind}`,
    '',
    shape.description ?? '',
    '',
    '| | |',
    '|---|---|',
    ...facts.map(([name, fact]) => `| ${name} | ${fact} |`),
    '',
    ...example(KIND_EXAMPLES[kind]),
    ...table(rowsOf(mapIn(shape), '')),
  ]
}

/** The map of a kind that may also be empty (`hangup`). */
function mapIn(shape: Shape): Shape {
  return shape.definition === 'prompt' ? {} : (shape.anyOf?.find(({ type }) => type === 'object') ?? shape)
}

/** Keys, and those inside them: `expect.required`. Prompts and steps are described once. */
function rowsOf(shape: Shape, above: string, closed: readonly string[] = []): Row[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => {
    const key = above + name
    const row = { key, shape: inner, isRequired: shape.required?.includes(name) ?? false }
    const isDescribed = inner.definition !== undefined && inner.definition !== 'reprompt'
    const isClosed = closed.includes(name) || isDescribed || (above === '' && KINDS.includes(name))
    return isClosed ? [row] : [row, ...rowsWithin(inner, key)]
  })
}

function rowsWithin(shape: Shape, key: string): Row[] {
  const [entry] = Object.values(shape.patternProperties ?? {})
  const maps = shape.anyOf?.filter(({ definition }) => definition === undefined) ?? []
  return [
    ...rowsOf(shape, `${key}.`),
    ...(entry ? rowsOf(entry, `${key}.….`) : []),
    ...(shape.items && shape.items.definition === undefined ? rowsOf(shape.items, `${key}[].`) : []),
    ...maps.flatMap((choice) => rowsOf(choice, `${key}.`)),
  ]
}

function table(rows: readonly Row[]): string[] {
  if (rows.length === 0) return []
  return [
    '| Key | Meaning | Value | Default |',
    '|---|---|---|---|',
    ...rows.map(({ key, shape, isRequired }) => {
      const standard =
        shape.default === undefined ? (isRequired ? 'required' : '–') : `\`${JSON.stringify(shape.default)}\``
      return row(`\`${key}\``, shape.description ?? '', shape.hint ?? wantedOf(shape), standard)
    }),
    '',
  ]
}

function wantedOf({ type, patternProperties }: Shape): string {
  if (type === 'array') return 'a list'
  return type === 'object' ? (patternProperties ? 'a map whose keys you choose' : 'a map') : 'any value'
}

/** A line of a table; a bar within a cell would end it. */
function row(...cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function example(text: string): string[] {
  return ['```yaml', text, '```', '']
}

function kindsWith(name: string): string {
  if (name === LIMIT_END) return 'every kind with `limit`'
  const kinds = STEP_KIND_NAMES.filter((kind) => STEP_KINDS[kind].ends.includes(name))
  return kinds.map((kind) => `\`${kind}\``).join(', ')
}

function failures(): readonly string[] {
  const named = new Set(STEP_KIND_NAMES.flatMap((kind) => STEP_KINDS[kind].ends).filter((end) => end !== 'failed'))
  return [...named, 'failed', LIMIT_END]
}

function variables(): string[] {
  const known = Object.entries(ENGINE_ROOTS).flatMap(
    ([root, members]) => members?.map((name) => `${root}.${name}`) ?? [root],
  )
  return [...known, 'secret']
}

/** A name that the table above does not explain must not be left out in silence. */
function of<T>(table: Readonly<Record<string, T>>, name: string): T {
  const found = table[name]
  if (found === undefined) throw new Error(`scripts/flow-examples.ts says nothing about ${name}; add it`)
  return found
}
