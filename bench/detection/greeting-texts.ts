/** What persons and machines say when they answer. A bar is a pause of 250 to 600 ms. */

/** One greeting. */
export interface Spoken {
  readonly text: string
  /** A voice of espeak-ng, with its variant. */
  readonly voice: string
  /** False: a machine without a beep. */
  readonly beep?: false
}

type Texts = Readonly<Record<string, readonly string[]>>

/** Short, polite and long: private persons, offices, and those who talk on. */
const PERSON_TEXTS: Texts = {
  en: [
    'Hello?',
    'Yes?',
    'Hello, this is Bob speaking.',
    'Good morning, Susan Miller speaking, how can I help you?',
    'Smith and Sons, good afternoon, you are speaking with Peter, what can I do for you?',
    'Hi, hang on a second | sorry about that | who is this?',
    'Good evening, the Johnson residence.',
    'Northern Insurance, claims department, my name is Angela Brown, how may I help you today?',
  ],
  da: [
    'Hallo?',
    'Ja, det er Hanne.',
    'Goddag, det er Peter Jensen.',
    'Velkommen til Petersens bageri, du taler med Anna, hvad kan jeg hjælpe med?',
    'Hej, lige et øjeblik | ja, hvem er det?',
  ],
  de: [
    'Ja bitte?',
    'Schneider.',
    'Guten Tag, Autohaus Wagner, mein Name ist Claudia Fischer, was kann ich für Sie tun?',
    'Hallo, hier ist Familie Becker.',
    'Müller, guten Morgen | hallo?',
  ],
  sv: ['Hallå?', 'Hej, det är Erik.', 'God dag, du har kommit till Lindströms, det är Karin, hur kan jag hjälpa dig?'],
  fr: ['Allô?', 'Oui, bonjour, Marie Dubois à l’appareil.', 'Cabinet Martin, bonjour, que puis-je pour vous?'],
}

const MACHINE_TEXTS: Texts = {
  en: [
    'Hello, you have reached the voicemail of Bob Smith. | I cannot take your call at the moment. | Please leave ' +
      'your name and number after the tone, and I will call you back.',
    'The person you are calling is not available. Please leave a message after the tone.',
    'Hi, this is Susan. | I am not here right now, but leave a message and I will get back to you. | Thanks.',
    'Welcome to Northern Insurance. Our office is closed at the moment. Our opening hours are Monday to Friday, nine ' +
      'to five. | Please leave a message after the beep.',
    'Your call has been forwarded to an automatic voice message system. | At the tone, please record your message.',
    'Sorry, I missed your call. Leave a message.',
  ],
  da: [
    'Hej, du har ringet til Hanne. | Jeg kan ikke tage telefonen lige nu, men læg en besked efter tonen, så ringer ' +
      'jeg tilbage.',
    'Abonnenten kan ikke træffes i øjeblikket. | Læg en besked efter klartonen.',
    'Du er kommet til telefonsvareren hos Petersens bageri. Vi har lukket nu, men åbner igen i morgen klokken seks.',
  ],
  de: [
    'Guten Tag, Sie haben die Mailbox von Peter Müller erreicht. | Bitte hinterlassen Sie eine Nachricht nach dem Ton.',
    'Der gewünschte Gesprächspartner ist zurzeit nicht erreichbar. | Bitte sprechen Sie nach dem Signalton.',
    'Hallo, hier ist der Anrufbeantworter von Familie Becker. Wir sind nicht zu Hause. Bitte hinterlassen Sie eine ' +
      'Nachricht.',
  ],
  sv: [
    'Hej, du har kommit till Eriks röstbrevlåda. Jag kan inte svara just nu, men lämna gärna ett meddelande efter ' +
      'pipet.',
    'Abonnenten kan inte nås för tillfället. | Lämna ett meddelande efter tonen.',
  ],
  fr: [
    'Bonjour, vous êtes bien sur le répondeur de Marie Dubois. | Je ne suis pas disponible. | Laissez un message ' +
      'après le bip sonore.',
  ],
}

const VARIANTS = ['', '+f2', '+m3', '+f4', '+m7']
/** As many of each kind as in the report that called the shipped settings of Asterisk wrong. */
const CLIPS = 72
/** Every sixth machine has no beep. */
const WITHOUT_BEEP = 6

/** 72 persons. */
export const PERSONS: readonly Spoken[] = spoken(PERSON_TEXTS)

/** 72 machines. */
export const MACHINES: readonly Spoken[] = spoken(MACHINE_TEXTS).map((one, at) =>
  at % WITHOUT_BEEP === 0 ? { ...one, beep: false } : one,
)

/** Every text in turn, each time in the next voice. */
function spoken(texts: Texts): Spoken[] {
  const all = Object.entries(texts).flatMap(([language, said]) => said.map((text) => ({ language, text })))
  return Array.from({ length: CLIPS }, (_, at) => {
    const { language, text } = all[at % all.length]!
    return { text, voice: `${language}${VARIANTS[Math.floor(at / all.length) % VARIANTS.length]}` }
  })
}
