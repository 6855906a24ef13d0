/** Requested name, in lower case, to the argument of `espeak-ng -v`. */
export type Voices = ReadonlyMap<string, string>

/** For `en`. Our choice: American r's and vowels survive the telephone's 3.4 kHz. A flow can ask for `en-gb`. */
const DEFAULT_ENGLISH = ['en-us', 'en-gb']

/** Parses `espeak-ng --voices`, without MBROLA (`mb/…`, listed but not installed) and variants (`!v/…`, not voices). */
export function readVoices(table: string): Voices {
  const voices = new Map<string, string>()
  const alsoCalled = new Map<string, string>()
  for (const line of table.split('\n')) {
    const columns = /^\s*\d+\s+(\S+)\s+\S+\s+(\S+)\s+(\S+)\s*(.*)$/.exec(line)
    if (!columns) continue
    const [, language, name, file, others] = columns as unknown as [string, string, string, string, string]
    if (file.startsWith('mb/') || file.startsWith('!v/')) continue
    voices.set(language.toLowerCase(), language)
    voices.set(name.toLowerCase(), name)
    for (const [, other] of others.matchAll(/\(([\w-]+) \d+\)/g)) alsoCalled.set(other!.toLowerCase(), language)
  }
  for (const [other, language] of alsoCalled) if (!voices.has(other)) voices.set(other, language)
  const english = DEFAULT_ENGLISH.find((voice) => voices.has(voice))
  if (english) voices.set('en', english)
  return voices
}

interface VoiceChoice {
  readonly voice: string
  /** Whether this is the requested voice, and not the nearest one. */
  readonly isExact: boolean
}

/** The requested voice, or its language without the country, or English; undefined if none exists. */
export function chooseVoice(voices: Voices, asked: string): VoiceChoice | undefined {
  const exact = voices.get(asked.toLowerCase())
  if (exact) return { voice: exact, isExact: true }
  const parts = asked.toLowerCase().split(/[-_]/)
  for (let length = parts.length; length > 0; length--) {
    const voice = voices.get(parts.slice(0, length).join('-'))
    if (voice) return { voice, isExact: length === parts.length }
  }
  const voice = voices.get('en') ?? voices.values().next().value
  return voice === undefined ? undefined : { voice, isExact: false }
}
