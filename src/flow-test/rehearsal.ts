import type { CompiledFlow } from '../flow/run/compile.ts'
import type { WebRequest } from '../ports/web.ts'
import { tailOf } from './heard.ts'
import { atOnce, Player } from './play-script.ts'
import { defaultEnv, readGiven } from './read-given.ts'
import type { Action, Verb } from './script.ts'
import { SimulatedCall } from './simulated-call.ts'
import type { RawGiven, RawReply } from './test-file-schema.ts'
import { beginningOf, namesOf, worldOf } from './test-world.ts'

/** Steps in which a caller may act although nothing is spoken. */
const ASKING: ReadonlySet<string> = new Set(['gather', 'menu', 'queue', 'wait', 'record', 'transfer'])

/**
 * A call that somebody makes by hand. Every time they act, the call is played again from its beginning: a request that
 * was answered late is answered in time then, and what was done is a test at any moment (calls-and-flows-57).
 */
export class Rehearsal {
  readonly #compiled: CompiledFlow
  #given: RawGiven
  #actions: readonly Action[]
  #call: SimulatedCall
  /** What had happened before the last order, and whether the call must get further than that. */
  #last: { readonly news: number; readonly isWaiting: boolean }
  /** How many sentences were listened to. */
  #listened = 0

  /** `of`: goes on from there, in another world if `given` is another; what is not possible there is not done. */
  constructor(compiled: CompiledFlow, given: RawGiven, of?: Rehearsal) {
    this.#compiled = compiled
    this.#given = given
    const { call, done } = this.#played(of?.actions ?? [])
    this.#call = call
    this.#actions = done
    this.#listened = done.at(-1)?.kind === 'hear' ? call.sentences.length : 0
    while (of?.given === given && newsOf(call) < newsOf(of.call) && call.step());
    this.#last = { news: newsOf(call), isWaiting: false }
    this.#goOn()
  }

  /** The call as it is now. An order may replace it; the lines that were there stay the same. */
  get call(): SimulatedCall {
    return this.#call
  }

  get given(): RawGiven {
    return this.#given
  }

  get actions(): readonly Action[] {
    return this.#actions
  }

  /** A request that waits for its answer. Nothing else is possible before. */
  get question(): { readonly name: string; readonly ask: WebRequest } | undefined {
    const [ask] = this.#call.unanswered
    return ask && { name: namesOf(ask)[0]!, ask }
  }

  /** Answers a request, and all later ones of its name. */
  answer(name: string, reply: RawReply): void {
    this.#given = { ...this.#given, http: { ...this.#given.http, [name]: reply } }
    this.#call = this.#played(this.#actions).call
    this.#goOn()
  }

  /** Waits for the next thing that a caller notices. False: nothing happens any more by itself. */
  wait(): boolean {
    const had = this.#call.lines.length
    this.#listen()
    this.#last = { news: newsOf(this.#call), isWaiting: true }
    this.#goOn()
    return this.#call.lines.length > had
  }

  /** The caller acts after the prompt that is being spoken; `isAtOnce` cuts it off. Says why it is not possible. */
  act(verb: Verb, isAtOnce = false): string | undefined {
    const before = { actions: this.#actions, listened: this.#listened }
    if (!isAtOnce) this.#listen()
    const { call, player } = this.#played(this.#actions)
    const news = newsOf(call)
    const action: Action = { path: [], ...verb }
    const reason = atOnce(call, player.act(action))
    if (reason !== undefined) {
      this.#actions = before.actions
      this.#listened = before.listened
      return reason
    }
    this.#actions = [...this.#actions, action]
    this.#call = call
    this.#last = { news, isWaiting: false }
    this.#goOn()
    return undefined
  }

  /** What is being spoken now is heard to its end. */
  #listen(): void {
    const { sentences, nowMs } = this.#call
    const sentence = sentences.at(-1)
    if (!sentence || sentence.endsAtMs <= nowMs || this.#listened === sentences.length) return
    this.#listened = sentences.length
    const words = tailOf(sentence)
    if (words !== '') this.#actions = [...this.#actions, { path: [], kind: 'hear', phrases: [words] }]
  }

  #played(actions: readonly Action[]) {
    const { flow } = this.#compiled
    const given = readGiven(this.#given, {}, defaultEnv(flow))
    const call = new SimulatedCall(this.#compiled, beginningOf(given, flow), worldOf(given))
    const player = new Player(call, { name: '', path: [], given, actions, ending: {} })
    atOnce(call, player.begin())
    const fault = actions.findIndex((action) => atOnce(call, player.act(action)) !== undefined)
    return { call, player, done: fault < 0 ? actions : actions.slice(0, fault) }
  }

  /** To the next place where the caller may act. */
  #goOn(): void {
    const call = this.#call
    const { news, isWaiting } = this.#last
    this.#settle()
    while (!call.isOver && call.unanswered.length === 0 && newsOf(call) === news) {
      if (!isWaiting && (this.#isSpeaking || ASKING.has(this.#kind))) break
      if (!call.step()) break
    }
    this.#settle()
  }

  /** What happens at this very instant. */
  #settle(): void {
    const call = this.#call
    while (call.unanswered.length === 0 && (call.nextAtMs ?? Number.POSITIVE_INFINITY) <= call.nowMs && call.step());
  }

  get #isSpeaking(): boolean {
    return (this.#call.sentences.at(-1)?.endsAtMs ?? 0) > this.#call.nowMs
  }

  get #kind(): string {
    const { stepName } = this.#call
    return (stepName && this.#compiled.flow.steps.get(stepName)?.kind) ?? ''
  }
}

/** Prompts, queues, waits for events, messages, transfers: what a caller notices. */
function newsOf({ sentences, joins, waits, tape, transfers }: SimulatedCall): number {
  return sentences.length + joins.length + waits.length + tape.messages.length + transfers.all.length
}
