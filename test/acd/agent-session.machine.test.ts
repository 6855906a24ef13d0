import { expect, test } from 'vitest'
import { ANSWERS, WAYS } from './agent-session-answers.ts'
import { AgentSessionReports, STEPS } from './agent-session-reports.ts'

for (const [name, way] of Object.entries(WAYS)) {
  test(`a ${name} session responds to every event as specified`, () => {
    for (const step of STEPS) {
      const session = new AgentSessionReports().tell(...way)
      const before = { state: session.state, asked: session.asked }
      session.heard()
      if (step !== 'time' || session.run.nextDueAtMs !== undefined) session.tell(step)
      const { state, asked } = session
      const changes = [
        state === before.state ? [] : state,
        session.heard(),
        asked === before.asked ? [] : `asked ${asked}`,
      ]
      expect([step, changes.flat().join(', ')]).toEqual([step, ANSWERS[name]?.[step] ?? ''])
    }
  })
}

const READY = ['answered', 'agentJoined', 'heard'] as const
const TALKING = [...READY, 'person', 'joined', 'heard'] as const

test('a session reaches its end within two idle days, whatever its events', () => {
  for (const way of Object.values(WAYS)) {
    for (const step of STEPS) {
      const session = new AgentSessionReports().tell(...way, step).wait(48 * 3_600_000)
      expect([way, step, session.state]).toEqual([way, step, 'done'])
    }
  }
})

test('a phone that does not answer at log-in is not called again, and the agent is informed', () => {
  const session = new AgentSessionReports().tell('ended')
  expect([session.state, session.reason, session.heard()]).toEqual([
    'done',
    'the phone did not answer',
    ['ring', 'close'],
  ])
})

test('a phone that was lost is called at once, then after 1, 3 and 9 seconds, and then the agent is logged out', () => {
  const session = new AgentSessionReports().tell(...READY)
  session.heard()
  session.tell('ended')
  expect(session.heard()).toEqual(['ring'])
  for (const waitMs of [1_000, 3_000, 9_000]) {
    session.tell('ended').wait(waitMs - 1)
    expect(session.heard()).toEqual([])
    session.wait(1)
    expect(session.heard()).toEqual(['ring'])
  }
  session.tell('ended')
  expect([session.state, session.reason]).toEqual(['done', 'the phone was lost and could not be called back'])
})

test('a phone that stayed up for a while resets the retry count; a flapping phone does not', () => {
  const steady = new AgentSessionReports().tell(...READY)
  const flapping = new AgentSessionReports().tell(...READY)
  for (let loss = 0; loss < 10; loss++) {
    steady.tell('ended', ...READY).wait(31_000)
    flapping
      .tell('ended')
      .wait(9_000)
      .tell(...READY)
  }
  expect([steady.state, flapping.state]).toEqual(['up ready.free', 'done'])
})

test('given a conversation, the customer stays while the phone is called again', () => {
  const session = new AgentSessionReports().tell(...TALKING)
  session.heard()
  session.tell('ended', ...READY)
  expect([session.state, session.heard()]).toEqual([
    'up talking.together',
    ['ring', 'comfort person', 'hold', 'listen'],
  ])
})

test('a callee whose agent has no phone for 2 seconds is passed on (campaigns-86)', () => {
  const session = new AgentSessionReports().tell(...TALKING, 'ended').wait(1_999)
  session.heard()
  expect(session.wait(1).heard()).toContain('letGo person vanished')
})

test.each(['person', 'caller'] as const)('the %s of an agent with a browser waits for the grace', (party) => {
  const met = party === 'caller' ? (['whispered', 'joined', 'heard'] as const) : (['joined', 'heard'] as const)
  const talking = () => new AgentSessionReports(false, 15_000).tell(...READY, party, ...met)
  const back = talking().tell('ended').wait(14_000)
  expect(back.heard()).toContain(`comfort ${party}`)
  back.tell(...READY)
  expect([back.state, back.heard().at(-1)]).toEqual(['up talking.together', `back ${party}`])
  const lost = talking().tell('ended').wait(14_999)
  lost.heard()
  expect(lost.wait(1).heard()).toContain(`letGo ${party} vanished`)
})

test('an agent whose phone is dumb in two calls in a row is paused; a connected call in between resets', () => {
  const dumb = () => new AgentSessionReports().tell(...READY, 'person', 'silent', 'ended').wait(9_000)
  const bad = dumb().tell(...READY, 'person', 'silent')
  expect([bad.state, bad.reason]).toEqual(['hanging paused', 'two calls could not be connected'])
  const good = dumb().tell(...READY, 'person', 'joined', 'heard', 'left', 'endWrapUp', 'person', 'silent')
  expect(good.state).toBe('hanging calling')
})

test('an agent is not paused for a caller whom the switch does not bring, but after two callees', () => {
  const given = (party: 'person' | 'quietCaller', times: number) => {
    const session = new AgentSessionReports().tell(...READY)
    for (let time = 0; time < times; time++) session.tell(party).wait(1_800)
    return session
  }
  expect(given('quietCaller', 6).state).toBe('up ready.free')
  const bad = given('person', 2)
  expect([bad.state, bad.reason]).toEqual(['up paused', 'two calls could not be connected'])
  const good = given('person', 1).tell('person', 'joined', 'heard', 'left', 'endWrapUp', 'person').wait(1_800)
  expect(good.state).toBe('up ready.free')
})

test('a pause requested in a conversation begins after its wrap-up', () => {
  const session = new AgentSessionReports().tell(...TALKING, 'pause', 'left')
  expect(session.state).toBe('up wrapUp')
  expect([session.wait(30_000).state, session.reason]).toEqual(['up paused', 'lunch'])
})

test('a log-out requested in a conversation comes after its wrap-up', () => {
  const session = new AgentSessionReports().tell(...TALKING, 'logOut')
  expect(session.state).toContain('talking')
  expect(session.tell('left').state).toBe('up wrapUp')
  expect(session.wait(30_000).state).toBe('closing')
})

test('a pause that lines do not allow begins after three minutes anyway', () => {
  const session = new AgentSessionReports().tell(...READY, 'pause').wait(3 * 60_000 - 1)
  expect(session.state).toBe('up ready.asked')
  expect(session.wait(1).state).toBe('up paused')
})

test('manual wrap-up ends in a pause after 15 minutes, or in the requested log-out', () => {
  const byHand = [...READY, 'personByHand', 'joined', 'heard'] as const
  const forgotten = new AgentSessionReports().tell(...byHand, 'left').wait(15 * 60_000)
  expect([forgotten.state, forgotten.reason]).toEqual(['up paused', 'the wrap-up was never ended'])
  expect(new AgentSessionReports().tell(...byHand, 'logOut', 'left').wait(15 * 60_000).state).toBe('closing')
})

test('a ready agent without a screen is paused after 15 seconds, and logged out after 10 minutes', () => {
  const session = new AgentSessionReports(true).tell(...READY, 'screenLeft').wait(15_000)
  expect([session.state, session.reason]).toEqual(['up paused gone', 'was away'])
  session.wait(10 * 60_000 - 15_000 - 1)
  expect(session.state).toBe('up paused gone')
  expect([session.wait(1).state, session.reason]).toEqual(['closing', 'the screen was gone for 10 minutes'])
})

test('a screen that comes back in time changes nothing', () => {
  const session = new AgentSessionReports(true)
    .tell(...READY, 'screenLeft')
    .wait(14_999)
    .tell('screenHere')
    .wait(600_000)
  expect(session.state).toBe('up ready.free there')
})

test('an agent without a screen finishes the conversation and is then logged out', () => {
  const session = new AgentSessionReports(true).tell(...TALKING, 'screenLeft').wait(20 * 60_000)
  expect(session.state).toBe('up talking.together longGone')
  expect(session.tell('left').wait(30_000).state).toBe('closing')
})

test('an agent who logged in without a screen never needs one', () => {
  const session = new AgentSessionReports().tell(...READY, 'screenHere', 'screenLeft').wait(3_600_000)
  expect(session.state).toBe('up ready.free')
})

test('an agent who asks to log out and closes the screen is logged out', () => {
  expect(new AgentSessionReports(true).tell(...READY, 'logOut', 'screenLeft').wait(15_000).state).toBe('closing')
})

test('an unanswered phone is hung up repeatedly until the switch reports its end', () => {
  const session = new AgentSessionReports().tell(...READY, 'ended')
  session.heard()
  expect(session.wait(22_000).heard()).toEqual(['hangUp'])
  expect(session.wait(5_000).heard()).toEqual(['hangUp'])
  expect([session.tell('ended').state, session.wait(1_000).heard()]).toEqual(['waiting calling', ['ring']])
})

test('a phone that is called anew keeps the caller; the old leg goes when the fresh one is heard', () => {
  const session = new AgentSessionReports().tell(...READY, 'quietCaller', 'joined', 'heard')
  session.heard()
  session.tell('renewLeg', 'answered', 'agentJoined')
  expect([session.state, session.heard()]).toEqual(['renewing.unheard talking.together', ['ring', 'hold', 'listen']])
  session.tell('heard')
  expect([session.state, session.heard()]).toEqual(['up talking.together', ['hangUpOld']])
})

test('a page that is loaded again three times in a row keeps the caller, and one that never stops does not', () => {
  const session = new AgentSessionReports().tell(...READY, 'quietCaller', 'joined', 'heard')
  session.tell('renewLeg', 'renewLeg', 'renewLeg')
  expect(session.state).toBe('renewing.ringing talking.together')
  session.heard()
  session.tell('renewLeg')
  expect(session.heard()).toEqual(['hangUpOld', 'hangUp', 'ring', 'letGo caller vanished'])
  expect(session.tell(...READY).state).toBe('up ready.free')
})
