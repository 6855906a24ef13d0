import { describe, expect, test } from 'vitest'
import type { GatherSpec, Prompt } from '../../../src/flow/model/flow.ts'
import { plainText } from '../../../src/flow/model/template.ts'
import { gatherMachine } from '../../../src/flow/steps/gather.machine.ts'
import type { StepCommand } from '../../../src/flow/steps/step-talk.ts'
import { MachineRun } from '../../../src/kernel/machine.ts'

const words = (text: string): Prompt => [{ kind: 'say', text: plainText(text) }]

const SPEC: GatherSpec = {
  prompt: words('number?'),
  min: 3,
  max: 10,
  finish: '#',
  pattern: undefined,
  confirm: undefined,
  reprompt: { noInput: [words('nothing heard'), words('still nothing')], invalid: [words('wrong')] },
  secret: false,
  hears: false,
  firstDigitTimeoutMs: 5_000,
  interDigitTimeoutMs: 3_000,
  tries: 3,
  bargeIn: true,
}

/** A caller at the keypad: keys, silence and the ends of prompts, on a clock of its own. */
function gather(change: Partial<GatherSpec> = {}, ahead = '') {
  const story: string[] = []
  let nowMs = 0
  let isSpeaking = false
  const started = MachineRun.start<StepCommand>(
    gatherMachine,
    { spec: { ...SPEC, ...change }, as: 'n', ahead, language: 'en' },
    0,
  )
  const { run } = started
  const note = (commands: StepCommand[]) => {
    for (const command of commands) {
      if (command.type === 'say') isSpeaking = true
      if (command.type === 'hush') isSpeaking = false
      story.push(told(command))
    }
  }
  note(started.commands)
  return {
    story,
    /** Types keys, 200 ms each. */
    press(keys: string) {
      for (const digit of keys) {
        nowMs += 200
        note(run.send({ type: 'digit', digit }, nowMs))
      }
      return this
    },
    listen() {
      if (isSpeaking) {
        isSpeaking = false
        note(run.send({ type: 'prompt.ended' }, nowMs))
      }
      return this
    },
    silence(ms: number) {
      const untilMs = nowMs + ms
      for (let due = run.nextDueAtMs; due !== undefined && due <= untilMs; due = run.nextDueAtMs) {
        nowMs = due
        note(run.fireDue(due))
      }
      nowMs = untilMs
      return this
    },
    /** Speaks for a second. */
    says(text: string, confidence = 1) {
      note(run.send({ type: 'speech.began' }, nowMs))
      nowMs += 1_000
      note(run.send({ type: 'speech.heard', text, confidence }, nowMs))
      return this
    },
    begins() {
      note(run.send({ type: 'speech.began' }, nowMs))
      return this
    },
    isDeaf() {
      note(run.send({ type: 'speech.failed', why: 'no engine listens' }, nowMs))
      return this
    },
    fails() {
      note(run.send({ type: 'prompt.failed', why: 'no such file' }, nowMs))
      return this
    },
  }
}

function told(command: StepCommand): string {
  if (command.type === 'say') {
    const text = command.prompt.map((segment) => ('text' in segment ? segment.text.source : segment.kind)).join(' ')
    return `say ${text}${command.also ? ` ${JSON.stringify(command.also)}` : ''}`
  }
  if (command.type !== 'end') return command.type
  const leftover = command.leftover ? ` left ${command.leftover}` : ''
  const late = command.lateKey ? ` late ${command.lateKey}` : ''
  return `end ${command.end}${command.value === undefined ? '' : ` ${command.value}`}${leftover}${late}`
}

describe('barge-in and type-ahead', () => {
  test('a key stops the prompt and counts as the first digit', () => {
    expect(gather().press('4711#').story).toEqual(['say number?', 'hush', 'end done 4711'])
  })

  test('keys typed before the step began are used, and its prompt is not started', () => {
    expect(gather({}, '4711#').story).toEqual(['end done 4711'])
  })

  test('keys beyond the entry are left for the next step', () => {
    expect(gather({ max: 4 }, '471199').story).toEqual(['end done 4711 left 99'])
  })

  test('an entry that is half typed ahead can be completed', () => {
    expect(gather({}, '47').press('11#').story).toEqual(['end done 4711'])
  })

  test('without barge-in the prompt plays to its end, and keys typed over it are kept', () => {
    const caller = gather({ bargeIn: false }).press('4711#')
    expect(caller.story).toEqual(['say number?'])
    expect(caller.listen().story).toEqual(['say number?', 'end done 4711'])
  })
})

describe('the three clocks', () => {
  test('the first-digit clock starts when the prompt has ended', () => {
    const caller = gather({ tries: 1 }).silence(60_000)
    expect(caller.story).toEqual(['say number?'])
    expect(caller.listen().silence(4_999).story).toEqual(['say number?'])
    expect(caller.silence(1).story).toEqual(['say number?', 'end noInput'])
  })

  test('from the first digit on only the inter-digit clock runs: a slow typist is not cut off', () => {
    const caller = gather({ tries: 1 }).listen()
    for (const digit of '471') caller.silence(2_700).press(digit)
    expect(caller.silence(2_900).press('1#').story.at(-1)).toBe('end done 4711')
  })

  test('inter-digit silence ends an entry that is long enough', () => {
    expect(gather().listen().press('4711').silence(3_000).story.at(-1)).toBe('end done 4711 late #')
  })

  test('inter-digit silence makes an entry that is too short invalid', () => {
    expect(gather({ tries: 1 }).listen().press('47').silence(3_000).story.at(-1)).toBe('end invalid')
  })
})

describe('entries', () => {
  test('the last possible digit ends the entry without a finish key', () => {
    expect(gather({ max: 4 }).press('4711').story.at(-1)).toBe('end done 4711 late #')
  })

  test('an empty finish disables the finish key: hash is an ordinary digit', () => {
    expect(gather({ finish: '', max: 4 }).press('47#1').story.at(-1)).toBe('end done 47#1')
  })

  test('the finish key alone is an entry without digits', () => {
    expect(gather({ tries: 1 }).press('#').story.at(-1)).toBe('end invalid')
  })

  test('the pattern must match the whole entry', () => {
    expect(gather({ pattern: '4[0-9]+', tries: 1 }).press('5411#').story.at(-1)).toBe('end invalid')
    expect(gather({ pattern: '4[0-9]+', tries: 1 }).press('4511#').story.at(-1)).toBe('end done 4511')
  })
})

describe('the finish key after the end of an entry', () => {
  test('belongs to the entry that it follows, and is no new try', () => {
    const caller = gather({ max: 4, pattern: '4...', tries: 2 }).press('9999#')
    expect(caller.story).toEqual(['say number?', 'hush', 'say wrong number?'])
    expect(caller.press('4711').story.at(-1)).toBe('end done 4711 late #')
  })

  test('is consumed with the entry when typed ahead; otherwise the step reports that it may still come', () => {
    expect(gather({ max: 4 }, '4711#9').story).toEqual(['end done 4711 left 9'])
    expect(gather({ max: 4 }).press('4711').story.at(-1)).toBe('end done 4711 late #')
  })

  test('comes after a silence as well, and is no new try', () => {
    const caller = gather({ tries: 2 }).listen().press('47').silence(3_000).press('#')
    expect(caller.story).toEqual(['say number?', 'say wrong number?'])
    expect(caller.press('4711#').story.at(-1)).toBe('end done 4711')
  })

  test('is an entry of its own once another key was typed in between', () => {
    const caller = gather({ max: 4, min: 1, pattern: '4.*', tries: 2 }).press('9999').press('4#')
    expect(caller.story.at(-1)).toBe('end done 4')
  })
})

describe('tries', () => {
  test('each try is introduced by its reason, lists by try number, and the last reason is the end', () => {
    const caller = gather()
    caller.listen().silence(5_000).listen().silence(5_000).listen().press('1#')
    expect(caller.story).toEqual([
      'say number?',
      'say nothing heard number?',
      'say still nothing number?',
      'end invalid',
    ])
  })

  test('an invalid entry also discards the keys behind it', () => {
    const caller = gather({ max: 4, pattern: '4...' }, '9999123')
    expect(caller.story).toEqual(['say wrong number?'])
  })

  test('a prompt that cannot be played fails the step', () => {
    expect(gather().fails().story.at(-1)).toBe('end failed')
  })
})

describe('confirmation', () => {
  const confirm = words('right?')

  test('is read back with the digits, and 1 accepts', () => {
    const caller = gather({ confirm }).press('4711#').listen().press('1')
    expect(caller.story).toEqual(['say number?', 'hush', 'say right? {"n":"4711"}', 'end done 4711'])
  })

  test('allows barge-in and type-ahead', () => {
    expect(gather({ confirm }).press('4711#1').story.slice(-2)).toEqual(['hush', 'end done 4711'])
    expect(gather({ confirm }, '4711#1').story).toEqual(['end done 4711'])
  })

  test('2 asks again without a reprompt and uses a try', () => {
    const caller = gather({ confirm, tries: 2 }).press('4711#').press('2')
    expect(caller.story.slice(-2)).toEqual(['hush', 'say number?'])
    expect(caller.press('4712#').press('2').story.at(-1)).toBe('end invalid')
  })

  test('silence repeats the question, and other keys are ignored', () => {
    const caller = gather({ confirm, tries: 2 }).press('4711#').press('9').listen().press('5').silence(5_000)
    expect(caller.story.at(-1)).toBe('say nothing heard number?')
  })

  test('without barge-in the read-back plays to its end before the key counts', () => {
    const caller = gather({ confirm, bargeIn: false }).press('4711#').listen().press('1')
    expect(caller.story).toEqual(['say number?', 'say right? {"n":"4711"}'])
    expect(caller.listen().story.at(-1)).toBe('end done 4711')
  })
})

describe('digits that are said', () => {
  const spoken = (change: Partial<GatherSpec> = {}) => gather({ hears: true, max: 4, ...change }).listen()

  test('are the same entry as typed ones, once the prompt has ended', () => {
    expect(spoken().says('four seven one one').story).toEqual([
      ...['say number?', 'listen', 'stopListening', 'end done 4711 late #'],
    ])
    expect(spoken().says('Four, 7, 11.').story.at(-1)).toBe('end done 4711 late #')
  })

  test('pass the same pattern and the same number of digits', () => {
    expect(spoken({ pattern: '5...', tries: 1 }).says('4711').story.at(-1)).toBe('end invalid')
    expect(spoken({ tries: 1 }).says('47112').story.at(-1)).toBe('end invalid')
    expect(spoken({ tries: 1 }).says('47').silence(3_000).story.at(-1)).toBe('end invalid')
  })

  test('may be said in parts, with pauses as long as between keys', () => {
    const caller = spoken().says('four seven').silence(2_900).begins().silence(4_000)
    expect(caller.says('one one').story.at(-1)).toBe('end done 4711 late #')
  })

  test('that nobody understands make the entry invalid, and silence is no input', () => {
    const caller = spoken({ tries: 2 }).says('good morning')
    expect(caller.story).toEqual(['say number?', 'listen', 'stopListening', 'say wrong number?'])
    expect(caller.listen().silence(5_000).story.at(-1)).toBe('end noInput')
  })

  test('are read back when they were not heard well, and 2 is again', () => {
    const caller = spoken().says('four seven one one', 0.5)
    expect(caller.story.at(-1)).toMatch(/^say I heard 4, 7, 1, 1[.]/)
    expect(caller.press('2').story.at(-1)).toBe('say number?')
    expect(caller.listen().says('4712', 0.79).listen().press('1').story.at(-1)).toBe('end done 4712')
  })

  test('are read back when other words were said too', () => {
    expect(spoken().says('my number is 4711').story.at(-1)).toMatch(/^say I heard/)
  })

  test('are thrown away at the first key', () => {
    const caller = spoken().says('four seven').press('2583')
    expect(caller.story.slice(1)).toEqual(['listen', 'stopListening', 'end done 2583 late #'])
    expect(caller.says('one one').story.at(-1)).toBe('end done 2583 late #')
  })

  test('are not waited for where nobody can hear: keys still count', () => {
    const caller = spoken().isDeaf().says('4711')
    expect(caller.story).toEqual(['say number?', 'listen', 'stopListening'])
    expect(caller.press('4711').story.at(-1)).toBe('end done 4711 late #')
  })

  test('take 20 s at most', () => {
    expect(spoken({ tries: 1 }).begins().silence(20_000).story.at(-1)).toBe('end invalid')
  })

  test('are not listened for where keys alone count', () => {
    expect(gather({ max: 4 }).listen().says('4711').story).toEqual(['say number?'])
  })
})
