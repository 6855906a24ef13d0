import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AttemptCommand,
  type AttemptEvent,
  type AttemptInput,
  type AttemptReport,
  attemptMachine,
} from '../../src/dialer/attempt.machine.ts'
import type { MachineDetection } from '../../src/dialer/campaign.ts'
import type { AgentName, AttemptId, LegId } from '../../src/kernel/ids.ts'
import { MachineRun } from '../../src/kernel/machine.ts'
import { COPENHAGEN, number } from './samples.ts'

const INPUT: AttemptInput = {
  attempt: 991 as AttemptId,
  leg: 'sb-leg-callee' as LegId,
  number: COPENHAGEN,
  callerId: number('+4570000000'),
  dialTimeoutMs: 25_000,
  ringTimeoutMs: 20_000,
  minRingMs: 15_000,
  agentWaitMs: 2_000,
  machineDetection: 'off',
}

const EVENTS = {
  permitted: { type: 'permitted' },
  refused: { type: 'refused' },
  dialRefused: { type: 'dial.refused' },
  ringing: { type: 'leg.ringing' },
  answered: { type: 'leg.answered' },
  ended: { type: 'leg.ended', reason: 'hungUp' },
  busy: { type: 'leg.ended', reason: 'busy', code: 486 },
  switchLost: { type: 'leg.ended', reason: 'lost' },
  cancel: { type: 'cancel', why: 'cancel' },
  withdraw: { type: 'cancel', why: 'withdraw' },
  person: { type: 'person.heard' },
  machine: { type: 'machine.heard' },
  greeted: { type: 'greeting.ended' },
  marked: { type: 'machine.marked' },
  given: { type: 'agent.given', agent: 'miriam' as AgentName, agentLeg: 'sb-leg-miriam' as LegId },
  joined: { type: 'agent.connected' },
  agentLost: { type: 'agent.lost' },
  agentGone: { type: 'agent.lost', hadMusic: true },
  agentFinished: { type: 'agent.finished' },
  apologised: { type: 'playback.ended', message: 'apology' },
  spoken: { type: 'playback.ended', message: 'dropped' },
  voicemailLeft: { type: 'playback.ended', message: 'voicemail' },
} as const satisfies Record<string, AttemptEvent>

const OVER = ['stopMusic', 'withdrawAsk', 'speak dropped'] as const

/** `time`: the next timer falls due. */
type Step = keyof typeof EVENTS | 'time'
const STEPS = [...(Object.keys(EVENTS) as (keyof typeof EVENTS)[]), 'time'] as const satisfies readonly Step[]

/** An attempt, told one thing after another. Commands in short: `hangUp`, `speak dropped`, `report busy`. */
class AttemptUnderTest {
  readonly #run: MachineRun<AttemptCommand>
  readonly said: string[] = []
  report: AttemptReport | undefined
  nowMs = 0

  constructor(different: Partial<AttemptInput> = {}) {
    const { run, commands } = MachineRun.start<AttemptCommand>(attemptMachine, { ...INPUT, ...different }, this.nowMs)
    this.#run = run
    this.#note(commands)
  }

  tell(...steps: readonly Step[]): this {
    for (const step of steps) {
      if (step === 'time') this.nowMs = Math.max(this.nowMs, this.#run.nextDueAtMs ?? this.nowMs)
      this.#note(step === 'time' ? this.#run.fireDue(this.nowMs) : this.#run.send(EVENTS[step], this.nowMs))
    }
    return this
  }

  get state(): string {
    const { value } = this.#run
    if (typeof value === 'string') return value
    return Object.entries(value as object)
      .map(([outer, inner]) => (outer === 'withAgent' ? inner : `${outer}.${inner}`))
      .join()
  }

  get isDone(): boolean {
    return this.#run.isDone
  }

  get nextDueAtMs(): number | undefined {
    return this.#run.nextDueAtMs
  }

  #note(commands: readonly AttemptCommand[]): void {
    for (const command of commands) {
      if (command.type === 'report') this.report = command.report
      this.said.push([command.type, ...shortly(command)].join(' '))
    }
  }
}

function shortly(command: AttemptCommand): string[] {
  if (command.type === 'report') return [command.report.result]
  return command.type === 'speak' ? [command.message] : []
}

/** How each state is reached. */
const WAYS: Readonly<Record<string, readonly Step[]>> = {
  claimed: [],
  dialing: ['permitted'],
  ringing: ['permitted', 'ringing'],
  ringingLong: ['permitted', 'ringing', 'time'],
  detecting: ['permitted', 'ringing', 'answered'],
  waitingForAgent: ['permitted', 'ringing', 'answered', 'person'],
  connecting: ['permitted', 'ringing', 'answered', 'person', 'given'],
  connectingAgain: ['permitted', 'ringing', 'answered', 'person', 'given', 'agentLost', 'given'],
  talking: ['permitted', 'ringing', 'answered', 'person', 'given', 'joined'],
  waitingForNext: ['permitted', 'ringing', 'answered', 'person', 'given', 'joined', 'agentLost'],
  waitingWithWords: ['permitted', 'ringing', 'answered', 'person', 'given', 'joined', 'agentGone'],
  connectingNext: ['permitted', 'ringing', 'answered', 'person', 'given', 'joined', 'agentLost', 'given'],
  speakingDropped: ['permitted', 'ringing', 'answered', 'person', 'time'],
  hearingGreeting: ['permitted', 'ringing', 'answered', 'machine'],
  speakingVoicemail: ['permitted', 'ringing', 'answered', 'machine', 'greeted'],
  cancelling: ['permitted', 'ringing', 'cancel'],
  closing: ['permitted', 'ringing', 'answered', 'person', 'given', 'joined', 'agentFinished'],
  closingTooLate: ['permitted', 'ringing', 'cancel', 'answered'],
  done: ['refused'],
}

/** Where each event leads and what it makes the attempt say. What is not here changes nothing and says nothing. */
const ANSWERS: Readonly<Record<string, Partial<Record<Step, string>>>> = {
  claimed: {
    ...ends('done, report', 'failed', 'failed', 'failed'),
    permitted: 'dialing, originate',
    refused: 'done, report blocked',
    cancel: 'done, report cancelled',
    withdraw: 'done, report withdrawn',
    given: 'claimed, releaseAgent',
    time: 'done, report blocked',
  },
  dialing: {
    ...ends('done, report', 'failed', 'busy', 'unknown'),
    dialRefused: 'done, report failed',
    ringing: 'ringing',
    answered: 'detecting, detectMachine',
    cancel: 'cancelling, hangUp',
    withdraw: 'cancelling, hangUp',
    given: 'dialing, releaseAgent',
    time: 'cancelling, hangUp',
  },
  ringing: {
    ...ends('done, report', 'noAnswer', 'busy', 'unknown'),
    answered: 'detecting, detectMachine',
    cancel: 'cancelling, hangUp',
    withdraw: 'cancelling, hangUp',
    given: 'ringing, releaseAgent',
    time: 'ringingLong',
  },
  ringingLong: {
    ...ends('done, report', 'noAnswer', 'busy', 'unknown'),
    answered: 'detecting, detectMachine',
    cancel: 'cancelling, hangUp',
    withdraw: 'cancelling, hangUp',
    given: 'ringingLong, releaseAgent',
    time: 'cancelling, hangUp',
  },
  detecting: {
    ...ends('done, report', 'lost', 'lost', 'dropped'),
    person: 'waitingForAgent, askForAgent',
    machine: 'hearingGreeting',
    given: 'detecting, releaseAgent',
    time: 'waitingForAgent, askForAgent',
  },
  waitingForAgent: {
    ...ends('done, withdrawAsk, report', 'lost', 'lost', 'dropped'),
    machine: 'hearingGreeting, withdrawAsk',
    marked: 'closing, withdrawAsk, hangUp',
    given: 'connecting, withdrawAsk, connect',
    time: 'speaking, withdrawAsk, speak dropped',
  },
  connecting: {
    ...ends('done, releaseAgent, report', 'lost', 'lost', 'dropped'),
    given: 'connecting, releaseAgent',
    joined: 'talking',
    agentLost: 'waitingForAgent, releaseAgent, speak apology, askForAgent',
    agentGone: 'waitingForAgent, releaseAgent, speak apology, askForAgent',
    agentFinished: 'waitingForAgent, releaseAgent, speak apology, askForAgent',
  },
  connectingAgain: {
    ...ends('done, releaseAgent, report', 'dropped', 'dropped', 'dropped'),
    given: 'connecting, releaseAgent',
    joined: 'talking',
    agentLost: 'speaking, releaseAgent, speak dropped',
    agentGone: 'speaking, releaseAgent, speak dropped',
    agentFinished: 'speaking, releaseAgent, speak dropped',
  },
  talking: {
    ...ends('done, releaseAgent, report', 'answered', 'answered', 'answered'),
    given: 'talking, releaseAgent',
    agentLost: 'waitingForNext.music, releaseAgent, startMusic, askForAgent',
    agentGone: 'waitingForNext.words, releaseAgent, speak apology, askForAgent',
    agentFinished: 'closing, releaseAgent, hangUp',
    time: 'closing, releaseAgent, hangUp',
  },
  waitingForNext: {
    ...ends('done, stopMusic, withdrawAsk, report', 'answered', 'answered', 'answered'),
    given: 'connecting, stopMusic, withdrawAsk, connect',
    time: 'waitingForNext.words, speak apology',
  },
  waitingWithWords: {
    ...ends('done, stopMusic, withdrawAsk, report', 'answered', 'answered', 'answered'),
    given: 'connecting, stopMusic, withdrawAsk, connect',
    apologised: 'waitingForNext.music, startMusic',
    time: 'speaking, stopMusic, withdrawAsk, speak dropped',
  },
  connectingNext: {
    ...ends('done, releaseAgent, report', 'answered', 'answered', 'answered'),
    given: 'connecting, releaseAgent',
    joined: 'talking',
    agentLost: 'waitingForNext.words, releaseAgent, speak apology, askForAgent',
    agentGone: 'waitingForNext.words, releaseAgent, speak apology, askForAgent',
    agentFinished: 'waitingForNext.words, releaseAgent, speak apology, askForAgent',
  },
  speakingDropped: {
    ...ends('done, report', 'dropped', 'dropped', 'dropped'),
    given: 'speaking, releaseAgent',
    spoken: 'closing, hangUp',
    time: 'closing, hangUp',
  },
  hearingGreeting: {
    ...ends('done, report', 'voicemail', 'voicemail', 'voicemail'),
    greeted: 'speaking, speak voicemail',
    given: 'hearingGreeting, releaseAgent',
    time: 'closing, hangUp',
  },
  speakingVoicemail: {
    ...ends('done, report', 'voicemail', 'voicemail', 'voicemail'),
    given: 'speaking, releaseAgent',
    voicemailLeft: 'closing, hangUp',
    time: 'closing, hangUp',
  },
  cancelling: {
    ...ends('done, report', 'cancelled', 'cancelled', 'unknown'),
    answered: 'closing, hangUp',
    dialRefused: 'done, report cancelled',
    given: 'cancelling, releaseAgent',
    time: 'cancelling, hangUp',
  },
  closing: {
    ...ends('done, report', 'answered', 'answered', 'answered'),
    given: 'closing, releaseAgent',
    time: 'closing, hangUp',
  },
  closingTooLate: {
    ...ends('done, report', 'dropped', 'dropped', 'dropped'),
    given: 'closing, releaseAgent',
    time: 'closing, hangUp',
  },
}

function ends(before: string, ended: string, busy: string, switchLost: string) {
  return { ended: `${before} ${ended}`, busy: `${before} ${busy}`, switchLost: `${before} ${switchLost}` }
}

describe.each(Object.keys(WAYS))('in state %s', (name) => {
  test.each(STEPS)('%s', (step) => {
    const told = new AttemptUnderTest({ machineDetection: 'leaveMessage' }).tell(...WAYS[name]!)
    const [before, saidBefore] = [told.state, told.said.length]
    told.tell(step)
    const answer = [told.state, ...told.said.slice(saidBefore)].join(', ')
    expect(answer).toBe(ANSWERS[name]?.[step] ?? before)
  })
})

test('given no detection, an answer asks for an agent at once', () => {
  const told = new AttemptUnderTest().tell('permitted', 'answered', 'given', 'joined', 'ended')
  const conversation = ['originate', 'askForAgent', 'withdrawAsk', 'connect', 'releaseAgent']
  expect(told.said).toEqual([...conversation, 'report answered'])
})

test('given detection without a message, a machine is hung up on', () => {
  const told = new AttemptUnderTest({ machineDetection: 'hangUp' }).tell('permitted', 'answered', 'machine', 'ended')
  expect(told.said).toEqual(['originate', 'detectMachine', 'hangUp', 'report voicemail'])
})

test('given a detector that may not decide, an answer asks for an agent at once, and its verdict ends nothing', () => {
  const told = new AttemptUnderTest({ machineDetection: 'listen' }).tell('permitted', 'answered', 'machine', 'greeted')
  expect(told.state).toBe('waitingForAgent')
  told.tell('given', 'joined', 'machine', 'greeted', 'ended')
  const conversation = ['originate', 'detectMachine', 'askForAgent', 'withdrawAsk', 'connect', 'releaseAgent']
  expect(told.said).toEqual([...conversation, 'report answered'])
})

test('an agent who marks the callee as a machine makes it voicemail', () => {
  const told = new AttemptUnderTest().tell('permitted', 'answered', 'given', 'joined', 'marked', 'ended')
  expect(told.report?.result).toBe('voicemail')
})

test('given a machine, no other agent is asked for when its agent is lost', () => {
  const told = new AttemptUnderTest().tell('permitted', 'answered', 'given', 'joined', 'marked', 'agentLost', 'ended')
  expect(told.said.slice(-3)).toEqual(['releaseAgent', 'hangUp', 'report voicemail'])
})

test('a line beside the number that was answered is withdrawn at once', () => {
  const told = new AttemptUnderTest().tell('permitted', 'ringing', 'withdraw')
  expect(told.said.at(-1)).toBe('hangUp')
  expect(told.tell('ended').report).toMatchObject({ result: 'withdrawn', isRingCutShort: true })
})

test('a cancellation cuts the ring short and reports it only before the minimum ring time', () => {
  const isCutShort = (...steps: Step[]) =>
    new AttemptUnderTest().tell('permitted', ...steps, 'ended').report?.isRingCutShort
  expect(isCutShort('ringing', 'cancel')).toBe(true)
  expect(isCutShort('ringing', 'time', 'cancel')).toBe(false)
  expect(isCutShort('cancel')).toBe(false)
})

test('a person waits two seconds for an agent and then hears the message', () => {
  const told = new AttemptUnderTest().tell('permitted', 'ringing', 'answered')
  expect(told.nextDueAtMs).toBe(INPUT.agentWaitMs)
  told.tell('time', 'spoken', 'ended')
  expect(told.said.slice(-4)).toEqual(['withdrawAsk', 'speak dropped', 'hangUp', 'report dropped'])
})

test('given an apology that ends late, the message after it is still played to its end', () => {
  const told = new AttemptUnderTest().tell('permitted', 'answered', 'given', 'agentLost', 'time')
  expect(told.state).toBe('speaking')
  expect(told.tell('apologised').state).toBe('speaking')
  expect(told.tell('spoken').state).toBe('closing')
})

test('whoever waits for the next agent hears music and words in turn for 18 s, whatever the words take', () => {
  const told = new AttemptUnderTest().tell('permitted', 'answered', 'given', 'joined')
  const lostAtMs = told.nowMs
  const turns = told.tell('agentGone', 'apologised', 'time', 'apologised', 'time', 'apologised', 'time').said.slice(-10)
  const music = ['speak apology', 'startMusic']
  expect(turns).toEqual(['speak apology', 'askForAgent', 'startMusic', ...music, ...music, ...OVER])
  expect(told.nowMs - lostAtMs).toBe(18_000)
})

test('a phone rings for the ring timeout, counted from its first ring', () => {
  const told = new AttemptUnderTest().tell('permitted', 'ringing', 'time')
  expect(told.nextDueAtMs).toBe(INPUT.ringTimeoutMs)
  expect(told.tell('time', 'ended').report?.result).toBe('noAnswer')
})

test('the engine ends a line without a ring shortly after the switch should have ended it', () => {
  const told = new AttemptUnderTest().tell('permitted')
  expect(told.nextDueAtMs).toBe(INPUT.dialTimeoutMs + 2_000)
  expect(told.tell('time', 'ended').report?.result).toBe('noAnswer')
  const unsent = new AttemptUnderTest().tell('permitted', 'time', 'dialRefused').report
  expect(unsent).toMatchObject({ result: 'failed', counts: false })
})

test('given a restart in the middle of the wait, the message still plays on time', () => {
  const { run } = MachineRun.start<AttemptCommand>(attemptMachine, INPUT, 0)
  run.send(EVENTS.permitted, 0)
  run.send(EVENTS.answered, 5_000)
  const restored = MachineRun.restore<AttemptCommand>(attemptMachine, JSON.parse(JSON.stringify(run.save())))
  expect(restored.fireDue(6_999)).toEqual([])
  expect(restored.fireDue(7_000).map(({ type }) => type)).toEqual(['withdrawAsk', 'speak'])
})

describe('any events, in any order', () => {
  const machineDetection = fc.constantFrom<MachineDetection>('off', 'listen', 'hangUp', 'leaveMessage')
  const stories = fc.tuple(fc.array(fc.constantFrom(...STEPS), { maxLength: 40 }), machineDetection)

  test('an attempt ends with its leg, reports once, dials at most once, and releases its agent', () => {
    fc.assert(
      fc.property(stories, ([steps, machineDetection]) => {
        const told = new AttemptUnderTest({ machineDetection }).tell(...steps, 'ended')
        const said = (what: string) => told.said.filter((text) => text.startsWith(what)).length
        expect(told.isDone).toBe(true)
        expect(said('report')).toBe(1)
        expect(told.said.at(-1)).toMatch(/^report/)
        expect(said('originate')).toBeLessThanOrEqual(1)
        expect(said('askForAgent')).toBe(said('withdrawAsk'))
        expect(said('releaseAgent')).toBeGreaterThanOrEqual(said('connect'))
        if (told.report?.result === 'answered') expect(said('connect')).toBeGreaterThan(0)
      }),
      { numRuns: 3_000 },
    )
  })

  test('every state times out: the engine repeats the hang-up of the leg', () => {
    fc.assert(
      fc.property(stories, ([steps, machineDetection]) => {
        const told = new AttemptUnderTest({ machineDetection }).tell(...steps)
        // The agent's session times the connection to its agent, and says so.
        const nextStep = () => (told.state === 'connecting' ? 'agentLost' : 'time')
        for (let patience = 0; patience < 12 && !told.isDone; patience++) told.tell(nextStep())
        expect(told.isDone || told.said.at(-1) === 'hangUp').toBe(true)
      }),
      { numRuns: 1_000, examples: [[[['permitted', 'answered', 'given'], 'off']]] },
    )
  })
})
