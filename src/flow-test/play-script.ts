/**
 * Plays a test: the caller's actions one after another. Whoever plays waits by `yield`, and so one script serves a call
 * on virtual time and a call by phone.
 */

import type { CompiledFlow } from '../flow/run/compile.ts'
import { didYouMean } from '../kernel/file-problem.ts'
import { checkExpected } from './check-expected.ts'
import { endingFault } from './ending-fault.ts'
import { findPhrases, heardText, type Place, placeNow } from './heard.ts'
import type { Action, Failure, Script } from './script.ts'
import type { Act, ScriptedCall } from './scripted-call.ts'
import { SimulatedCall } from './simulated-call.ts'
import { beginningOf, namesOf, worldOf } from './test-world.ts'

/** What came of a test. */
export interface Played {
  readonly script: Script
  readonly call: Pick<ScriptedCall, 'nowMs' | 'lines' | 'notes'>
  readonly failure: Failure | undefined
}

/** A test whose call is one of virtual time. */
export interface PlayedAtOnce extends Played {
  readonly call: SimulatedCall
}

type Disturb = ConstructorParameters<typeof SimulatedCall>[3]

/** Between two keys of a caller who types. */
const KEY_MS = 200

/** Plays a test to its end. `disturb` does something to the call that the script does not know of. */
export function playScript(compiled: CompiledFlow, script: Script, disturb?: Disturb): PlayedAtOnce {
  const begins = beginningOf(script.given, compiled.flow)
  const call = new SimulatedCall(compiled, begins, worldOf(script.given), disturb)
  const player = new Player(call, script)
  const early = atOnce(call, player.acts())
  const hasEnded = call.finish()
  return { script, call, failure: early ?? player.fault(hasEnded) }
}

/** Lets virtual time pass wherever the caller waits. */
export function atOnce<Result>(call: SimulatedCall, act: Act<Result>): Result {
  let step = act.next()
  while (!step.done) step = act.next(call.step(step.value))
  return step.value
}

/** The positions of the caller in what happened: nothing is heard, or expected, twice. */
interface Seen {
  place: Place
  requests: number
  texts: number
  joins: number
  kept: number
  stops: number
  waits: number
  messages: number
  transfers: number
}

/** The caller of a call: acts as a test says. */
export class Player {
  readonly #call: ScriptedCall
  readonly #script: Script
  readonly #seen: Seen = {
    place: { sentence: 0, word: 0 },
    requests: 0,
    texts: 0,
    joins: 0,
    kept: 0,
    stops: 0,
    waits: 0,
    messages: 0,
    transfers: 0,
  }

  constructor(call: ScriptedCall, script: Script) {
    this.#call = call
    this.#script = script
  }

  /** A caller acts from the answer on. */
  *begin(): Act<void> {
    yield* this.#until(() => this.#call.stepName !== undefined)
  }

  /** All actions, up to the first that is not possible. The call goes on after it. */
  *acts(): Act<Failure | undefined> {
    yield* this.begin()
    for (const action of this.#script.actions) {
      const message = yield* this.act(action)
      // An unanswered request is the reason of everything that follows from it.
      const fault = this.#fault()
      if (fault !== undefined || message !== undefined) {
        return { path: action.path, message: fault ?? message!, lines: [...this.#call.lines] }
      }
    }
    return undefined
  }

  /** What is wrong with a call whose actions were all possible, once it is over. */
  fault(hasEnded: boolean): Failure | undefined {
    const fault = this.#fault() ?? (hasEnded ? undefined : 'the call does not end by itself')
    const { path } = this.#script.actions.at(-1)!
    if (fault !== undefined) return { path, message: fault, lines: this.#call.lines }
    return endingFault(this.#call, this.#script)
  }

  /** Why the action is not possible, or not so; undefined if it is. */
  *act(action: Action): Act<string | undefined> {
    switch (action.kind) {
      case 'hear':
        return yield* this.#hear(action.phrases)
      case 'press':
        return yield* this.#press(action.keys)
      case 'wait':
        return yield* this.#wait(action.forMs)
      case 'say':
        return yield* this.#say(action.forMs)
      case 'speak':
        return yield* this.#speak(action.says, action.confidence)
      case 'hangup':
        if (this.#call.hasLeft) return 'the call is over already; nobody can hang up'
        this.#call.hangUp()
        return undefined
      case 'agent':
        return yield* this.#agent(action.does)
      case 'crash':
        return this.#crash()
      case 'event':
        this.#call.postEvent(action.name, action.data)
        return undefined
      case 'expect':
        return yield* this.#expect(action.what)
    }
  }

  /** Waits until `isDone`; the call may be over before. */
  *#until(isDone: () => boolean): Act<boolean> {
    while (!isDone()) if (this.#fault() !== undefined || !(yield undefined)) return isDone()
    return true
  }

  *#hear(phrases: readonly string[]): Act<string | undefined> {
    const call = this.#call
    for (;;) {
      const found = findPhrases(call.sentences, phrases, this.#seen.place)
      if (found && found.atMs <= call.nowMs) {
        this.#seen.place = found.after
        return undefined
      }
      // The words are on their way, unless something cuts them off before.
      const hasHappened = yield found?.atMs
      if (!found && (this.#fault() !== undefined || !hasHappened)) return this.#notHeard(phrases)
    }
  }

  #notHeard(phrases: readonly string[]): string {
    const last = this.#call.sentences.at(-1)
    const wanted = phrases.map((phrase) => `"${phrase}"`).join(' and ')
    const heard = last ? `heard last: "${heardText(last)}"` : 'nothing was heard at all'
    return `${wanted} ${phrases.length > 1 ? 'are never heard in one prompt' : 'is never heard'}; ${heard}`
  }

  *#press(keys: string): Act<string | undefined> {
    this.#seen.place = placeNow(this.#call.sentences, this.#call.nowMs)
    for (const key of keys) {
      yield* this.#wait(KEY_MS)
      if (this.#call.hasLeft) return `the call is over; key ${key} reaches nobody`
      this.#call.press(key)
    }
    return undefined
  }

  *#wait(forMs: number): Act<undefined> {
    const untilMs = this.#call.nowMs + forMs
    while (yield untilMs);
    return undefined
  }

  /** After the tone, or over a prompt that a voice can stop. */
  *#say(forMs: number): Act<string | undefined> {
    const call = this.#call
    if (!(yield* this.#until(() => call.tape.isOn || call.hearsVoice)))
      return 'nobody hears the caller; no step asks for a message, and none has bargeInByVoice'
    if (call.hearsVoice) {
      this.#seen.place = placeNow(call.sentences, call.nowMs)
      call.talk(forMs)
      return yield* this.#wait(forMs)
    }
    return yield* this.#wait(call.tape.say(forMs, call.nowMs) - call.nowMs)
  }

  *#speak(says: string, confidence: number): Act<string | undefined> {
    const call = this.#call
    if (!(yield* this.#until(() => call.ear.isOpen))) return 'nobody listens to the caller; no gather is by speech'
    this.#seen.place = placeNow(call.sentences, call.nowMs)
    call.speak(says, confidence)
    return undefined
  }

  *#agent(does: Extract<Action, { kind: 'agent' }>['does']): Act<string | undefined> {
    const call = this.#call
    if (does === 'answers') {
      if (!(yield* this.#until(() => call.queue === 'waiting')))
        return 'the caller waits in no queue; no agent can answer'
    } else if (call.queue !== 'talking') return 'no agent talks to the caller; write agent: answers before'
    call.agent(does)
    const isDone = () => (call.queue === 'talking') === (does === 'answers')
    if (!(yield* this.#until(isDone))) return `no agent ${does}; the caller ${call.hasLeft ? 'has left' : call.queue}`
    return undefined
  }

  #crash(): string | undefined {
    if (this.#call.hasLeft) return 'the call is over; no crash can disturb it'
    if (this.#call.queue === 'talking') return 'a conversation goes on after a crash; crash before it'
    this.#seen.place = placeNow(this.#call.sentences, this.#call.nowMs)
    this.#call.crash()
    return undefined
  }

  *#expect(what: Extract<Action, { kind: 'expect' }>['what']): Act<string | undefined> {
    const call = this.#call
    switch (what.kind) {
      case 'http': {
        const isIt = (index: number) => namesOf(call.requests[index]!).includes(what.request)
        const find = () => call.requests.findIndex((_, index) => index >= this.#seen.requests && isIt(index))
        if (!(yield* this.#until(() => find() >= 0))) return `${what.request} is never requested${this.#others()}`
        const at = find()
        this.#seen.requests = at + 1
        return checkExpected(what, call.requests[at]!)
      }
      case 'sms':
        if (!(yield* this.#until(() => call.texts.length > this.#seen.texts))) return 'no text message is sent'
        return checkExpected(what, call.texts[this.#seen.texts++]!)
      case 'queue':
        if (!(yield* this.#until(() => call.joins.length > this.#seen.joins)))
          return `the caller never waits for ${what.team}`
        return checkExpected(what, call.joins[this.#seen.joins++]!)
      case 'callback':
        if (!(yield* this.#until(() => call.kept.length > this.#seen.kept)))
          return `no place is kept in the queue of ${what.team}`
        return checkExpected(what, call.kept[this.#seen.kept++]!)
      case 'doNotCall':
        if (!(yield* this.#until(() => call.stops.length > this.#seen.stops)))
          return "the caller's number is never stopped"
        return checkExpected(what, call.stops[this.#seen.stops++]!)
      case 'message': {
        const { messages } = call.tape
        if (!(yield* this.#until(() => messages.length > this.#seen.messages))) return 'the caller leaves no message'
        return checkExpected(what, messages[this.#seen.messages++]!)
      }
      case 'event':
        if (!(yield* this.#until(() => call.waits.length > this.#seen.waits)))
          return `the caller never waits for ${what.name}`
        return checkExpected(what, call.waits[this.#seen.waits++]!)
      case 'transfer': {
        const { all } = call.transfers
        if (!(yield* this.#until(() => all.length > this.#seen.transfers)))
          return `the caller is never brought to ${what.to}`
        return checkExpected(what, all[this.#seen.transfers++]!)
      }
    }
  }

  #others(): string {
    const others = this.#call.requests.slice(this.#seen.requests).map((ask) => namesOf(ask)[0])
    return others.length === 0 ? '' : `; requested: ${others.join(', ')}`
  }

  #fault(): string | undefined {
    const [ask] = this.#call.unanswered
    if (!ask) return this.#call.faults[0]
    const name = namesOf(ask)[0]!
    const known = [...this.#script.given.http.keys()]
    return `nothing answers ${name}; add it to given.http${didYouMean(name, known)}`
  }
}
