/** Barge-in by voice, as the author of a flow tests it: on virtual time, through the command line's own reader. */
import { describe, expect, test } from 'vitest'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { compileFlow } from '../../src/flow/run/compile.ts'
import { readTestFile } from '../../src/flow-test/read-test-file.ts'
import { recordedCall } from '../../src/flow-test/recorded-call.ts'
import { replayRecorded } from '../../src/flow-test/replay-recorded.ts'
import { testFlow } from '../../src/flow-test/test-flow.ts'
import { YamlSource } from '../../src/kernel/yaml-source.ts'

/** 4.9 s of words, at 60 ms a character; "menu" is said after 1.1 s, and "calmly" near the end. */
const LONG = 'Here is the menu, which I will read slowly, word for word, very very calmly.'
const STEPS = `
  welcome: { play: "${LONG}", bargeInByVoice: true, next: ask }
  ask:
    gather: { prompt: "${LONG}", digits: 2, tries: 1, confirm: "${LONG}" }
    bargeInByVoice: true
    as: number
    next: choose
    on: { failed: nothing }
  choose:
    menu: { prompt: "${LONG}", keys: { "1": wait }, tries: 1, firstDigitTimeout: 2s }
    bargeInByVoice: true
    on: { failed: nothing }
  wait:
    queue: { team: help, announce: { every: 10s, position: true }, timeout: 1m }
    bargeInByVoice: true
    next: bye
    on: { failed: nothing }
  nothing: { play: You said nothing., next: bye }
  bye: { hangup: { say: Goodbye. } }
`

/** The tests in YAML, with what went wrong in each, and the mistakes in the flow that they do not notice. */
function results(start: string, calls: readonly string[], steps = STEPS) {
  const flowText = `flow: toy\nstart: ${start}\nonError: bye\nsteps:${steps}`
  const { flow } = readFlow('toy.yaml', flowText)
  const tests = calls.map((call, place) => `  - { test: a${place}, call: [${call}] }\n`).join('')
  const file = readTestFile('toy.test.yaml', `flow: toy\ntests:\n${tests}`)
  const { scripts, problems } = file.readScripts(flow!)
  expect([...file.problems, ...problems]).toEqual([])
  const source = new YamlSource('toy.yaml', flowText, 'flow')
  const { played, properties, ...rest } = testFlow(flow!, source, scripts, { seed: 1, mutates: true })
  expect(properties.faults).toEqual([])
  return { failures: played.map(({ failure }) => failure?.message), played, ...rest }
}

const passes = (start: string, call: string) => expect(results(start, [call]).failures).toEqual([undefined])
const fails = (start: string, call: string, why: string) =>
  expect(results(start, [call]).failures).toEqual([expect.stringContaining(why)])

describe('a voice over the prompt', () => {
  test('stops it after half a second of speech, and the step goes on', () => {
    passes('welcome', '{ hear: menu }, { say: 700ms }, { wait: 1500ms }, { hear: Here is the menu }')
    // The words of the next prompt are heard, those of the first one are not.
    fails('welcome', '{ hear: menu }, { say: 1s }, { hear: calmly }, { hear: calmly }', '"calmly" is never heard')
  })

  test('makes it quiet after 200 ms, and loud again after a cough, where it is', () => {
    const [one] = results('welcome', ['{ hear: menu }, { say: 300ms }, { hear: calmly }']).played
    const { call, failure } = one!
    const told = call.lines.filter(({ what }) => /setVolume|stopPlaying|leg\.(talking|quiet)/.test(what.type))
    const since = told[0]!.atMs
    expect([failure, told.map(({ what, atMs }) => [what.type, what['volume'], atMs - since])]).toEqual([
      undefined,
      [
        ['leg.talking', undefined, 0],
        ['setVolume', 'quiet', 200],
        ['leg.quiet', undefined, 500],
        ['setVolume', 'full', 500],
      ],
    ])
  })

  test.each([490, 510])('of %d ms is a cough or speech', (ms) => {
    const [one] = results('welcome', [`{ hear: menu }, { say: ${ms}ms }, { wait: 1s }`]).played
    expect(one!.call.commands.some(({ type }) => type === 'stopPlaying')).toBe(ms > 500)
  })

  test('that is a click changes nothing', () => {
    const [one] = results('welcome', ['{ hear: menu }, { say: 0ms }, { hear: calmly }']).played
    expect(one!.call.commands.filter(({ type }) => type === 'stopPlaying')).toEqual([])
  })

  test('that coughs three times is not listened to until the next prompt', () => {
    const cough = '{ say: 250ms }, { wait: 450ms }'
    const calls = [`{ hear: is }, ${cough}, ${cough}, ${cough}, { say: 1s }, { hear: calmly }`]
    const [one] = results('welcome', calls).played
    const volumes = one!.call.commands.flatMap((command) => (command.type === 'setVolume' ? [command.volume] : []))
    expect([one!.failure, volumes]).toEqual([undefined, ['quiet', 'full', 'quiet', 'full', 'quiet', 'full']])
  })
})

describe('every kind of step', () => {
  test('gather: the first digit is waited for from then on, and a confirmation can be stopped too', () => {
    passes(
      'ask',
      '{ hear: menu }, { say: 1s }, { wait: 3s }, { press: "42" }, { hear: menu }, { say: 1s }, { press: "1" }',
    )
    passes('ask', '{ hear: menu }, { say: 1s }, { wait: 6s }, { hear: You said nothing }')
  })

  test('menu', () => {
    passes('choose', '{ hear: menu }, { say: 1s }, { press: "1" }, { expect: { queue: help } }')
    passes('choose', '{ hear: menu }, { say: 1s }, { wait: 2s }, { hear: You said nothing }')
  })

  test('queue: an announcement gives way to the music', () => {
    const [one] = results('wait', [
      '{ hear: You are }, { say: 1s }, { wait: 12s }, { hear: You are }, { agent: answers }',
    ]).played
    const types = one!.call.commands.map(({ type }) => type)
    expect(one!.failure).toBe(undefined)
    expect(types.slice(types.indexOf('setVolume')).slice(0, 3)).toEqual(['setVolume', 'stopPlaying', 'startMusic'])
  })
})

test('without the setting nobody hears the caller, and a test without it is told', () => {
  const deaf = STEPS.replaceAll(/,? *bargeInByVoice: true/g, '')
  expect(results('welcome', ['{ hear: menu }, { say: 1s }'], deaf).failures).toEqual([
    'nobody hears the caller; no step asks for a message, and none has bargeInByVoice',
  ])
})

test('a forgotten setting is a mistake that a test can find', () => {
  const unnoticed = (call: string) =>
    results('welcome', [call]).mutation!.survivors.filter(({ what }) => what === 'welcome without bargeInByVoice')
  expect(unnoticed('{ hear: calmly }')).toHaveLength(1)
  expect(unnoticed('{ hear: menu }, { say: 700ms }, { hear: Here is the menu }')).toHaveLength(0)
})

test('a past call goes through the flow as it did, spoken words and coughs included', () => {
  const calls = [
    '{ hear: menu }, { say: 250ms }, { wait: 1s }, { say: 1s }, { hear: menu }, { say: 900ms }, { press: "42" }',
  ]
  const [one] = results('welcome', calls).played
  const { flow } = readFlow('toy.yaml', `flow: toy\nstart: welcome\nonError: bye\nsteps:${STEPS}`)
  const replayed = replayRecorded(compileFlow(flow!), recordedCall(one!.call.lines)!)
  expect(replayed).toMatchObject({ isComparable: true, isWhole: true, reworded: [] })
  expect('course' in replayed && replayed.course.path).toEqual(one!.call.record!.path)
  const stops = (commands: readonly { readonly type: string }[]) =>
    commands.filter(({ type }) => type === 'stopPlaying')
  expect(stops(one!.call.commands)).toHaveLength(2)
})
