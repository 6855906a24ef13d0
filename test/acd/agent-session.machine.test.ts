import { expect, test } from 'vitest'
import { AgentSessionReports, STEPS, type Step } from './agent-session-reports.ts'

/** How each state is reached. */
const WAYS: Readonly<Record<string, readonly Step[]>> = {
  ringing: [],
  hanging: ['time'],
  holding: ['answered'],
  ready: ['answered', 'agentJoined'],
  lost: ['answered', 'agentJoined', 'ended'],
  lostAgain: ['answered', 'agentJoined', 'ended', 'ended'],
  asked: ['answered', 'agentJoined', 'pause'],
  reserved: ['answered', 'agentJoined', 'reserve'],
  briefing: ['answered', 'agentJoined', 'caller'],
  connecting: ['answered', 'agentJoined', 'person'],
  connectingUnheard: ['answered', 'agentJoined', 'person', 'joined'],
  connectingHeard: ['answered', 'agentJoined', 'person', 'heard'],
  connectingAgain: ['answered', 'agentJoined', 'person', 'time', 'person'],
  connectingCaller: ['answered', 'agentJoined', 'quietCaller'],
  talking: ['answered', 'agentJoined', 'person', 'joined', 'heard'],
  talkingAlone: ['answered', 'agentJoined', 'person', 'joined', 'heard', 'ended'],
  talkingCaller: ['answered', 'agentJoined', 'quietCaller', 'joined', 'heard'],
  wrapUp: ['answered', 'agentJoined', 'person', 'joined', 'heard', 'left'],
  wrapUpByHand: ['answered', 'agentJoined', 'personByHand', 'joined', 'heard', 'left'],
  paused: ['answered', 'agentJoined', 'pause', 'excused'],
  closing: ['answered', 'agentJoined', 'logOut', 'excused'],
  done: ['ended'],
}

/**
 * Where each event leads (`phone work`) and what the session commands. What is not here changes nothing and says
 * nothing; `time` may also be a timer that only counts.
 */
const ANSWERS: Readonly<Record<string, Partial<Record<Step, string>>>> = {
  // ringing calling
  ringing: {
    answered: 'holding calling, hold',
    ended: 'done, close',
    foundUp: 'holding calling, hold',
    foundInBridge: 'up ready.free',
    pause: 'ringing paused',
    logOut: 'closing, close, hangUp',
    adopt: 'ringing talking.alone, met person, comfort person',
    time: 'hanging calling, hangUp',
  },
  // hanging calling
  hanging: {
    answered: 'hangUp',
    ended: 'done, close',
    pause: 'hanging paused',
    logOut: 'closing, close, hangUp',
    adopt: 'hanging talking.alone, met person, comfort person',
    time: 'hangUp',
  },
  // holding calling
  holding: {
    ended: 'done, close',
    agentJoined: 'up ready.free',
    foundInBridge: 'up ready.free',
    pause: 'holding paused',
    logOut: 'closing, close, hangUp',
    adopt: 'holding talking.alone, met person, comfort person',
    time: 'hanging calling, hangUp',
  },
  // up ready.free
  ready: {
    ended: 'ringing calling, ring',
    silent: 'hanging calling, hangUp',
    foundUp: 'holding calling, hold',
    reserve: 'up reserved',
    person: 'up connecting.apart, connect person',
    personByHand: 'up connecting.apart, connect person',
    caller: 'up briefing, whisper caller',
    quietCaller: 'up connecting.apart, connect caller',
    pause: 'up ready.asked, asked pause',
    logOut: 'up ready.asked, asked logOut',
    adopt: 'up talking.together, met person',
  },
  // ringing calling
  lost: {
    answered: 'holding calling, hold',
    ended: 'waiting calling',
    foundUp: 'holding calling, hold',
    foundInBridge: 'up ready.free',
    pause: 'ringing paused',
    logOut: 'closing, close, hangUp',
    adopt: 'ringing talking.alone, met person, comfort person',
    time: 'hanging calling, hangUp',
  },
  // waiting calling
  lostAgain: {
    pause: 'waiting paused',
    logOut: 'done, close',
    adopt: 'waiting talking.alone, met person, comfort person',
    time: 'ringing calling, ring',
  },
  // up ready.asked
  asked: {
    ended: 'ringing calling, ring',
    silent: 'hanging calling, hangUp',
    foundUp: 'holding calling, hold',
    reserve: 'up reserved',
    person: 'up connecting.apart, connect person',
    personByHand: 'up connecting.apart, connect person',
    caller: 'up briefing, whisper caller',
    quietCaller: 'up connecting.apart, connect caller',
    ready: 'up ready.free, asked undefined',
    logOut: 'asked logOut',
    excused: 'up paused, asked undefined',
    adopt: 'up talking.together, met person',
  },
  // up reserved
  reserved: {
    ended: 'ringing reserved, ring',
    silent: 'hanging reserved, hangUp',
    foundUp: 'holding reserved, hold',
    unreserve: 'up ready.free',
    person: 'up connecting.apart, connect person',
    personByHand: 'up connecting.apart, connect person',
    caller: 'up briefing, whisper caller',
    quietCaller: 'up connecting.apart, connect caller',
    pause: 'asked pause',
    logOut: 'asked logOut',
    restarted: 'up ready.free',
    adopt: 'up talking.together, met person',
  },
  // up briefing
  briefing: {
    ended: 'ringing calling, hush, letGo caller refused, ring',
    silent: 'hanging calling, hangUp, hush, letGo caller refused',
    foundUp: 'holding calling, hold, hush, letGo caller refused',
    whispered: 'up connecting.apart, hush, connect caller',
    left: 'up ready.free, hush',
    pause: 'asked pause',
    logOut: 'asked logOut',
    hangUp: 'up paused, hush, letGo caller refused',
    restarted: 'up ready.free, hush',
    time: 'up connecting.apart, hush, connect caller',
  },
  // up connecting.apart
  connecting: {
    ended: 'ringing calling, letGo person lost, ring',
    silent: 'hanging calling, hangUp, letGo person lost',
    foundUp: 'holding calling, hold, letGo person lost',
    heard: 'up connecting.heard',
    joined: 'up connecting.unheard',
    left: 'up ready.free',
    released: 'up ready.free, letGo person released',
    pause: 'asked pause',
    logOut: 'asked logOut',
    hangUp: 'up ready.free, letGo person finished',
    restarted: 'up talking.together, met person',
    time: 'up ready.free, letGo person lost',
  },
  // up connecting.unheard
  connectingUnheard: {
    ended: 'ringing calling, letGo person lost, ring',
    silent: 'hanging calling, hangUp, letGo person lost',
    foundUp: 'holding calling, hold, letGo person lost',
    heard: 'up talking.together, met person',
    left: 'up ready.free',
    released: 'up ready.free, letGo person released',
    pause: 'asked pause',
    logOut: 'asked logOut',
    hangUp: 'up ready.free, letGo person finished',
    restarted: 'up talking.together, met person',
    time: 'up ready.free, letGo person lost',
  },
  // up connecting.heard
  connectingHeard: {
    ended: 'ringing calling, letGo person lost, ring',
    silent: 'hanging calling, hangUp, letGo person lost',
    foundUp: 'holding calling, hold, letGo person lost',
    joined: 'up talking.together, met person',
    left: 'up ready.free',
    released: 'up ready.free, letGo person released',
    pause: 'asked pause',
    logOut: 'asked logOut',
    hangUp: 'up ready.free, letGo person finished',
    restarted: 'up talking.together, met person',
    time: 'up ready.free, letGo person lost',
  },
  // up connecting.apart
  connectingAgain: {
    ended: 'ringing paused, letGo person lost, ring',
    silent: 'hanging paused, hangUp, letGo person lost',
    foundUp: 'holding paused, hold, letGo person lost',
    heard: 'up connecting.heard',
    joined: 'up connecting.unheard',
    left: 'up ready.free',
    released: 'up ready.free, letGo person released',
    pause: 'asked pause',
    logOut: 'asked logOut',
    hangUp: 'up ready.free, letGo person finished',
    restarted: 'up talking.together, met person',
    time: 'up paused, letGo person lost',
  },
  // up connecting.apart
  connectingCaller: {
    ended: 'ringing calling, letGo caller lost, ring',
    silent: 'hanging calling, hangUp, letGo caller lost',
    foundUp: 'holding calling, hold, letGo caller lost',
    heard: 'up connecting.heard',
    joined: 'up connecting.unheard',
    left: 'up ready.free',
    released: 'up ready.free, letGo caller released',
    pause: 'asked pause',
    logOut: 'asked logOut',
    hangUp: 'up ready.free, letGo caller finished',
    restarted: 'up talking.together, met caller',
    time: 'up ready.free, letGo caller lost',
  },
  // up talking.together
  talking: {
    ended: 'ringing talking.alone, ring, comfort person',
    silent: 'hanging talking.alone, hangUp, comfort person',
    foundUp: 'holding talking.alone, hold, comfort person',
    left: 'up wrapUp',
    released: 'up wrapUp, letGo person released',
    pause: 'asked pause',
    logOut: 'asked logOut',
    hangUp: 'up wrapUp, letGo person finished',
  },
  // ringing talking.alone
  talkingAlone: {
    answered: 'holding talking.alone, hold',
    ended: 'waiting talking.alone',
    foundUp: 'holding talking.alone, hold',
    foundInBridge: 'up talking.together',
    left: 'ringing wrapUp',
    released: 'ringing wrapUp, letGo person released',
    pause: 'asked pause',
    logOut: 'asked logOut',
    hangUp: 'ringing wrapUp, letGo person finished',
    time: 'ringing calling, letGo person vanished',
  },
  // up talking.together
  talkingCaller: {
    ended: 'ringing calling, letGo caller vanished, ring',
    silent: 'hanging calling, hangUp, letGo caller vanished',
    foundUp: 'holding calling, hold, letGo caller vanished',
    left: 'up ready.free',
    released: 'up ready.free, letGo caller released',
    pause: 'asked pause',
    logOut: 'asked logOut',
    hangUp: 'up ready.free, letGo caller finished',
  },
  // up wrapUp
  wrapUp: {
    ended: 'ringing wrapUp, ring',
    silent: 'hanging wrapUp, hangUp',
    foundUp: 'holding wrapUp, hold',
    ready: 'up ready.free',
    pause: 'up paused',
    logOut: 'closing, close, hangUp',
    endWrapUp: 'up ready.free',
    adopt: 'up talking.together, met person',
    time: 'up ready.free',
  },
  // up wrapUp
  wrapUpByHand: {
    ended: 'ringing wrapUp, ring',
    silent: 'hanging wrapUp, hangUp',
    foundUp: 'holding wrapUp, hold',
    ready: 'up ready.free',
    pause: 'up paused',
    logOut: 'closing, close, hangUp',
    endWrapUp: 'up ready.free',
    adopt: 'up talking.together, met person',
  },
  // up paused
  paused: {
    ended: 'ringing paused, ring',
    silent: 'hanging paused, hangUp',
    foundUp: 'holding paused, hold',
    ready: 'up ready.free',
    logOut: 'closing, close, hangUp',
    adopt: 'up talking.together, met person',
  },
  // closing
  closing: {
    answered: 'hangUp',
    ended: 'done',
    time: 'hangUp',
  },
  // done
  done: {},
}

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

const READY = ['answered', 'agentJoined'] as const
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
  session.tell('ended', 'answered', 'agentJoined')
  expect([session.state, session.heard()]).toEqual(['up talking.together', ['ring', 'comfort person', 'hold']])
})

test('a callee whose agent has no phone for 2 seconds is passed on (campaigns-86)', () => {
  const session = new AgentSessionReports().tell(...TALKING, 'ended').wait(1_999)
  session.heard()
  expect(session.wait(1).heard()).toContain('letGo person vanished')
})

test('an agent whose calls fail to connect twice in a row is paused; a connected call in between resets', () => {
  const bad = new AgentSessionReports()
    .tell(...READY, 'person')
    .wait(1_800)
    .tell('person')
    .wait(1_800)
  expect([bad.state, bad.reason]).toEqual(['up paused', 'two calls could not be connected'])
  const good = new AgentSessionReports().tell(...READY, 'person').wait(1_800)
  good.tell('person', 'joined', 'heard', 'left', 'endWrapUp', 'person').wait(1_800)
  expect(good.state).toBe('up ready.free')
})

test('a pause requested in a conversation begins after its wrap-up', () => {
  const session = new AgentSessionReports().tell(...TALKING, 'pause', 'left')
  expect(session.state).toBe('up wrapUp')
  expect([session.wait(30_000).state, session.reason]).toEqual(['up paused', 'lunch'])
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
  expect([session.state, session.reason]).toEqual(['up paused gone', 'the screen is gone'])
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
