/** One range of a file's bytes (RFC 9110, section 14). Several at once are answered with the whole, as it allows. */

/** Bytes from one to another, both included. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** The range that a `Range` header asks for, of a file of so many bytes. `whole`: there is none that we serve. */
export function readRange(header: string | undefined, size: number): ByteRange | 'whole' | 'not satisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '')
  const [, first = '', last = ''] = match ?? []
  if (!match || (first === '' && last === '')) return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'not satisfiable' : { from: size - length, to: size - 1 }
  }
  const from = Number(first)
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < from) return 'whole'
  return from < size ? { from, to } : 'not satisfiable'
}
