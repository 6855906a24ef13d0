/** A statement, or a part of one: texts, and the values that travel beside them. */
export class Sql {
  readonly pieces: readonly (string | Value)[]

  constructor(pieces: readonly (string | Value)[]) {
    this.pieces = pieces
  }
}

/** Tells a value that is a text from the text of the statement. */
class Value {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** A part of a statement becomes part of the text; every other value travels beside it. */
export function sql(texts: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  const piecesAt = (index: number) => (index < values.length ? piecesOf(values[index]) : [])
  return new Sql(texts.flatMap((text, index) => [text, ...piecesAt(index)]))
}

/** A name that is not our own, quoted. */
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
