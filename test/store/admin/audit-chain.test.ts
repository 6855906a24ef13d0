/** The chain of the audit trail in memory: every later change is found. */
import { describe, expect, test } from 'vitest'
import type { CorporationId } from '../../../src/kernel/ids.ts'
import { type Random, randomInt, seededRandom } from '../../../src/kernel/random.ts'
import type { AuditAnchor, AuditEntry, AuditHead, AuditRecord } from '../../../src/ports/audit.ts'
import {
  CHAIN_BEGIN,
  type ChainBreak,
  type ChainClaims,
  ChainWalk,
  nextRecord,
} from '../../../src/store/admin/audit-chain.ts'

const OURS = 1 as CorporationId
const BEGIN: AuditHead = { corporation: OURS, number: 0, hash: CHAIN_BEGIN }
const YEAR_MS = 365 * 24 * 3_600_000

const entry = (atMs: number, change: Partial<AuditEntry> = {}): AuditEntry => ({
  atMs,
  credential: 'rc_one',
  user: 7,
  action: 'read',
  object: 'file',
  ids: ['5', '6'],
  count: 2,
  operation: 'GET /core/corefile',
  reason: null,
  address: '127.0.0.1',
  traceId: `t${atMs}`,
  ...change,
})

function chainOf(entries: readonly AuditEntry[], from: AuditHead = BEGIN): AuditRecord[] {
  const records: AuditRecord[] = []
  for (const next of entries) records.push(nextRecord(records.at(-1) ?? from, next))
  return records
}

const headOf = (records: readonly AuditRecord[]): AuditHead => {
  const { corporation, number, hash } = records.at(-1) ?? BEGIN
  return { corporation, number, hash }
}

function walk(records: readonly AuditRecord[], claims: Partial<ChainClaims> = {}): ChainBreak | undefined {
  const made = new ChainWalk({ base: BEGIN, head: headOf(records), anchors: [], removableUntilAtMs: 0, ...claims })
  for (const record of records) {
    const broken = made.take(record)
    if (broken) return broken
  }
  return made.end()
}

const whole = chainOf(Array.from({ length: 20 }, (_, index) => entry(index)))
const anchors: readonly AuditAnchor[] = [{ ...headOf(whole.slice(0, 15)), atMs: YEAR_MS }]
const claims = { head: headOf(whole), anchors }

/** Another value of the same kind. */
function other(value: unknown, random: Random): unknown {
  if (typeof value === 'number') return value + 1 + randomInt(random, 0, 5)
  if (typeof value === 'string') return value === '' ? 'x' : `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`
  if (Array.isArray(value)) return random.next() < 0.5 ? [...value].reverse() : [...value, '7']
  return value === null ? 'because' : null
}

/** One way to tamper with a chain, and the place where it shows at the latest. */
const TAMPERINGS: Readonly<Record<string, (random: Random) => { records: AuditRecord[]; at: number }>> = {
  'a field changed': (random) => {
    const place = randomInt(random, 0, whole.length - 1)
    const record = whole[place]!
    const names = Object.keys(record) as (keyof AuditRecord)[]
    const name = names[randomInt(random, 0, names.length - 1)]!
    const records = whole.with(place, { ...record, [name]: other(record[name], random) })
    return { records, at: place + 1 }
  },
  'some deleted': (random) => {
    const place = randomInt(random, 0, whole.length - 1)
    return { records: whole.toSpliced(place, randomInt(random, 1, 3)), at: place + 1 }
  },
  'two swapped': (random) => {
    const place = randomInt(random, 0, whole.length - 2)
    const next = randomInt(random, place + 1, whole.length - 1)
    return { records: whole.with(place, whole[next]!).with(next, whole[place]!), at: place + 1 }
  },
  'one put in': (random) => {
    const place = randomInt(random, 0, whole.length)
    return { records: whole.toSpliced(place, 0, nextRecord(whole[place - 1] ?? BEGIN, entry(99))), at: place + 2 }
  },
  'one written twice': (random) => {
    const place = randomInt(random, 0, whole.length - 1)
    return { records: whole.toSpliced(place, 0, whole[place]!), at: place + 2 }
  },
}

describe('a chain', () => {
  test('verifies as it was written, also when it is empty', () => {
    expect(walk(whole, claims)).toBeUndefined()
    expect(walk([])).toBeUndefined()
  })

  test.each(Object.entries(TAMPERINGS))('%s: found 200 times of 200, at its place (F-K5, INV-P8)', (_name, tamper) => {
    for (let seed = 1; seed <= 200; seed++) {
      const { records, at } = tamper(seededRandom(seed))
      const broken = walk(records, claims)
      expect(broken, `seed ${seed}`).toBeDefined()
      expect(broken!.number, `seed ${seed}`).toBeLessThanOrEqual(at)
    }
  })

  test('one that was hashed again from some record on differs from its anchor', () => {
    for (let place = 0; place < 15; place++) {
      const kept = whole.slice(0, place)
      const changed = whole.slice(place).map((record) => ({ ...record, user: 8 }))
      const records = [...kept, ...chainOf(changed, headOf(kept))]
      expect(walk(records), 'without anchors nobody could tell').toBeUndefined()
      expect(walk(records, { anchors })?.number).toBe(15)
    }
  })

  test('one whose tail was cut, head included, is shorter than its anchor', () => {
    for (let length = 0; length < 15; length++) {
      const records = whole.slice(0, length)
      expect(walk(records), 'without anchors nobody could tell').toBeUndefined()
      expect(walk(records, { anchors })?.number).toBe(length + 1)
    }
  })

  test('may lose its beginning once an anchor proves its age, and not before', () => {
    const base = headOf(whole.slice(0, 10))
    const late = whole.slice(10)
    expect(walk(late, { ...claims, base, removableUntilAtMs: YEAR_MS })).toBeUndefined()
    expect(walk(late, { ...claims, base, removableUntilAtMs: YEAR_MS - 1 })?.number).toBe(1)
    expect(walk(late, { ...claims, base, anchors: [], removableUntilAtMs: YEAR_MS })?.number).toBe(1)
    // Their anchor says nothing about ours.
    const theirs = anchors.map((anchor) => ({ ...anchor, corporation: 2 as CorporationId }))
    expect(walk(late, { ...claims, base, anchors: theirs, removableUntilAtMs: YEAR_MS })?.number).toBe(1)
  })
})
