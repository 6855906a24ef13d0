/** The built-in sentences, by language. All others come from the flow's author. */
import type { Prompt } from './flow.ts'
import { plainText } from './template.ts'

type Phrase = (value: number) => string

const MINUTE_MS = 60_000

interface Phrases {
  readonly position: Phrase
  /** Minutes; 0: less than one. */
  readonly wait: Phrase
  readonly offer: (key: string) => string
  readonly star: string
  readonly hash: string
  readonly kept: string
  readonly notKept: string
  readonly readBack: (digits: string) => string
  /** Said when the phone of the caller's agent is lost. */
  readonly moment: string
  /** Said when a call cannot be served and the flow has no answer of its own. */
  readonly apology: string
}

const PHRASES: Readonly<Record<string, Phrases>> = {
  en: {
    position: (place) => `You are number ${place} in the queue.`,
    wait: (minutes) =>
      minutes === 0
        ? 'You will probably wait less than a minute.'
        : `You will probably wait about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    offer: (key) => `To keep your place, hang up and be called back on this number, press ${key}.`,
    star: 'star',
    hash: 'hash',
    kept: 'We keep your place, and call you back on this number when it is your turn. You may hang up now.',
    notKept: 'We cannot call you back on this number. Please stay on the line: you keep your place.',
    readBack: (digits) => `I heard ${digits}. If this is right, press 1. To try again, press 2.`,
    moment: 'One moment, please.',
    apology: 'We are sorry, something went wrong on our side. Please call again later. Goodbye.',
  },
  da: {
    position: (place) => `Du er nummer ${place} i køen.`,
    wait: (minutes) =>
      minutes === 0
        ? 'Ventetiden er formentlig under et minut.'
        : `Ventetiden er formentlig omkring ${minutes} ${minutes === 1 ? 'minut' : 'minutter'}.`,
    offer: (key) => `Tryk ${key} for at beholde din plads, lægge på og blive ringet op på dette nummer.`,
    star: 'stjerne',
    hash: 'firkant',
    kept: 'Vi holder din plads og ringer til dig på dette nummer, når det er din tur. Du kan lægge på nu.',
    notKept: 'Vi kan ikke ringe tilbage på dette nummer. Bliv venligst i røret: du beholder din plads.',
    readBack: (digits) => `Jeg hørte ${digits}. Tryk 1, hvis det er rigtigt, eller 2 for at prøve igen.`,
    moment: 'Et øjeblik.',
    apology: 'Vi beklager, der opstod en fejl hos os. Ring venligst igen senere. Farvel.',
  },
  de: {
    position: (place) => `Sie sind Nummer ${place} in der Warteschlange.`,
    wait: (minutes) =>
      minutes === 0
        ? 'Die Wartezeit beträgt voraussichtlich weniger als eine Minute.'
        : `Die Wartezeit beträgt voraussichtlich etwa ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'}.`,
    offer: (key) =>
      `Um Ihren Platz zu behalten, aufzulegen und auf dieser Nummer zurückgerufen zu werden, drücken Sie ${key}.`,
    star: 'Stern',
    hash: 'Raute',
    kept: 'Wir halten Ihren Platz und rufen Sie auf dieser Nummer an, wenn Sie an der Reihe sind. Sie können auflegen.',
    notKept: 'Auf dieser Nummer können wir Sie nicht zurückrufen. Bitte bleiben Sie am Apparat: Ihr Platz bleibt.',
    readBack: (digits) => `Ich habe ${digits} verstanden. Wenn das richtig ist, drücken Sie 1, sonst drücken Sie 2.`,
    moment: 'Einen Moment, bitte.',
    apology: 'Es tut uns leid, bei uns ist ein Fehler aufgetreten. Bitte rufen Sie später noch einmal an.',
  },
  et: {
    position: (place) => `Olete järjekorras number ${place}.`,
    wait: (minutes) =>
      minutes === 0 ? 'Ooteaeg on tõenäoliselt alla minuti.' : `Ooteaeg on tõenäoliselt umbes ${minutes} min.`,
    offer: (key) =>
      `Et säilitada oma koht, lõpetada kõne ja saada tagasihelistamine sellele numbrile, vajutage ${key}.`,
    star: 'tärn',
    hash: 'trellid',
    kept: 'Hoiame teie kohta ja helistame sellele numbrile, kui on teie kord. Võite kõne lõpetada.',
    notKept: 'Sellele numbrile ei saa me tagasi helistada. Palun jääge liinile: teie koht säilib.',
    readBack: (digits) => `Kuulsin: ${digits}. Kui see on õige, vajutage 1. Uuesti proovimiseks vajutage 2.`,
    moment: 'Üks hetk, palun.',
    apology: 'Vabandame, meil tekkis viga. Palun helistage hiljem uuesti. Head aega.',
  },
}

/** "You are number 2 in the queue." English for languages without a translation. */
export function positionPhrase(position: number, language: string): Prompt {
  return said(phrasesOf(language).position(position))
}

/** "You will probably wait about 3 minutes": rounded up, because a shorter wait than told disappoints nobody. */
export function waitPhrase(waitMs: number, language: string): Prompt {
  return said(phrasesOf(language).wait(waitMs < MINUTE_MS ? 0 : Math.ceil(waitMs / MINUTE_MS)))
}

/** "To keep your place, hang up and be called back on this number, press 1." */
export function offerPhrase(key: string, language: string): Prompt {
  const name = { '*': phrasesOf(language).star, '#': phrasesOf(language).hash }[key]
  return said(phrasesOf(language).offer(name ?? key))
}

/** "We keep your place …", or that we cannot, and the caller stays in the queue. */
export function keptPhrase(isKept: boolean, language: string): Prompt {
  return said(phrasesOf(language)[isKept ? 'kept' : 'notKept'])
}

/** "I heard 4, 7, 1, 1. If this is right, press 1 …": digits that were said, and not heard well. */
export function readBackPhrase(digits: string, language: string): Prompt {
  return said(phrasesOf(language).readBack([...digits].join(', ')))
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
