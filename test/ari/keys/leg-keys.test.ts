/** What a real Asterisk reported while telephones typed known keys, each of them as SIP INFO too. */
import { expect, test } from 'vitest'
import { LegKeys } from '../../../src/ari/keys/leg-keys.ts'

/**
 * Everything that came for a leg, with its ms since the first: a report of a key (`p` if a prompt played) with its
 * length, or, as `I`, INFO with the length that it said.
 */
const NOTED: readonly (readonly [telephone: string, typed: string, noted: string])[] = [
  [
    'both every 200 ms: Asterisk falls behind, and reports the keys of the sound after the last INFO',
    '992783780099#',
    '9p 100 0, I9 160 52, 9 160 63, I9 160 211, 9 160 345, 9 100 345, I2 160 407, I7 160 671, 9 100 719, ' +
      'I8 160 855, 2 160 965, I3 160 1023, 7 160 1219, I7 160 1330, I8 160 1404, 8 160 1458, I0 160 1611, ' +
      '3 160 1669, I0 160 1816, 7 160 1971, I9 160 2013, I9 160 2239, 8 160 2271, I# 160 2438, 0 160 2575, ' +
      '0 160 2827, 9 160 3045, 9 160 3290, # 160 3611, 2 100 3611, 2p 100 3835, 7p 100 3836, 8p 100 3836, ' +
      '3p 100 3836, 7p 100 3839, 8p 100 3839, 0p 100 3839, 0p 100 3839, 9p 100 3840, 9p 100 3840, #p 100 3840',
  ],
  [
    'both with the same length',
    '743672033333#',
    '7p 100 0, I7 100 3, 7 100 47, 4 100 201, I4 100 212, I3 100 422, 4 100 441, I6 100 644, 3 100 733, ' +
      'I7 100 827, 6 100 947, 7 100 1102, I2 100 1108, I0 100 1205, 2 100 1325, I3 100 1463, 0 100 1539, ' +
      'I3 100 1619, 3 100 1703, I3 100 1809, 3 100 1880, I3 100 2029, 3 100 2101, I3 100 2242, 3 100 2337, ' +
      'I# 100 2425, 3 100 2573, # 100 2841, 3 100 2841, 3p 100 3073, 6p 100 3073, 7p 100 3073, 2p 100 3073, ' +
      '0p 100 3073, 3p 100 3073, 3p 100 3074, 3p 100 3074, 3p 100 3074, 3p 100 3074, #p 100 3074',
  ],
  [
    'INFO 120 ms after the release, three copies of it read late',
    '750037777740#',
    '7p 100 0, I7 160 119, 7 160 164, 5 100 206, 5 100 227, I5 160 319, 5 160 433, 0 100 434, I0 160 579, ' +
      '0 100 690, I0 160 736, 0 160 928, I3 160 1086, I7 160 1154, 0 160 1211, I7 160 1537, I7 160 1537, ' +
      '3 160 1627, I7 160 1789, I7 160 1959, 7 160 2006, I4 160 2222, 7 160 2254, I0 160 2389, 7 160 2562, ' +
      'I# 160 2579, 7 160 2890, 7 160 3156, 4 160 3478, 0 160 3774, # 160 4061, 0p 100 4091, 0p 100 4310, ' +
      '3p 100 4310, 7p 100 4310, 7p 100 4310, 7p 100 4311, 7p 100 4311, 7p 100 4311, 4p 100 4311, 0p 100 4311, ' +
      '#p 100 4311',
  ],
]

/** The keys that were news. */
function news(noted: string): string {
  const keys = new LegKeys()
  return noted
    .split(', ')
    .filter((one) => {
      const [name = '', held, at] = one.split(' ')
      const isInfo = name.startsWith('I')
      const key = { digit: name[isInfo ? 1 : 0]!, heldMs: Number(held), atMs: Number(at) }
      return isInfo ? keys.takeInfo(key).isNew : keys.isNewReport({ ...key, isPlaying: name.endsWith('p') })
    })
    .map((one) => one.replace('I', '')[0])
    .join('')
}

test.for(NOTED)('%s: every key is news once', ([, typed, noted]) => {
  expect(news(noted)).toBe(typed)
})

test.for([
  ['INFO at the press, a long key', '4', 'I4 160 0, 4 160 1, 4 3000 3000'],
  ['INFO half a second after the release', '44', '4 100 0, I4 160 500, 4 160 545, 4 100 800, I4 160 1300, 4 160 1345'],
  ['the report of INFO before its copy', '11', '1 100 0, 1 160 45, I1 160 46, 1 100 400, 1 160 445, I1 160 446'],
  ['INFO alone', '112', 'I1 160 0, 1 160 1, I1 160 360, 1 160 361, I2 160 720, 2 160 721'],
  ['INFO alone, every report before its copy', '11', '1 40 0, I1 40 5, 1 40 100, I1 40 105'],
  ['INFO alone, one copy lost', '123', 'I1 160 0, 1 160 1, 2 160 361, I3 160 720, 3 160 721'],
  ['the sound alone after a transfer', '122', '1 100 0, I1 160 20, 1 160 65, 2 100 12000, 2 120 12400'],
  ['both, two copies lost', '1223', '1 100 0, I1 160 20, 1 160 65, 2 100 400, 2 160 445, 2 160 745, I3 160 900'],
  [
    'both, a copy read after its late report',
    '123',
    '1 100 0, I1 160 20, 1 160 65, 2 160 4000, I2 160 900, I3 160 4500',
  ],
  ['an overloaded Asterisk', '12', '1 100 0, I1 160 20, 1 160 65, I2 160 400, 2 160 445, 2 100 6000, 2 100 6100'],
  ['the sound alone', '11', '1 100 0, 1 120 400'],
])('%s: every key is news once', ([, typed, noted]) => {
  expect(news(noted!)).toBe(typed)
})

test('the copy of INFO names the key that its report told: which one, counted from the latest', () => {
  const keys = new LegKeys()
  const typed = [
    { digit: '4', heldMs: 120, atMs: 0 },
    { digit: '2', heldMs: 120, atMs: 320 },
  ]
  for (const key of typed) expect(keys.isNewReport({ ...key, isPlaying: false })).toBe(true)
  const copies = typed.map((key) => keys.takeInfo({ ...key, atMs: key.atMs - 1 }))
  expect(copies).toEqual([
    { isNew: false, keysAgo: 2 },
    { isNew: false, keysAgo: 1 },
  ])
})

test('INFO of a key that was told from its sound names no way', () => {
  const keys = new LegKeys()
  keys.isNewReport({ digit: '4', heldMs: 100, atMs: 0, isPlaying: false })
  expect(keys.takeInfo({ digit: '4', heldMs: 160, atMs: 20 })).toEqual({ isNew: false })
})

test('a flood of INFO that Asterisk never reports is forgotten', () => {
  const flood = Array.from({ length: 60 }, (_, at) => `I1 100 ${at * 100}`)
  expect(news([...flood, '2 100 9000', '1 100 9500'].join(', '))).toBe(`${'1'.repeat(60)}2`)
})
