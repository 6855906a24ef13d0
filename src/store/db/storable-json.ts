/** JSON for a jsonb column. PostgreSQL refuses U+0000 and lone surrogates, which other systems may send us. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'string') return storable(inner)
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).map(([name, one]) => [storable(name), one]))
  })
}

/** A text for a column: the same for one value. */
export function storable(text: string): string {
  return text.replaceAll('\0', '�').toWellFormed()
}
