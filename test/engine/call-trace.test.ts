/** What is typed at a secret gather is found nowhere: not as typed, not as read back, not in what follows from it. */
import { describe, expect, test } from 'vitest'
import { simSpeech } from '../../src/sim/sim-speech.ts'
import { types } from '../worlds/set-up.ts'
import { soundWorlds } from '../worlds/sound.ts'

const FLOW = `
flow: pin
start: hello
activity: { pin: "\${pin}" }
steps:
  hello: { play: Welcome., next: ask }
  ask:
    gather:
      prompt: Your code please
      digits: { min: 1, max: 8 }
      secret: true
      confirm: ["You typed", { digits: "\${pin}" }, "is it right"]
    as: pin
    next: check
    on: { failed: bye }
  check:
    http: { post: "https://pins.example/check", body: { pin: "\${pin}" } }
    as: answer
    next: text
    on: { failed: bye }
  text: { sms: { text: "Your code is \${pin}" }, next: say, on: { failed: say } }
  say: { play: ["Your code is", { digits: "\${pin}" }], next: bye }
  bye: { hangup: { say: Goodbye. } }
`

const worlds = soundWorlds()

async function serve(pin: string, hears: string, into = false) {
  const speech = simSpeech()
  const world = await worlds.open({ flow: FLOW, parts: () => ({ speech }) })
  world.web.on('POST /check', { body: { ok: true, echo: `code ${pin}` } })
  const served = world.serve({ presses: [types(`${pin}#`, hears, { into }), types('1', 'is it right')] })
  return { world, served, said: speech.said, written: textsIn(world.lines.map(({ what }) => what)).join('\n') }
}

/** Every text that was written down. Numbers are instants, statuses and counts of ours. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

describe.each(['1772', '200', '9', '**', '17*2', 'A1B2'])('given the code %s', (pin) => {
  // A text without any digit is said as it stands.
  const readBack = /\d/.test(pin) ? [...pin].map((sign) => (sign === '*' ? 'star' : sign)).join(', ') : pin

  test('typed at the prompt, it is masked in facts, prompts, requests, texts and the record', async () => {
    const { world, served, said, written } = await serve(pin, 'Your code please')
    expect(world.web.requests[0]!.body).toEqual({ pin })
    expect(served.words.replaceAll(' | ', ' ')).toContain(readBack)
    expect(served.path.at(-2)).toBe('say')
    if (pin.length > 1) {
      expect(written).not.toContain(pin)
      expect(written).not.toContain(readBack)
    }
    // The words of the code, sign by sign, in the confirmation and afterwards.
    const secret = said.flatMap((one) => ('isPrivate' in one ? [one.text] : []))
    expect(secret.join(' ')).toBe(`${readBack} ${readBack}`)
    const typed = served.lines.filter(({ what }) => what.type === 'leg.digit').map(({ what }) => what['digit'])
    expect(new Set(typed)).toEqual(new Set(['•']))
    expect(served.lines.every(({ what }) => /^[a-zA-Z.]+$/.test(what.type))).toBe(true)
  })

  test('typed over the welcome, before the prompt, it is masked too', async () => {
    const { served } = await serve(pin, 'Welcome', true)
    const typed = served.lines.filter(({ what }) => what.type === 'leg.digit').map(({ what }) => what['digit'])
    expect(new Set(typed)).toEqual(new Set(['•']))
    expect(served.path.at(-2)).toBe('say')
  })
})
