/** Sentences that people read have no code, no id and no word of the code (bar 24). */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { filesUnder } from './source-texts.ts'

/** What no sentence has, with the reason. Places for values are left out before. */
const WRONG: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z]+[A-Z]\w*/, 'a name of the code'],
  [/\b\w+_\w+\b/, 'a name of the code'],
  [/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[A-Z]{4,}\b/, 'a code'],
  [/\b(?:HTTP|SIP|RTP|ICE|DTLS|WebRTC|WebSocket|JSON|API|REST|URL|UUID)\b/i, 'a word of the trade of programs'],
  [/\b(?:null|undefined|NaN|true|false|error \d+|\d{3,} error)\b/i, 'a value of the code'],
  [/\b(?:ids?|itca|eact|iast|cfre|ucqu)\b/i, 'an id'],
  [/\b[45]\d\d\b/, 'a status of HTTP or SIP'],
]
/** Words that people know, or whose meaning stands beside them: each with the reason. */
const KNOWN: Readonly<Record<string, string>> = {
  Ids: 'names the list in which each id stands beside what it is of',
  Id: 'the same in Danish',
}

const faultsOf = (text: string) => {
  // Addresses are typed as they stand.
  const words = text.replaceAll(/\{\w+\}|https?:\/\/\S*/g, ' ')
  return WRONG.flatMap(([wrong, why]) => {
    const found = wrong.exec(words)?.[0]
    return found && !(found in KNOWN) ? [`${why}: ${found}`] : []
  })
}

test('no sentence of a catalogue has a code, an id or a word of the code', async () => {
  const found: string[] = []
  let count = 0
  for (const path of filesUnder('src/console', /-(texts|refusals)\.ts$/)) {
    const made = (await import(pathToFileURL(path).href)) as Record<string, unknown>
    for (const texts of Object.values(made).flatMap(textsOf)) {
      count += 1
      found.push(...faultsOf(texts).map((fault) => `${texts} – ${fault}`))
    }
  }
  expect(count).toBeGreaterThan(400)
  expect(found).toEqual([])
})

test('what is known is still said somewhere', () => {
  const all = filesUnder('src/console', /-(texts|refusals)\.ts$/).map((path) => readFileSync(path, 'utf8'))
  expect(Object.keys(KNOWN).filter((word) => !all.some((text) => text.includes(word)))).toEqual([])
})

test('a code, an id and a word of the code are found', () => {
  const bad = ['The agentSession ended.', 'NO_ANSWER', 'HTTP failed', 'itca 7', 'It is null.', 'It said 503.', 'id 7']
  expect(bad.filter((text) => faultsOf(text).length === 0)).toEqual([])
  expect(faultsOf('Call task {itcaId} was ended: {why}')).toEqual([])
})

/** Every sentence in whatever a file of texts exports. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsOf)
}
