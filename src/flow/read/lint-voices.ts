/** Rules about who speaks a flow (calls-and-flows-65). */
import { languagesFor } from '../../ports/speech.ts'
import { type Rule, type Subject, warn } from './lint-subject.ts'

/** Languages of the flow for which the configuration names no engine, although it names one for others. */
export const lintVoices: Rule = (subject) => {
  const { voices } = subject.known
  if (!voices) return []
  return subject.flow.languages.flatMap((language, index) => {
    if (engineOf(subject, language) !== undefined) return []
    const message = `the configuration has no voice for "${language}", so espeak-ng speaks it; add it under voices`
    return [warn(subject, ['languages', index], message)]
  })
}

/** Sentences for a speech server that espeak-ng speaks as a whole, because a secret of the caller is in them. */
export const lintSpokenSecrets: Rule = (subject) => {
  const { flow, reading } = subject
  if (!flow.languages.some((language) => engineOf(subject, language) === 'http')) return []
  const secrets = [...flow.steps.values()].flatMap((step) => {
    return step.kind === 'gather' && step.spec.secret && step.as !== undefined ? [step.as] : []
  })
  return reading.templates.flatMap(({ template, path, place }) => {
    const isSpoken = place === 'speech' || place === 'confirm' || place === 'whisper'
    const secret = template.paths.find(({ parts }) => secrets.includes(String(parts[0])))
    if (!isSpoken || !secret || template.parts.length === 1) return []
    const why = `no speech server gets ${secret.text}, which is secret, so espeak-ng speaks this whole text`
    return [warn(subject, path, `${why}; say the words around it in texts of their own`)]
  })
}

function engineOf({ known: { voices } }: Subject, language: string): string | undefined {
  const found = languagesFor(language).find((name) => voices?.has(name))
  return found === undefined ? undefined : voices?.get(found)
}
