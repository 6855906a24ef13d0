import { describe, expect, test } from 'vitest'
import { differences, type Found, type Known } from '../../src/ari/reconcile.ts'
import type { BridgeId, LegId } from '../../src/kernel/ids.ts'

const NOTHING = {
  lost: [],
  answered: [],
  joined: [],
  outside: [],
  inherited: [],
  inheritedBridges: [],
  arrived: [],
  talking: [],
  broken: [],
  closeChannels: [],
  closeBridges: [],
}

interface Scene {
  /** `arrived`/`dialed`, with ` up` behind it when its answer was told. */
  readonly known?: Readonly<Record<string, string>>
  readonly bridges?: Readonly<Record<string, readonly string[]>>
  /** Channel id → state. All of them in our application, unless listed in `elsewhere`. */
  readonly channels?: Readonly<Record<string, string>>
  readonly elsewhere?: readonly string[]
  readonly foundBridges?: Readonly<Record<string, readonly string[]>>
  /** Legs and bridges of an earlier engine. */
  readonly expected?: readonly string[]
}

function compare(scene: Scene) {
  const { known = {}, bridges = {}, channels = {}, elsewhere = [], foundBridges = {}, expected = [] } = scene
  const before: Known = {
    legs: new Map(
      Object.entries(known).map(([name, text]) => {
        const id = name as LegId
        return [id, { id, kind: text.startsWith('dialed') ? 'dialed' : 'arrived', answered: text.endsWith('up') }]
      }),
    ),
    bridges: new Map(
      Object.entries(bridges).map(([name, members]) => {
        const [id, legs] = [name as BridgeId, new Set(members as LegId[])]
        return [id, { id, legs, joined: legs }]
      }),
    ),
    expected: {
      legs: new Set(expected.filter(isLeg) as LegId[]),
      bridges: new Set(expected.filter(isBridge) as BridgeId[]),
    },
  }
  const found: Found = {
    channels: Object.entries(channels).map(([id, state]) => ({
      id,
      name: `PJSIP/phone-${id}`,
      state,
      caller: { number: '+3725551234' },
      dialplan: { exten: '100' },
    })),
    bridges: Object.entries(foundBridges).map(([id, members]) => ({ id, channels: members })),
    appChannels: new Set(Object.keys(channels).filter((id) => !elsewhere.includes(id))),
    appBridges: new Set(),
  }
  return differences(before, found)
}

const isBridge = (id: string) => id.startsWith('sb-bridge')
const isLeg = (id: string) => !isBridge(id)

const talking = { known: { a1: 'arrived up', 'sb-leg-1': 'dialed up' }, bridges: { 'sb-bridge-1': ['a1', 'sb-leg-1'] } }

describe('given known legs and bridges', () => {
  test('and all of them exist, there is no difference', () => {
    const channels = { a1: 'Up', 'sb-leg-1': 'Up' }
    expect(compare({ ...talking, channels, foundBridges: talking.bridges })).toEqual(NOTHING)
  })

  test('and none of them exists, every leg is lost', () => {
    expect(compare(talking)).toEqual({ ...NOTHING, lost: ['a1', 'sb-leg-1'] })
  })

  test('a caller who continued in the dialplan is lost', () => {
    expect(compare({ known: { a1: 'arrived up' }, channels: { a1: 'Up' }, elsewhere: ['a1'] }).lost).toEqual(['a1'])
  })

  test('a leg that was answered unseen is reported as answered', () => {
    const channels = { a1: 'Up', a2: 'Ring', 'sb-leg-1': 'Up', 'sb-leg-2': 'Ringing' }
    const known = { a1: 'arrived', a2: 'arrived', 'sb-leg-1': 'dialed', 'sb-leg-2': 'dialed' }
    expect(compare({ known, channels })).toEqual({ ...NOTHING, answered: ['a1', 'sb-leg-1'] })
  })

  test('a bridge that is gone while its two legs exist is broken', () => {
    expect(compare({ ...talking, channels: { a1: 'Up', 'sb-leg-1': 'Up' } }).broken).toEqual(['sb-bridge-1'])
  })

  test('a leg that is not in its bridge any more is outside, unless it is gone, or the bridge', () => {
    const channels = { a1: 'Up', 'sb-leg-1': 'Up' }
    const outside = [{ bridge: 'sb-bridge-1', leg: 'a1' }]
    const foundBridges = { 'sb-bridge-1': ['sb-leg-1'] }
    expect(compare({ ...talking, channels, foundBridges })).toEqual({ ...NOTHING, outside })
    expect(compare({ ...talking, channels: { 'sb-leg-1': 'Up' }, foundBridges }).outside).toEqual([])
    expect(compare({ ...talking, channels }).outside).toEqual([])
  })

  test('a bridge that is gone with one of its legs is not broken', () => {
    expect(compare({ ...talking, channels: { a1: 'Up' } })).toEqual({ ...NOTHING, lost: ['sb-leg-1'] })
  })
})

describe('given unknown channels and bridges', () => {
  test('a caller alone has arrived', () => {
    const arrived = [{ leg: 'a1', called: '100', caller: '+3725551234', isUp: true }]
    expect(compare({ channels: { a1: 'Up' } })).toEqual({ ...NOTHING, arrived })
  })

  test('channels and bridges of other applications are left alone', () => {
    expect(compare({ channels: { x1: 'Up' }, elsewhere: ['x1'], foundBridges: { other: ['x1'] } })).toEqual(NOTHING)
  })

  test('two legs in a conversation are reported, and stay connected', () => {
    const foundBridges = { 'sb-bridge-9': ['a1', 'sb-leg-9'] }
    expect(compare({ channels: { a1: 'Up', 'sb-leg-9': 'Up' }, foundBridges })).toEqual({
      ...NOTHING,
      talking: [{ bridge: 'sb-bridge-9', legs: ['a1', 'sb-leg-9'] }],
    })
  })

  test('a caller left alone in a bridge has arrived, and the bridge is closed', () => {
    const difference = compare({ channels: { a1: 'Up' }, foundBridges: { 'sb-bridge-9': ['a1'] } })
    expect(difference.arrived).toMatchObject([{ leg: 'a1' }])
    expect(difference.closeBridges).toEqual(['sb-bridge-9'])
  })

  test('an agent alone, in a bridge, still ringing or not counted as ours, is hung up', () => {
    const difference = compare({
      channels: { 'sb-leg-7': 'Up', 'sb-leg-8': 'Ringing', 'sb-leg-9': 'Up' },
      elsewhere: ['sb-leg-8'],
      foundBridges: { 'sb-bridge-9': ['sb-leg-9'] },
    })
    expect(difference).toEqual({
      ...NOTHING,
      closeChannels: ['sb-leg-7', 'sb-leg-8', 'sb-leg-9'],
      closeBridges: ['sb-bridge-9'],
    })
  })

  test('an empty bridge is closed', () => {
    expect(compare({ foundBridges: { 'sb-bridge-9': [] } })).toEqual({ ...NOTHING, closeBridges: ['sb-bridge-9'] })
  })
})

describe('given legs and bridges of an earlier engine', () => {
  const expected = ['sb-leg-1', 'sb-leg-2', 'sb-bridge-1']

  test('existing legs are found where they are, and missing legs are lost', () => {
    const difference = compare({
      expected: ['sb-leg-1', 'sb-leg-2', 'sb-leg-3'],
      channels: { 'sb-leg-1': 'Up', 'sb-leg-2': 'Ringing' },
      elsewhere: ['sb-leg-2'],
      foundBridges: { 'sb-bridge-7': ['sb-leg-1'] },
    })
    expect(difference).toEqual({
      ...NOTHING,
      inherited: [
        { leg: 'sb-leg-1', isUp: true, bridge: 'sb-bridge-7' },
        { leg: 'sb-leg-2', isUp: false },
      ],
      inheritedBridges: ['sb-bridge-7'],
      lost: ['sb-leg-3'],
    })
  })

  test('two of them in a conversation are found as legs, not as strangers', () => {
    const foundBridges = { 'sb-bridge-1': ['sb-leg-1', 'sb-leg-2'] }
    const difference = compare({ expected, channels: { 'sb-leg-1': 'Up', 'sb-leg-2': 'Up' }, foundBridges })
    expect(difference.talking).toEqual([])
    expect(difference.inherited.map(({ bridge }) => bridge)).toEqual(['sb-bridge-1', 'sb-bridge-1'])
    expect([...difference.closeChannels, ...difference.closeBridges]).toEqual([])
  })

  test('a bridge is kept with one agent in it, or empty', () => {
    const alone = compare({ expected, channels: { 'sb-leg-1': 'Up' }, foundBridges: { 'sb-bridge-1': ['sb-leg-1'] } })
    expect(alone.closeBridges).toEqual([])
    const empty = compare({ expected, foundBridges: { 'sb-bridge-1': [] } })
    expect([empty.inheritedBridges, empty.closeBridges]).toEqual([['sb-bridge-1'], []])
  })

  test('an unexpected channel of ours in an expected bridge is hung up, and the bridge stays', () => {
    const foundBridges = { 'sb-bridge-1': ['sb-leg-1', 'sb-leg-9'] }
    const difference = compare({ expected, channels: { 'sb-leg-1': 'Up', 'sb-leg-9': 'Up' }, foundBridges })
    expect([difference.closeChannels, difference.closeBridges]).toEqual([['sb-leg-9'], []])
  })
})

test('a leg that joined its bridge unseen is reported as joined', () => {
  const before: Known = {
    legs: new Map([['a1' as LegId, { id: 'a1' as LegId, kind: 'arrived', answered: true }]]),
    bridges: new Map([
      ['sb-bridge-1' as BridgeId, { id: 'sb-bridge-1' as BridgeId, legs: new Set(['a1' as LegId]), joined: new Set() }],
    ]),
    expected: { legs: new Set(), bridges: new Set() },
  }
  const found: Found = {
    channels: [{ id: 'a1', name: 'PJSIP/phone-00000001', state: 'Up', dialplan: { exten: '100' } }],
    bridges: [{ id: 'sb-bridge-1', channels: ['a1'] }],
    appChannels: new Set(['a1']),
    appBridges: new Set(['sb-bridge-1']),
  }
  expect(differences(before, found).joined).toEqual([{ bridge: 'sb-bridge-1', leg: 'a1' }])
})
