/** Callers type into a flow on a real Asterisk, in every way in which telephones send keys: what does the flow get? */
import { CARRIER_HOST } from '../../demo/demo-setup.ts'
import { type KeyWay, keyStream, type Typing } from '../../demo/sip/key-stream.ts'
import { PAYLOAD_KEYS } from '../../demo/sip/rtp-packet.ts'
import { SipCaller } from '../../demo/sip/sip-caller.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { type Random, randomInt, seededRandom } from '../../src/kernel/random.ts'
import { type Live, OTHER_NUMBER } from './live.ts'

/** Takes up to 32 keys, ended by `#`, and writes them into the activity of the call. */
export const TYPING_FLOW = `flow: typing
start: ask
activity: { systemLookupCode: "\${typed}" }
steps:
  ask:
    gather:
      prompt: Please type.
      digits: { min: 1, max: 32 }
      firstDigitTimeout: 20s
      interDigitTimeout: 20s
      tries: 1
    as: typed
    next: bye
    on: { noInput: bye, invalid: bye }
  bye: { hangup: { say: Goodbye. } }
`

/** One row of the matrix. */
export interface KeyCase extends Omit<Typing, 'keys'> {
  readonly callers: number
  /** Keys of each caller, at most 31. */
  readonly keys: number
}

/** What a flow got of the keys of one case. */
export interface KeyResult {
  readonly typed: number
  /** Fewest keys to change, add and leave out to get from the typed to the received ones (Levenshtein). */
  readonly wrong: number
  readonly wrongCalls: number
  readonly example: string | undefined
}

/** After the answer; the prompt is playing then. */
const TYPES_AFTER_MS = 400
/** How often a key repeats the one before: `11` is typed, and must stay two keys. */
const DOUBLE_SHARE = 3

/** Runs one case: all callers at once. */
export async function typeKeys(live: Live, given: KeyCase, seed: number): Promise<KeyResult> {
  const random = seededRandom(seed)
  const results = await Promise.all(
    Array.from({ length: given.callers }, (_, at) => typeOne(live, given, at, seededRandom(randomInt(random, 1, 1e9)))),
  )
  const wrong = results.map(({ typed, got }) => distance(typed, got))
  const worst = results[wrong.indexOf(Math.max(...wrong))]!
  return {
    typed: results.reduce((sum, { typed }) => sum + typed.length, 0),
    wrong: wrong.reduce((sum, one) => sum + one, 0),
    wrongCalls: wrong.filter((one) => one > 0).length,
    example: Math.max(...wrong) > 0 ? `${worst.typed} → ${worst.got}` : undefined,
  }
}

async function typeOne(live: Live, given: KeyCase, at: number, random: Random) {
  const clock = new RealClock()
  const caller = `+4557${String(randomInt(random, 0, 9_999)).padStart(4, '0')}${String(at).padStart(2, '0')}`
  const record = live.recordOf(caller)
  const keysPayload = PAYLOADS[given.way] ?? given.payloadType ?? PAYLOAD_KEYS
  const called = { from: CARRIER_HOST, target: live.sip, called: OTHER_NUMBER, caller, keysPayload }
  const phone = await SipCaller.call({ ...called, clock, random })
  const typed = someKeys(given.keys, random)
  // The finish key comes late enough to be told apart from the last digit by every telephone.
  const stream = keyStream({ ...given, keys: `${typed}#` }, random)
  await phone.play(stream.map((sent) => ({ ...sent, atMs: sent.atMs + TYPES_AFTER_MS })))
  const { activity } = await record
  phone.close()
  return { typed, got: String(activity['systemLookupCode'] ?? '') }
}

const PAYLOADS: Partial<Record<KeyWay, 'none'>> = { info: 'none', tones: 'none' }

function someKeys(count: number, random: Random): string {
  let keys = ''
  while (keys.length < count) {
    const repeats = keys !== '' && randomInt(random, 1, DOUBLE_SHARE) === 1
    keys += repeats ? keys.at(-1) : '0123456789'[randomInt(random, 0, 9)]
  }
  return keys
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, one] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min(row[j]! + (one === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
