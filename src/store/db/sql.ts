/** The earlier of $1 and the database's instant, so that no single clock ends anything too soon; an index serves it. */
export const BOTH_CLOCKS = 'least($1::bigint, (extract(epoch from statement_timestamp()) * 1000)::bigint)'

/** A statement or a part of one: its texts and its values. */
export class Sql {
  readonly pieces: readonly (string | Value)[]

  constructor(pieces: readonly (string | Value)[]) {
    this.pieces = pieces
  }
}

/** Distinguishes a text value from the text of the statement. */
class Value {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** A nested `Sql` becomes part of the text; every other value becomes a parameter. */
export function sql(texts: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  const piecesAt = (index: number) => (index < values.length ? piecesOf(values[index]) : [])
  return new Sql(texts.flatMap((text, index) => [text, ...piecesAt(index)]))
}

/** A foreign name, quoted. */
export function quotedName(name: string): Sql {
  return new Sql([`"${name.replaceAll('"', '""')}"`])
}

/** Parts of a statement with the separator between them. */
export function joined(parts: readonly Sql[], separator: string): Sql {
  return new Sql(parts.flatMap(({ pieces }, index) => (index === 0 ? pieces : [separator, ...pieces])))
}

/** The text of a statement with `$1`, `$2` …, and their values. */
export function written({ pieces }: Sql): [string, readonly unknown[]] {
  const values: unknown[] = []
  const texts = pieces.map((piece) => (typeof piece === 'string' ? piece : `$${values.push(piece.value)}`))
  return [texts.join(''), values]
}

function piecesOf(value: unknown): readonly (string | Value)[] {
  return value instanceof Sql ? value.pieces : [new Value(value)]
}
