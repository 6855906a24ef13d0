/** Reports of a real Asterisk (with `mindtmfduration = 0`), noted while telephones typed keys that are known. */
import { expect, test } from 'vitest'
import { KeyReports } from '../../../src/ari/keys/key-reports.ts'

/** Each report: key, `p` if a prompt played, for how long it was held, and ms since the report before. */
const NOTED: readonly (readonly [telephone: string, typed: string, reports: string])[] = [
  [
    'RFC 4733, 160/60 ms, jitter 40',
    '33338413555266992866#',
    '3p 160 0, 3 160 206, 3 160 239, 3 160 193, 3 160 15, 8 160 199, 8 160 10, 4 160 228, 1 160 222, 3 160 206, ' +
      '5 160 249, 5 160 183, 5 160 44, 5 160 179, 5 160 41, 2 160 191, 2 160 30, 6 160 203, 6 160 16, 6 160 176, ' +
      '6 160 44, 9 160 187, 9 160 19, 9 160 195, 9 160 10, 2 160 205, 2 160 9, 8 160 234, 6 160 211, 6 160 233, ' +
      '# 160 218',
  ],
  [
    'RFC 4733, 40/40 ms: from the thirteenth key on each is held back',
    '68522879582047238899#',
    '6p 40 0, 8 40 88, 5 40 76, 2 40 78, 2 40 78, 8 40 91, 7 40 85, 9 40 68, 5 40 80, 8 40 92, 2 40 87, 0 40 109, ' +
      '4 40 35, 4 40 29, 7 40 50, 7 40 56, 2 40 30, 2 40 74, 3 40 0, 3 40 88, 8 40 1, 8 40 103, 8 40 0, 8 40 99, ' +
      '9 40 9, 9 40 90, 9 40 0, 9 40 89, # 40 21',
  ],
  [
    'RFC 4733, 40/60 ms, jitter 40',
    '30039936227888844944#',
    '3p 40 0, 0 40 91, 0 40 94, 3 40 102, 9 40 92, 9 40 103, 3 40 140, 6 40 50, 2 40 103, 2 40 113, 7 40 115, ' +
      '8 40 68, 8 40 19, 8 40 85, 8 40 15, 8 40 103, 8 40 95, 4 40 103, 4 40 116, 9 40 83, 4 40 107, 4 40 90, # 40 87',
  ],
  [
    'RFC 4733, 160/20 ms, a busy Asterisk: replays end up to 74 ms late',
    '778560089140004446662998889963#',
    '7p 160 0, 7 160 176, 8 160 176, 8 160 123, 5 160 57, 5 160 280, 6 160 1, 6 160 300, 0 160 1, 0 160 265, ' +
      '0 160 1, 0 160 327, 8 160 1, 8 160 322, 9 160 0, 9 160 297, 1 160 1, 1 160 245, 4 160 0, 4 160 314, ' +
      '0 160 2, 0 160 335, 0 160 0, 0 160 279, 0 160 1, 0 160 305, 4 160 1, 4 160 313, 4 160 1, 4 160 231, ' +
      '4 160 1, 4 160 415, 6 160 1, 6 160 207, 6 160 1, 6 160 280, 6 160 0, 6 160 378, 2 160 0, 2 160 393, ' +
      '9 160 1, 9 160 359, 9 160 0, 9 160 392, 8 160 1, 8 160 236, 8 160 1, 8 160 298, 8 160 1, 8 160 416, ' +
      '9 160 0, 9 160 267, 9 160 2, 9 160 306, 6 160 1, 6 160 279, 3 160 1, 3p 160 255, #p 160 1',
  ],
  [
    'RFC 4733 and SIP INFO, every 400 ms',
    '068854445544#',
    '0p 100 0, 0 160 78, 6 100 348, 6 160 45, 8 100 335, 8 160 76, 8 160 328, 8 100 0, 8 100 48, 5 100 343, ' +
      '5 160 48, 4 100 353, 4 160 72, 4 100 331, 4 160 48, 4 100 347, 4 160 71, 5 100 332, 5 160 59, 5 100 338, ' +
      '5 160 45, 4 100 360, 4 160 57, 4 100 340, 4 160 52, # 100 347',
  ],
]

test.for(NOTED)('%s: every key is news once', ([, typed, reports]) => {
  const keys = new KeyReports()
  let atMs = 0
  const news = reports.split(', ').filter((report) => {
    const [key = '', held, since] = report.split(' ')
    atMs += Number(since)
    return keys.isNew({ digit: key[0]!, heldMs: Number(held), atMs, isPlaying: key.endsWith('p') })
  })
  expect(news.map((report) => report[0]).join('')).toBe(typed)
})

test('the same key twice is two keys when Asterisk held nothing back', () => {
  const keys = new KeyReports()
  const report = { digit: '1', heldMs: 40, isPlaying: false }
  expect([0, 130].map((atMs) => keys.isNew({ ...report, atMs }))).toEqual([true, true])
})
