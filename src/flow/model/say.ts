/** A prompt of the author becomes utterances: words in a voice, ready to be rendered (flow-language.md 3.1). */
import type { Utterance } from '../../ports/speech.ts'
import type { Flow, Prompt, Segment } from './flow.ts'
import { spokenDate, spokenDigits, spokenMoney, spokenNumber } from './spoken.ts'
import { fillValue, render, type Template } from './template.ts'
import type { Scope } from './variable-path.ts'

/** The prompt in words, or why it cannot be said: a value that is missing is never spoken as a hole. */
export type Said =
  | { readonly ok: true; readonly utterances: readonly Utterance[] }
  | { readonly ok: false; readonly why: string }

/** Prompts of the catalogue may mention prompts, but not in circles. */
const DEPTH_MAX = 5

/** Fills in a prompt for one call. `language` picks the catalogue's wording and the voice. */
export function speakPrompt(prompt: Prompt, flow: Flow, scope: Scope, language: string, depth = 0): Said {
  const utterances: Utterance[] = []
  for (const segment of prompt) {
    const said = segment.kind === 'prompt' ? fromCatalogue(segment.name) : speakSegment(segment, scope, language)
    if (!said.ok) return said
    utterances.push(...said.utterances)
  }
  return { ok: true, utterances }

  function fromCatalogue(name: string): Said {
    const wordings = flow.prompts[name]
    // A language without the prompt gets the default one, in the default voice: better heard than lost.
    const spoken = wordings?.[language] ? language : flow.languages[0]!
    const found = wordings?.[spoken]
    if (!found || depth >= DEPTH_MAX) return { ok: false, why: `there is no prompt "${name}" to say` }
    return speakPrompt(found, flow, scope, spoken, depth + 1)
  }
}

/** What each kind of value sounds like; undefined when the value is not one of that kind. */
const SPOKEN = {
  digits: spokenDigits,
  number: spokenNumber,
  date: spokenDate,
} as const

function speakSegment(segment: Exclude<Segment, { kind: 'prompt' }>, scope: Scope, voice: string): Said {
  switch (segment.kind) {
    case 'pause':
      return { ok: true, utterances: [{ pauseMs: segment.ms }] }
    case 'file':
      return { ok: true, utterances: [{ file: segment.file }] }
    case 'say': {
      const text = render(segment.text, scope, { language: voice })
      return text.ok ? inWords(text.text, voice) : text
    }
    case 'money':
      return speakValue(
        segment.value,
        scope,
        voice,
        (value) => spokenMoney(value, segment.currency, voice),
        'an amount',
      )
    case 'digits':
    case 'number':
    case 'date': {
      const spoken = SPOKEN[segment.kind]
      return speakValue(segment.value, scope, voice, (value) => spoken(value, voice), `a ${segment.kind}`)
    }
  }
}

function speakValue(
  template: Template,
  scope: Scope,
  voice: string,
  spoken: (value: unknown) => string | undefined,
  wanted: string,
): Said {
  const value = fillValue(template, scope, { language: voice })
  if (!value.ok) return value
  const words = spoken(value.value)
  return words === undefined ? { ok: false, why: `${template.source} is not ${wanted}` } : inWords(words, voice)
}

function inWords(text: string, voice: string): Said {
  return { ok: true, utterances: text.trim() === '' ? [] : [{ text: text.trim(), voice }] }
}
