import { expect, test } from 'vitest'
import { warmSpeech } from '../../src/engine/flow-registry.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import type { Utterance } from '../../src/ports/speech.ts'

const FLOW = `flow: warm
languages: [en, de]
start: hello
prompts: { hello: { en: Hello., de: Guten Tag. } }
vars: { sum: 7 }
steps:
  hello: { play: [{ prompt: hello }, "You owe \${sum}.", { pause: 1s }], next: bye }
  bye: { hangup: { say: { prompt: hello } } }
`

test('fixed sentences are spoken once in each language, ahead of calls, and failures are told once', async () => {
  const asked: (readonly [Utterance, boolean | undefined])[] = []
  const speech = {
    render(utterance: Utterance, done: (result: { ok: false; why: string }) => void, isAhead?: boolean) {
      asked.push([utterance, isAhead])
      done({ ok: false, why: 'no voice today' })
    },
    quieten: () => {},
  }
  expect(await warmSpeech(readFlow('warm.yaml', FLOW).flow!, speech)).toEqual(['no voice today'])
  expect(asked).toEqual([
    [{ text: 'Hello.', voice: 'en' }, true],
    [{ pauseMs: 1_000 }, true],
    [{ text: 'Guten Tag.', voice: 'de' }, true],
  ])
})
