/** The built-in sentences, by language. All others come from the flow's author. */
import type { Prompt } from './flow.ts'
import { plainText } from './template.ts'

type Phrase = (value: number) => string

interface Phrases {
  readonly position: Phrase
  /** Said when the phone of the caller's agent is lost. */
  readonly moment: string
  /** Said when a call cannot be served and the flow has no answer of its own. */
  readonly apology: string
}

const PHRASES: Readonly<Record<string, Phrases>> = {
  en: {
    position: (place) => `You are number ${place} in the queue.`,
    moment: 'One moment, please.',
    apology: 'We are sorry, something went wrong on our side. Please call again later. Goodbye.',
  },
  da: {
    position: (place) => `Du er nummer ${place} i køen.`,
    moment: 'Et øjeblik.',
    apology: 'Vi beklager, der opstod en fejl hos os. Ring venligst igen senere. Farvel.',
  },
  de: {
    position: (place) => `Sie sind Nummer ${place} in der Warteschlange.`,
    moment: 'Einen Moment, bitte.',
    apology: 'Es tut uns leid, bei uns ist ein Fehler aufgetreten. Bitte rufen Sie später noch einmal an.',
  },
  et: {
    position: (place) => `Olete järjekorras number ${place}.`,
    moment: 'Üks hetk, palun.',
    apology: 'Vabandame, meil tekkis viga. Palun helistage hiljem uuesti. Head aega.',
  },
}

/** "You are number 2 in the queue." English for languages without a translation. */
export function positionPhrase(position: number, language: string): Prompt {
  return said(phrasesOf(language).position(position))
}

/** "One moment, please": the agent's phone was lost, and the next agent is looked for. */
export function momentPhrase(language: string): Prompt {
  return said(phrasesOf(language).moment)
}

/** The floor under every flow: no call ends silently because an author forgot a branch (flow-language.md 0.5). */
export function apologyPhrase(language: string): Prompt {
  return said(phrasesOf(language).apology)
}

function phrasesOf(language: string): Phrases {
  return PHRASES[language] ?? PHRASES[language.slice(0, 2)] ?? PHRASES['en']!
}

function said(text: string): Prompt {
  return [{ kind: 'say', text: plainText(text) }]
}
