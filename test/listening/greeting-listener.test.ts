import { describe, expect, test } from 'vitest'
import { FRAME_MS, GreetingListener, type Heard, PATIENT } from '../../src/listening/greeting-listener.ts'
import { framesOf, type Part } from './sounds.ts'

/** What is heard, and after how many ms. */
function heardIn(...parts: readonly Part[]): (Heard & { readonly atMs: number })[] {
  const listener = new GreetingListener()
  return framesOf(...parts).flatMap((frame, at) =>
    listener.takes(frame).map((heard) => ({ ...heard, atMs: (at + 1) * FRAME_MS })),
  )
}

const verdictOn = (...parts: readonly Part[]) =>
  heardIn(...parts).flatMap((heard) => (heard.type === 'judged' ? [heard.verdict] : []))

/** What it is, and its sound. */
type Case = readonly [string, readonly Part[]]

const BEFORE: Part = ['silence', 400]
const LONG: Part = ['words', 9_000]

describe('a person', () => {
  test.each<Case>([
    ['says one word', [['words', 400]]],
    ['greets politely', [['words', 3_000]]],
    ['says the name of the firm, their own, and a question', [['words', 5_600]]],
    [
      'hesitates within the greeting',
      [
        ['words', 1_200],
        ['silence', 500],
        ['words', 2_000],
      ],
    ],
    [
      'greets before a recorder beeps',
      [
        ['words', 800],
        ['silence', 200],
        ['tone', 400, 1_400],
        ['silence', 400],
      ],
    ],
    [
      'answers on a loud street',
      [
        ['noise', 2_000],
        ['words', 1_600],
        ['noise', 2_000],
      ],
    ],
  ])('%s', (_, greeting) => {
    expect(verdictOn(BEFORE, ...greeting, ['silence', 3_000])).toEqual(['person'])
  })

  test('gets the verdict at the pause in which they wait for an answer', () => {
    const [heard] = heardIn(BEFORE, ['words', 720], ['silence', 3_000])
    expect(heard).toEqual({ type: 'judged', verdict: 'person', atMs: 400 + 720 + PATIENT.pauseMs })
  })

  test('who says nothing is nobody yet, and no machine', () => {
    expect(heardIn(['silence', 5_000])).toEqual([{ type: 'judged', verdict: 'unsure', atMs: PATIENT.silenceMaxMs }])
  })

  test('a click of the line is no word', () => {
    expect(verdictOn(BEFORE, ['words', 60], ['silence', 5_000])).toEqual(['unsure'])
  })
})

describe('a machine', () => {
  test('speaks on where a person waits for an answer', () => {
    expect(verdictOn(BEFORE, LONG)).toEqual(['machine'])
  })

  test('that beeps after a short greeting is found by its beep', () => {
    const short = heardIn(BEFORE, ['words', 2_400], ['silence', 400], ['tone', 500, 1_000], ['silence', 3_000])
    expect(short.map(({ atMs: _, ...heard }) => heard)).toEqual([
      { type: 'judged', verdict: 'machine' },
      { type: 'greetingEnded', by: 'beep' },
    ])
  })

  test.each([440, 750, 1_000, 1_400, 2_000])('ends its greeting with a beep of %i Hz', (hz) => {
    const heard = heardIn(BEFORE, LONG, ['silence', 700], ['tone', 300, hz], ['silence', 4_000])
    const beepEndMs = 400 + 9_000 + 700 + 300
    expect(heard.at(-1)).toEqual({ type: 'greetingEnded', by: 'beep', atMs: beepEndMs + 200 })
  })

  test('without a beep ends its greeting with a long silence', () => {
    const [, ended] = heardIn(BEFORE, LONG, ['silence', 4_000])
    expect(ended).toMatchObject({ type: 'greetingEnded', by: 'silence' })
    expect(ended!.atMs).toBeGreaterThan(400 + 9_000 + 2_000)
  })

  test.each<Case>([
    ['pauses', [['silence', 1_500]]],
    [
      'plays a melody',
      [
        ['tone', 200, 600],
        ['tone', 200, 800],
        ['tone', 200, 700],
      ],
    ],
    [
      'holds a tone for long',
      [
        ['tone', 2_600, 1_100],
        ['silence', 300],
      ],
    ],
  ])('that %s within its greeting has not ended it', (_, within) => {
    expect(heardIn(BEFORE, LONG, ...within, ['words', 2_000])).toEqual([expect.objectContaining({ type: 'judged' })])
  })

  test('a tone without end is a machine: a fax, or a line that is out of order', () => {
    expect(verdictOn(BEFORE, ['tone', 9_000, 2_100])).toEqual(['machine'])
  })
})
