import { expect, test } from 'vitest'
import { MutedVoice } from '../../src/console/phone/muted-voice.ts'

const SPEECH = 0.1
const ROOM = 0.004

/** Five looks a second: what each of these tenths of full scale leads to. */
function looks(levels: readonly number[]): readonly boolean[] {
  const voice = new MutedVoice()
  voice.begin(0)
  return levels.map((level, at) => voice.take(level, (at + 1) * 200))
}

const times = (count: number, level: number) => Array.from({ length: count }, () => level)

test('a second of speech is told, and the words stay for three seconds after it', () => {
  const heard = looks([...times(5, SPEECH), ...times(16, ROOM)])
  expect(heard.slice(0, 5)).toEqual([false, false, false, false, true])
  expect(heard.lastIndexOf(true)).toBe(4 + 14)
})

test('words with gaps between them are one speech', () => {
  expect(looks([SPEECH, ROOM, SPEECH, SPEECH, ROOM, ROOM, SPEECH, SPEECH]).at(-1)).toBe(true)
})

test('a cough now and then is none, and a quiet room never is', () => {
  expect(looks([...times(3, SPEECH), ...times(7, ROOM), ...times(3, SPEECH), ...times(7, ROOM)])).not.toContain(true)
  expect(looks(times(100, ROOM))).not.toContain(true)
})

test('a look that comes late, as in a hidden page, does not count for all the time before it', () => {
  const voice = new MutedVoice()
  voice.begin(0)
  expect(voice.take(SPEECH, 60_000)).toBe(false)
})
