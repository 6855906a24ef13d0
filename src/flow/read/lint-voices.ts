/** Rules about who speaks a flow (calls-and-flows-65). */
import { languagesFor } from '../../ports/speech.ts'
import { type Rule, type Subject, warn } from './lint-subject.ts'

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const COUNTRIES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** Codes that are of no language: an engine would speak the Danish of `dk` as English. */
export const lintLanguageCodes: Rule = (subject) => {
  return subject.flow.languages.flatMap((language, index) => {
    if (isLanguage(language)) return []
    const code = language.slice(0, 2).toUpperCase()
    const country = COUNTRIES.of(code)
    const spoken = country && new Intl.Locale(`und-${code}`).maximize().language
    const remedy = spoken ? `${code} is ${country}; did you mean "${spoken}"?` : 'write one such as en or en-GB'
    return [warn(subject, ['languages', index], `there is no language "${language}"; ${remedy}`)]
  })
}

/** Languages of the flow for which the configuration names no engine, although it names one for others. */
export const lintVoices: Rule = (subject) => {
  const { voices } = subject.known
  if (!voices) return []
  return subject.flow.languages.flatMap((language, index) => {
    if (!isLanguage(language) || engineOf(subject, language) !== undefined) return []
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

function isLanguage(code: string): boolean {
  return LANGUAGES.of(code) !== undefined
}

function engineOf({ known: { voices } }: Subject, language: string): string | undefined {
  const found = languagesFor(language).find((name) => voices?.has(name))
  return found === undefined ? undefined : voices?.get(found)
}
