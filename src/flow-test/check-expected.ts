/** Compares what happened with what a test expects: a sentence about the difference, or undefined. */
import { isDeepStrictEqual } from 'node:util'
import type { Utterance } from '../ports/speech.ts'
import { isSaidIn } from './heard.ts'
import type { Expected } from './script.ts'
import type { Awaited, Joined, ScriptedCall, Stopped } from './scripted-call.ts'
import type { Transferred } from './simulated-transfers.ts'
import type { Message } from './tape.ts'

type Found = {
  http: ScriptedCall['requests'][number]
  sms: ScriptedCall['texts'][number]
  queue: Joined
  callback: Joined
  doNotCall: Stopped
  message: Message
  event: Awaited
  transfer: Transferred
}

const CHECK: {
  readonly [K in keyof Found]: (wanted: Extract<Expected, { kind: K }>, found: Found[K]) => string | undefined
} = {
  http: ({ body }, ask) => {
    const at = body === undefined ? undefined : differenceIn(body, ask.body, 'body')
    return at === undefined ? undefined : `${at.path} of the request is ${at.found}, not ${at.wanted}`
  },
  sms: ({ contains, to }, text) => {
    if (to !== undefined && text.to !== to) return `the text message goes to ${text.to}, not to ${to}`
    const missing = contains.find((words) => !text.text.includes(words))
    return missing === undefined ? undefined : `the text message does not contain "${missing}"; it is "${text.text}"`
  },
  queue: ({ team, details }, joined) => {
    if (joined.team !== team) return `the caller waits for ${joined.team}, not for ${team}`
    const found = {
      ...joined,
      whisper: wordsOf(joined.whisper),
      recordingConsent: joined.recordingConsent ?? false,
      skills: joined.skills ?? [],
    }
    const { whisper, ...rest } = details
    if (whisper !== undefined && !isSaidIn(found.whisper, whisper)) {
      return `the agent hears "${found.whisper}" first, without "${whisper}"`
    }
    const wrong = (Object.keys(rest) as (keyof typeof rest)[]).find(
      (key) => rest[key] !== undefined && !isDeepStrictEqual(rest[key], found[key]),
    )
    return wrong && `${wrong} is ${shown(found[wrong])}, not ${shown(rest[wrong])}`
  },
  callback: ({ team }, joined) =>
    joined.team === team ? undefined : `the place is kept in the queue of ${joined.team}, not of ${team}`,
  doNotCall: ({ reason }, stopped) =>
    stopped.reason === reason ? undefined : `the number is stopped for "${stopped.reason}", not for "${reason}"`,
  message: (wanted, left) => {
    const wrong = (['team', 'seconds'] as const).find((key) => wanted[key] !== undefined && wanted[key] !== left[key])
    return wrong && `${wrong} of the message is ${shown(left[wrong])}, not ${shown(wanted[wrong])}`
  },
  event: ({ name, of }, awaited) => {
    const isIt = awaited.event === name && (of === undefined || awaited.of === of)
    return isIt
      ? undefined
      : `the caller waits for ${awaited.event} of ${awaited.of}, not for ${name} of ${of ?? 'anybody'}`
  },
  transfer: ({ to, ...wanted }, transferred) => {
    if (transferred.target !== to) return `the caller is brought to ${transferred.target}, not to ${to}`
    const details = ['mode', 'callerId'] as const
    const wrong = details.find((key) => wanted[key] !== undefined && wanted[key] !== transferred[key])
    return wrong && `${wrong} of the transfer is ${shown(transferred[wrong])}, not ${shown(wanted[wrong])}`
  },
}

/** What is wrong with what was found. */
export function checkExpected<K extends keyof Found>(
  wanted: Extract<Expected, { kind: K }>,
  found: Found[K],
): string | undefined {
  return (CHECK[wanted.kind] as (wanted: Expected, found: Found[K]) => string | undefined)(wanted, found)
}

interface Difference {
  readonly path: string
  readonly found: string
  readonly wanted: string
}

/** The first member that is not as wanted; members that nobody asks about are not compared. */
function differenceIn(wanted: unknown, found: unknown, path: string): Difference | undefined {
  if (typeof wanted !== 'object' || wanted === null) {
    return Object.is(wanted, found) ? undefined : { path, found: shown(found), wanted: shown(wanted) }
  }
  const inside = typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : undefined
  if (!inside || Array.isArray(wanted) !== Array.isArray(found)) {
    return { path, found: shown(found), wanted: shown(wanted) }
  }
  if (Array.isArray(wanted) && wanted.length !== (found as unknown as unknown[]).length) {
    return { path, found: shown(found), wanted: shown(wanted) }
  }
  for (const [key, inner] of Object.entries(wanted)) {
    const difference = differenceIn(inner, inside[key], `${path}.${key}`)
    if (difference) return difference
  }
  return undefined
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value)
}

function wordsOf(say: readonly Utterance[]): string {
  return say.flatMap((utterance) => ('text' in utterance ? [utterance.text] : [])).join(' ')
}
