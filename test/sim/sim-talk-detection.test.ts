import { expect, test } from 'vitest'
import { soundWorlds } from '../worlds/sound.ts'

const worlds = soundWorlds()

/** 6.1 s of words, from the answer on. */
const LONG = 'This is a prompt of which nobody can hear the end, as everybody has something to say by then, always.'
const FLOW = `flow: voice
start: welcome
steps:
  welcome: { play: "${LONG}", bargeInByVoice: true, next: ask }
  ask: { menu: { prompt: "${LONG}", keys: { "1": bye }, tries: 1, firstDigitTimeout: 1s }, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

/** What a caller on the simulated switch hears of both prompts who speaks for so long, from 2 s after the answer on. */
async function heardBy(forMs: number) {
  const world = await worlds.open({ flow: FLOW })
  const served = world.serve({ speaks: [{ afterMs: 2_000, forMs }] })
  const words = served.caller.heard.filter(({ text }) => text.startsWith('This is a prompt'))
  return words.map(({ fromMs, untilMs, wasQuiet = false }) => ({ isWhole: untilMs! - fromMs > 5_000, wasQuiet }))
}

test('given a caller who speaks, a prompt with bargeInByVoice becomes quiet and stops; the next plays on', async () => {
  expect(await heardBy(20_000)).toEqual([
    { isWhole: false, wasQuiet: true },
    { isWhole: true, wasQuiet: false },
  ])
})

test('given a cough, the prompt is heard to its end', async () => {
  expect((await heardBy(300))[0]).toEqual({ isWhole: true, wasQuiet: true })
})

test('given a caller who speaks all the time, and so from before the prompt, it is heard to its end', async () => {
  const world = await worlds.open({ flow: FLOW })
  const served = world.serve({})
  expect(served.caller.heard.filter(({ wasQuiet }) => wasQuiet)).toEqual([])
})
