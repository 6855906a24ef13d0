import type { Flow } from '../flow/model/flow.ts'
import { parseDuration } from '../kernel/duration.ts'
import type { SmsResult } from '../ports/sms.ts'
import type { WebAnswer } from '../ports/web.ts'
import type { Given } from './script.ts'
import type { RawGiven, RawReply } from './test-file-schema.ts'
import type { Reply } from './world.ts'

/** A Monday morning, in business hours of most places. */
const DEFAULT_TIME = '2026-03-02T10:00:00+02:00'
const DEFAULT_CALLER = '+37255512345'
const DEFAULT_CALLED = '+3726000000'
/** A server that answers at once; time enough for the order of events. */
const ANSWER_MS = 50

const TEXT_RESULTS: Readonly<Record<NonNullable<RawGiven['sms']>, SmsResult | undefined>> = {
  sent: { outcome: 'sent', messageId: 'message-1' },
  noMobile: { outcome: 'noMobile', why: 'the number receives no text messages' },
  undelivered: { outcome: 'refused', why: 'the gateway refused the text message' },
  failed: { outcome: 'failed', why: 'the gateway cannot be reached' },
  timeout: undefined,
}

/** The world of a test: what the file says for all its tests, and the test's own on top of it. */
export function readGiven(common: RawGiven = {}, own: RawGiven = {}, env: Given['env'] = {}): Given {
  const raw = { ...common, ...own }
  const caller = raw.caller ?? DEFAULT_CALLER
  return {
    caller: caller === 'withheld' ? undefined : caller,
    called: raw.called ?? DEFAULT_CALLED,
    atMs: Date.parse(raw.time ?? DEFAULT_TIME),
    language: raw.language,
    task: raw.task,
    env: { ...env, ...common.env, ...own.env },
    http: new Map(Object.entries({ ...common.http, ...own.http }).map(([request, replies]) => [request, all(replies)])),
    sms: TEXT_RESULTS[raw.sms ?? 'sent'],
    doNotCall: raw.doNotCall ?? 'done',
    queue: new Map(Object.entries({ ...common.queue, ...own.queue })),
    position: raw.position ?? 1,
    expectedWaitMs: raw.expectedWait === undefined ? undefined : parseDuration(raw.expectedWait)!,
    callsBack: raw.callback !== 'refused',
    hasEvents: raw.events !== 'none',
    transfer: new Map(Object.entries({ ...common.transfer, ...own.transfer })),
    hasRecorder: raw.record !== 'failed',
    unplayable: [raw.unplayable ?? []].flat(),
  }
}

/** `${env.integrator}` → `https://integrator.test`: a test names paths, not hosts. */
export function defaultEnv(flow: Flow): Given['env'] {
  const texts = JSON.stringify([...flow.steps.values(), ...flow.onHangup])
  const names = [...texts.matchAll(/\$\{env\.(\w+)/g)].map(([, name]) => name!)
  return Object.fromEntries(names.map((name) => [name, `https://${name}.test`]))
}

function all(replies: RawReply | readonly RawReply[]): readonly Reply[] {
  return [replies].flat().map((reply) => ({ afterMs: answerTimeOf(reply), answer: answerOf(reply) }))
}

function answerTimeOf({ after, fails }: RawReply): Reply['afterMs'] {
  if (after !== undefined) return parseDuration(after)!
  return fails === 'timeout' ? undefined : ANSWER_MS
}

function answerOf({ status = 200, body, text, fails }: RawReply): WebAnswer {
  if (fails !== undefined) return { outcome: fails, why: `the test says ${fails}` }
  const written = text ?? (body === undefined ? '' : JSON.stringify(body))
  return { outcome: 'answered', status, body: written, contentType: 'application/json' }
}
