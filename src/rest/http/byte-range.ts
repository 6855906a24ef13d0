/** One byte range (RFC 9110, section 14). A request for several ranges gets the whole file, which the RFC allows. */

/** Both ends are inclusive. */
interface ByteRange {
  readonly from: number
  readonly to: number
}

/** Parses a `Range` header. `whole`: no range, or one that is not supported. */
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
