/** Toll fraud (F-J9, G22): whatever number is written, however it is written, it does not get past the gate. */
import { getCountries } from 'libphonenumber-js'
import { expect, test } from 'vitest'
import { type DialAnswer, mayDialNow } from '../../src/dialer/may-dial-now.ts'
import { normalizeNumber } from '../../src/dialer/phone-number.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import { foreignNumbers, neverDialed, SPELLINGS } from './fraud-numbers.ts'
import { aCampaign, aTask, capOfThree, number } from './samples.ts'

/** A Monday, noon in Copenhagen; calling hours are all hours. */
const NOON = Date.parse('2026-11-23T11:00:00Z')
const ALWAYS = { windows: [{ weekdays: [1, 2, 3, 4, 5, 6, 7] as const, fromMinute: 0, toMinute: 1_440 }], holidays: [] }
const live = { inFlight: 0, waiting: 0, idleAgents: 1 }

/** Everything is right but, perhaps, the number. */
function ask(wanted: PhoneNumber, allowedCountries: readonly string[], acceptsPossibleNumbers = false): DialAnswer {
  return mayDialNow({
    task: aTask({ numbers: [{ number: wanted, isStopped: false }] }),
    campaign: aCampaign({ allowedCountries, acceptsPossibleNumbers, hours: ALWAYS }),
    number: wanted,
    clocks: { nowAtMs: NOON, engineNowAtMs: NOON, latestSeenAtMs: NOON },
    killSwitch: 'off',
    holdsLease: true,
    stops: [],
    touches: [],
    beside: 0,
    lastTalk: 'never',
    isOnOurLine: false,
    lastCalledIn: 'never',
    inFlight: { ofTask: 0, ofNumber: 0, ofContact: 0 },
    trunk: { name: 'main', isFailing: false, linesInUse: 0, linesMax: 10, placedLastSecond: 0, perSecondMax: 5 },
    ourCallerIds: [aCampaign().callerId],
    abroad: { caps: { callsMax: 1, talkMaxMs: 1 }, used: [], beside: 0 },
    reservedAgent: undefined,
    live,
    ledgers: [{ rule: capOfThree, tally: { answered: 0, abandoned: 0 }, live }],
  })
}

/** What would be dialed of a text that somebody imports at home in Denmark; undefined: nothing. */
function dialed(text: string, allowed: readonly string[]): string | undefined {
  const read = normalizeNumber(text, 'DK')
  if (read === undefined) return undefined
  const answer = ask(read, allowed)
  return 'permit' in answer ? answer.permit.number : undefined
}

const isAtHome = (text: string, result: string) => /^(\+45|0045)?\d{8}$/.test(text) && result === `+45${text.slice(-8)}`

const NEVER = neverDialed()
const FOREIGN = foreignNumbers()

test('F-J9: none of more than 1,000 fraud numbers is dialed with the default countries, in any spelling', () => {
  const spelled = [...NEVER, ...FOREIGN].flatMap((each) => SPELLINGS.map((spell) => spell(each)))
  expect(NEVER.length + FOREIGN.length).toBeGreaterThan(1_000)
  const reached = spelled.flatMap((text) => [[text, dialed(text, ['DK'])] as const])
  const dialedAnyhow = reached.filter(([, result]) => result !== undefined)
  // Eight digits without a country are somebody at home, whoever they would be elsewhere: these were asked for.
  const wrong = dialedAnyhow.filter(([text, result]) => !isAtHome(text, result!))
  expect(wrong).toEqual([])
  expect(dialedAnyhow.length).toBeLessThan(spelled.length / 500)
})

test('F-J9: premium numbers are not dialed even where their country, or every country, is allowed', () => {
  const countries = getCountries()
  const got = NEVER.filter((each) => 'permit' in ask(number(each), countries))
  expect(got).toEqual([])
  expect(NEVER.filter((each) => dialed(each, countries) !== undefined)).toEqual([])
})

test('F-J9: nor are they where a campaign accepts numbers that the plan does not know', () => {
  const countries = getCountries()
  expect(NEVER.filter((each) => 'permit' in ask(number(each), countries, true))).toEqual([])
  expect(ask(number('+4540012345'), ['DK'], true)).toHaveProperty('permit')
  expect(ask(number('+4540012345'), ['DK'])).toMatchObject({ refused: 'numberRefused' })
  expect(ask(number('+4540012345'), ['SE'], true)).not.toHaveProperty('permit')
})

test('control: domestic numbers are dialed in every common spelling, as plain digits', () => {
  const written = [
    '+4551234567',
    '51234567',
    '0045 51 23 45 67',
    '+45 (51) 23-45-67',
    '\u202a+45 51 23 45 67\u202c',
    '５１２３４５６７',
  ]
  expect(written.map((text) => dialed(text, ['DK']))).toEqual(written.map(() => '+4551234567'))
})
