import type { CallBegins } from '../flow/model/call-messages.ts'
import type { Flow } from '../flow/model/flow.ts'
import type { CallId, LegId } from '../kernel/ids.ts'
import { targetText } from '../ports/transfer.ts'
import type { WebRequest } from '../ports/web.ts'
import { isSaidIn } from './heard.ts'
import type { Given } from './script.ts'
import type { TransferReply, World } from './world.ts'

/** Our choice: long enough for music to be heard, and for a caller to hang up in the talk. */
const [RING_MS, TALK_MS] = [3_000, 30_000]

/** What comes of a transfer that ends like this. */
function transferReply(end: TransferReply['end']): TransferReply {
  const why = end === 'done' ? {} : { why: `the test says ${end}` }
  return { end, afterMs: RING_MS, talkMs: TALK_MS, ...why }
}

/** How the call of a test begins. */
export function beginningOf(given: Given, flow: Flow): CallBegins {
  const { called, caller, language, env, task, atMs } = given
  const named = { call: `test-${flow.name}` as CallId, leg: 'caller' as LegId, called, caller, language }
  return { ...named, env, task, lookups: { task: LOOKUP, number: LOOKUP }, atMs }
}

/** A test names the path of a lookup, as of every other request: `GET /CaseInfo/4711`. */
const LOOKUP = { urlTemplate: 'https://integrator.test/CaseInfo/{caseNumber}' }

/** The world that a test describes. Each has its own: answers are given one after another. */
export function worldOf(given: Given): World {
  const asked = new Map<string, number>()
  const { expectedWaitMs: waitMs } = given
  return {
    answer: (ask) => {
      const name = namesOf(ask).find((candidate) => given.http.has(candidate))
      const replies = name === undefined ? undefined : given.http.get(name)
      if (name === undefined || !replies) return undefined
      const before = asked.get(name) ?? 0
      asked.set(name, before + 1)
      return replies[Math.min(before, replies.length - 1)]
    },
    settleText: () => given.sms,
    stopCaller: () => {
      if (given.doNotCall === 'done') return { end: 'done' }
      return { end: given.doNotCall, why: `the test says ${given.doNotCall}` }
    },
    refuses: (team) => given.queue.get(team),
    refusesWait: () => (given.hasEvents ? undefined : 'the test says that no event can come'),
    refusesMessage: () => (given.hasRecorder ? undefined : 'the test says that no message can be recorded'),
    transfer: ({ to }) => transferReply(given.transfer.get(targetText(to)) ?? 'done'),
    canPlay: (sentence) => !given.unplayable.some((phrase) => isSaidIn(sentence, phrase)),
    place: () => ({ position: given.position, ...(waitMs !== undefined && { waitMs }) }),
    callsBack: () => given.callsBack,
  }
}

/** What a test may call a request: by its path, or by its whole address. */
export function namesOf({ method, url }: Pick<WebRequest, 'method' | 'url'>): readonly string[] {
  const afterHost = url.replace(/^[a-z]+:\/\/[^/]*/i, '')
  return [`${method} ${afterHost || '/'}`, `${method} ${url}`]
}
