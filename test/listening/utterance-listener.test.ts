/** Where utterances begin and end, by sound and silence. */
import { expect, test } from 'vitest'
import { UtteranceListener } from '../../src/listening/utterance-listener.ts'
import { framesOf, type Part } from './sounds.ts'

/** `500 began`: at this ms of the sound; `2000 ended 1700`: with so many ms of sound. */
function told(...parts: readonly Part[]): string[] {
  const listener = new UtteranceListener()
  return framesOf(...parts).flatMap((frame, at) =>
    listener.takes(frame).map((uttered) => {
      const atMs = (at + 1) * 20
      return uttered.type === 'began' ? `${atMs} began` : `${atMs} ended ${uttered.samples.length / 8}`
    }),
  )
}

test('a pause of 0.8 s ends an utterance; its sound begins 0.4 s before it and ends 0.3 s after it', () => {
  expect(told(['silence', 1_000], ['words', 1_000], ['silence', 2_000])).toEqual(['1100 began', '2800 ended 1620'])
})

test('a pause between two digits ends nothing', () => {
  expect(told(['silence', 1_000], ['words', 400], ['silence', 600], ['words', 400], ['silence', 1_000])).toHaveLength(2)
})

test('each utterance is told', () => {
  const one: Part[] = [
    ['words', 400],
    ['silence', 1_500],
  ]
  expect(told(['silence', 500], ...one, ...one, ...one).map((line) => line.split(' ')[1])).toEqual([
    ...['began', 'ended', 'began', 'ended', 'began', 'ended'],
  ])
})

test('a click is no utterance', () => {
  expect(told(['silence', 1_000], ['tone', 60, 500], ['silence', 2_000])).toEqual([])
})

test('steady noise is no utterance', () => {
  expect(told(['noise', 4_000])).toEqual([])
})

test('whoever does not stop is cut after 15 s', () => {
  const lines = told(['silence', 1_000], ['words', 20_000], ['silence', 2_000])
  expect(lines.slice(0, 3)).toEqual([
    '1100 began',
    expect.stringMatching(/ended 14500$/),
    expect.stringMatching(/began$/),
  ])
})
