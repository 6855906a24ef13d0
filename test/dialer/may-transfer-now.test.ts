/** The gate of transfers, rule by rule: what is unknown proves nothing. */
import { expect, test } from 'vitest'
import { mayTransferNow, type TransferQuestion } from '../../src/dialer/may-transfer-now.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'

const CALLER_ID = '+4570000000' as PhoneNumber
const use = { name: 'main', isFailing: false, linesInUse: 0, linesMax: 1, placedLastSecond: 0, perSecondMax: 1 }
const trunk = {
  name: 'main',
  host: 'main.example',
  callerIds: [CALLER_ID],
  transferCountries: ['DK'],
  sipTransfers: false,
  abroad: { callsMax: 2, talkMaxMs: 60_000 },
  use,
}
const ALLOWED: TransferQuestion = {
  to: { number: '+4533123456' as PhoneNumber },
  mode: 'attended',
  callerId: undefined,
  trunks: [trunk],
  killSwitch: 'off',
  isWell: true,
  isOurs: false,
  isStopped: false,
  hasOpenTask: false,
  abroad: [],
}
const sweden = (abroad: TransferQuestion['abroad']): Partial<TransferQuestion> => ({
  to: { number: '+46812345678' as PhoneNumber },
  trunks: [{ ...trunk, transferCountries: ['SE'] }],
  abroad,
})
const over = (change: object) => ({ trunks: [{ ...trunk, use: { ...use, ...change } }] })

test('with every rule proved there is a permit, with the trunk, its host and its caller id', () => {
  expect(mayTransferNow(ALLOWED)).toEqual({ permit: { trunk: 'main', host: 'main.example', callerId: CALLER_ID } })
})

test.each<[string, Partial<TransferQuestion>]>([
  ['killSwitch', { killSwitch: 'on' }],
  ['killSwitch', { killSwitch: undefined }],
  ['notReady', { isWell: false }],
  ['ours', { isOurs: true }],
  ['stopped', { isStopped: true }],
  ['stopped', { isStopped: undefined }],
  ['openTask', { hasOpenTask: true }],
  ['openTask', { hasOpenTask: undefined }],
  ['numberRefused', { to: { number: '+4590123456' as PhoneNumber } }],
  ['countryNotAllowed', { to: { number: '+4722123456' as PhoneNumber } }],
  ['countrySpent', sweden([{ country: 'SE', calls: 2, talkMs: 0 }])],
  ['countrySpent', sweden([{ country: 'SE', calls: 1, talkMs: 60_000 }])],
  ['countrySpent', sweden(undefined)],
  ['countrySpent', { ...sweden([]), trunks: [{ ...trunk, transferCountries: ['SE'], abroad: undefined }] }],
  ['callerIdNotOurs', { callerId: '+4570009999' as PhoneNumber }],
  ['carrierFailing', over({ isFailing: true })],
  ['carrierFailing', over({ isFailing: undefined })],
  ['trunkFull', over({ linesInUse: 1 })],
  ['trunkFull', over({ linesMax: undefined })],
  ['trunkTooFast', over({ placedLastSecond: 1 })],
  ['trunkTooFast', over({ perSecondMax: undefined })],
])('refused as %s: %j', (refused, change) => {
  expect(mayTransferNow({ ...ALLOWED, ...change })).toMatchObject({ refused })
})
