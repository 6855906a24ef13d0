import type { JournalLine } from '../ports/journal.ts'

/**
 * Lines of one call in which each key names its way. A copy of SIP INFO that was read after the report of its key is a
 * line of its own in the journal (`leg.digitWasInfo`); here the line of the key says so instead. `lines` in order.
 */
export function withLateWays(lines: readonly JournalLine[]): readonly JournalLine[] {
  const named: JournalLine[] = []
  /** By leg: where its keys are in `named`. */
  const keys = new Map<unknown, number[]>()
  for (const line of lines) {
    const { type, leg, keysAgo } = line.what
    const ofLeg = keys.get(leg) ?? []
    if (type === 'leg.digitWasInfo') {
      const place = ofLeg.at(-Number(keysAgo))
      const key = place === undefined ? undefined : named[place]
      if (key) named[place!] = { ...key, what: { ...key.what, isInfo: true } }
      continue
    }
    if (type === 'leg.digit') keys.set(leg, [...ofLeg, named.length])
    named.push(line)
  }
  return named
}
