import { describe, expect, test } from 'vitest'
import { callerIdFor } from '../../src/dialer/caller-ids.ts'
import { readSettings } from '../../src/dialer/campaign-settings.ts'
import type { CallTaskId, CampaignId, ContactKey, PhoneNumber } from '../../src/kernel/ids.ts'
import type { Touch } from '../../src/ports/attempt.ts'
import { anAttempt, number } from './samples.ts'

const MAIN = number('+4570000000')
const [FIRST, SECOND, THIRD] = [number('+4511111111'), number('+4522222222'), number('+4533333333')]
const MOBILE = number('+4526000001')
const touch = (to: PhoneNumber, callerId: PhoneNumber): Touch => ({
  ...anAttempt({ number: to }),
  task: 1 as CallTaskId,
  campaign: 7 as CampaignId,
  callerId,
})

function shown(ids: Readonly<Record<string, readonly string[]>>, callee: Partial<Parameters<typeof callerIdFor>[1]>) {
  const callerIds = Object.entries(ids).map(([id, destinations]) => ({ number: number(id), destinations }))
  const usual = { number: MOBILE, country: 'DK', person: 'crm/1' as ContactKey, touches: [] }
  return callerIdFor({ callerId: MAIN, callerIds }, { ...usual, ...callee })
}

describe('the setting callerIds', () => {
  test.each([
    [{ number: '70001000', destinations: ['DE'] }, 'callerIds[1].number'],
    [{ number: FIRST, destinations: ['DE'] }, 'callerIds[1].number'],
    [{ number: SECOND, destinations: [] }, 'callerIds[1].destinations'],
    [{ number: SECOND, destinations: ['ZZ'] }, 'callerIds[1].destinations[0]'],
    [{ number: SECOND, destinations: ['DE', '4930'] }, 'callerIds[1].destinations[1]'],
    [{ number: SECOND }, 'callerIds[1]'],
    [{ number: SECOND, destinations: ['DE'], weight: 2 }, 'callerIds[1].weight'],
  ])('%j is refused with its place', (wrong, path) => {
    const read = readSettings({ callerIds: [{ number: FIRST, destinations: ['DK', '+4930'] }, wrong] })
    expect(read).toMatchObject({ problems: [{ path }] })
  })

  test('is refused beside a ledger that counts one caller id', () => {
    const callerIds = [{ number: FIRST, destinations: ['DK'] }]
    const ledgers = [{ maxAbandonRate: 0.03 }, { maxAbandonRate: 0.03, scope: 'callerId' }]
    expect(readSettings({ callerIds, ledgers })).toMatchObject({ problems: [{ path: 'ledgers[1].scope' }] })
    expect(readSettings({ callerIds: [], ledgers })).toEqual({ callerIds: [], ledgers })
  })
})

describe('the caller id of a call', () => {
  test('is the one of the longest prefix, then of the country, then callerId', () => {
    const ids = { [FIRST]: ['SE', 'DK'], [SECOND]: ['+4526', 'DE'], [THIRD]: ['+45', '+46'] }
    expect(shown(ids, {})).toBe(SECOND)
    expect(shown(ids, { number: number('+4533000001') })).toBe(THIRD)
    expect(shown({ [FIRST]: ['DK'] }, {})).toBe(FIRST)
    expect(shown(ids, { number: number('+12025550123'), country: 'US' })).toBe(MAIN)
    expect(shown({}, {})).toBe(MAIN)
  })

  test('of several, each is for about as many persons; one more takes persons from the others only', () => {
    const persons = Array.from({ length: 3_000 }, (_, place) => `crm/${place}` as ContactKey)
    const two = persons.map((person) => shown({ [FIRST]: ['DK'], [SECOND]: ['DK'] }, { person }))
    const three = persons.map((person) => shown({ [THIRD]: ['DK'], [SECOND]: ['DK'], [FIRST]: ['DK'] }, { person }))
    for (const id of [FIRST, SECOND, THIRD]) {
      const share = three.filter((one) => one === id).length / persons.length
      expect(Math.abs(share - 1 / 3), id).toBeLessThan(0.04)
    }
    const moved = three.filter((id, place) => id !== two[place])
    expect(new Set(moved)).toEqual(new Set([THIRD]))
  })

  test('is the one that the number saw last, else the person, as long as it fits', () => {
    const ids = { [FIRST]: ['DK'], [SECOND]: ['DK'], [THIRD]: ['DE'] }
    const other = number('+4526000002')
    for (const [own, elsewhere] of [
      [FIRST, SECOND],
      [SECOND, FIRST],
    ] as const) {
      expect(shown(ids, { touches: [touch(other, elsewhere), touch(MOBILE, own)] })).toBe(own)
      expect(shown(ids, { touches: [touch(MOBILE, THIRD), touch(other, elsewhere)] })).toBe(elsewhere)
    }
    expect(shown({ [THIRD]: ['DE'] }, { touches: [touch(MOBILE, THIRD)] })).toBe(MAIN)
  })
})
