import type { CallId } from '../../src/kernel/ids.ts'
import type { JournalLine } from '../../src/ports/journal.ts'

/** When the call of `servedCall` begins. */
export const BEGAN_AT_MS = Date.UTC(2026, 2, 2, 9, 0, 0)
/** Its id. */
export const CALL = 'sb-call-mhk2v1c0-7f3k9a' as CallId

type What = JournalLine['what']

/** A debtor types a case number, the case is closed, an agent of the team talks to them: most features of a call. */
export function servedCall(): JournalLine[] {
  const lines: JournalLine[] = []
  const tell = (kind: JournalLine['kind'], by: JournalLine['by']) => (afterMs: number, what: What) =>
    lines.push({ atMs: BEGAN_AT_MS + afterMs, call: CALL, kind, by, what })
  const fact = tell('fact', 'call')
  const command = tell('command', 'call')
  const note = tell('note', 'call')
  const leg = 'sb-leg-1'
  const playback = 'sb-play-1'
  const url = 'http://integrator/CaseInfo/1001?caller=4551234578'

  const begins = {
    call: CALL,
    leg,
    caller: '+4551234578',
    called: '+4570001000',
    language: 'en',
    env: {},
    atMs: BEGAN_AT_MS,
  }
  fact(0, { type: 'call.began', begins, flow: 'debtor-self-service', revision: '3f9a1c20aa77bb41' })
  command(0, { type: 'answer', leg })
  fact(4, { type: 'leg.answered', leg })
  note(4, { type: 'step.entered', step: 'askCase', line: 12, kind: 'gather', visit: 1 })
  const text = 'Welcome to the self-service of Example Collections. Please type your case number and then press hash.'
  command(4, { type: 'play', leg, playback, say: [{ text, voice: 'en' }] })
  fact(11, { type: 'playback.started', leg, playback })
  fact(1204, { type: 'leg.digit', leg, digit: '1', heldMs: 120 })
  command(1204, { type: 'stopPlaying', playback })
  fact(1210, { type: 'playback.ended', leg, playback, result: 'stopped' })
  fact(1500, { type: 'leg.digit', leg, digit: '•' })
  note(4500, { type: 'step.left', step: 'askCase', end: 'done', to: 'lookup', why: undefined })
  note(4500, { type: 'step.entered', step: 'lookup', line: 31, kind: 'http', visit: 2 })
  command(4500, { type: 'request', request: 'r1', ask: { method: 'GET', url, headers: {}, timeoutMs: 4000 } })
  const answer = {
    outcome: 'answered',
    status: 200,
    body: '{"closedDate":"2026-01-01"}',
    contentType: 'application/json',
  }
  fact(4530, { type: 'request.answered', request: 'r1', answer })
  note(4530, {
    type: 'step.left',
    step: 'isOpen',
    end: 'case:else',
    to: 'toTeam',
    why: 'no: closedDate is "2026-01-01"',
  })
  command(4531, { type: 'joinQueue', team: 'collections', priority: 0, whisper: [], callerId: '+4551234578' })
  distributor('command', 4531, { type: 'ringAgent', agent: 'anna', leg: 'sb-leg-2', callerId: '+4551234578' })
  distributor('fact', 7210, { type: 'leg.answered', agent: 'anna', leg: 'sb-leg-2' })
  distributor('command', 7210, {
    type: 'whisper',
    agent: 'anna',
    leg: 'sb-leg-2',
    say: [{ text: 'closed case', voice: 'en' }],
  })
  distributor('command', 8300, { type: 'connect', agent: 'anna' })
  fact(8301, { type: 'agent.connected', agent: 'anna' })
  command(8400, { type: 'sendSms', key: 'k', to: '+4599887766', text: 'Thank you for calling +4570001000' })
  fact(61_000, { type: 'leg.ended', leg, reason: 'hungUp', code: 200 })
  distributor('fact', 61_200, { type: 'leg.ended', agent: 'anna', leg: 'sb-leg-2', reason: 'hungUp' })
  command(61_200, { type: 'endCall', record: record() })
  return lines

  function distributor(kind: 'fact' | 'command', afterMs: number, what: What): void {
    tell(kind, 'desk')(afterMs, what)
  }
}

function record() {
  return {
    call: CALL,
    flow: 'debtor-self-service',
    revision: '3f9a1c20aa77bb41',
    outcome: 'served',
    path: ['askCase', 'lookup', 'isOpen', 'toTeam'],
    marks: ['caseFound', 'talked'],
    activity: { systemLookupCode: '1001' },
    agent: 'anna',
    arrivedAtMs: BEGAN_AT_MS,
    answeredAtMs: BEGAN_AT_MS + 4,
    endedAtMs: BEGAN_AT_MS + 61_000,
    endedBy: 'hungUp',
  }
}
