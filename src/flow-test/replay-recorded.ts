/**
 * Plays a recorded call through another revision of its flow: the caller presses the same keys at the same prompts, and
 * the world gives the same answers. What the record cannot answer ends the replay; nothing is guessed
 * (calls-and-flows-58).
 */
import type { CallNote } from '../flow/model/call-messages.ts'
import type { CompiledFlow } from '../flow/run/compile.ts'
import type { AtMs } from '../kernel/clock.ts'
import { type Course, isSuccess, type RecordedCall, type RecordedVisit, visitName } from './recorded-call.ts'
import { SimulatedCall } from './simulated-call.ts'
import { namesOf } from './test-world.ts'
import type { World } from './world.ts'

/** `reworded`: questions whose words have changed, and whose answer the replay took over all the same. */
export type ReplayedCall =
  | {
      readonly isComparable: true
      /** Whether it came to its end; it may not, when the caller reached a person only now. */
      readonly isWhole: boolean
      readonly course: Course
      readonly reworded: readonly string[]
    }
  | { readonly isComparable: false; readonly step: string; readonly why: string }

/** Steps that need the answer of a person or of another system. */
const ASKING: ReadonlySet<string> = new Set(['gather', 'menu', 'wait', 'record'])

/** Plays a call to its end, or to the place where the record has no answer. */
export function replayRecorded(compiled: CompiledFlow, recorded: RecordedCall): ReplayedCall {
  if (recorded.begins.isServedAgain)
    return { isComparable: false, step: '', why: 'the engine was restarted in the call' }
  return new Replay(compiled, recorded).play()
}

class Replay {
  readonly #recorded: RecordedCall
  readonly #call: SimulatedCall
  readonly #reworded = new Set<string>()
  readonly #failures: string[] = []
  readonly #path: string[] = []
  #unfit: { readonly step: string; readonly why: string } | undefined
  /** The visit of the draft, and what of the recorded one is still to come. */
  #visit: RecordedVisit | undefined
  #step = ''
  #nextVerb = 0
  #noteCount = 0
  #enteredAtMs: AtMs = 0
  #sentencesBefore = 0
  /** The caller reached a person, whom they did not reach then: what follows is not known. */
  #hasMetPerson = false

  constructor(compiled: CompiledFlow, recorded: RecordedCall) {
    this.#recorded = recorded
    const { place: _, waitsUntil: __, ...begins } = recorded.begins
    this.#call = new SimulatedCall(compiled, begins, this.#world())
  }

  play(): ReplayedCall {
    const call = this.#call
    this.#readNotes()
    while (!call.isOver && !this.#unfit) {
      const dueAtMs = this.#dueAtMs()
      if (dueAtMs !== undefined && dueAtMs <= (call.nextAtMs ?? dueAtMs)) this.#act(dueAtMs)
      else if (!call.step()) break
      this.#readNotes()
    }
    if (this.#unfit && !this.#hasMetPerson) return { isComparable: false, ...this.#unfit }
    const { joins, texts, stops, transfers, record } = call
    const course: Course = {
      path: this.#path,
      teams: joins.map(({ team }) => team),
      texts: texts.length,
      stops: stops.length,
      transfers: transfers.all.map(({ target }) => target),
      outcome: record?.outcome ?? 'talked',
      failures: this.#failures,
    }
    return { isComparable: true, isWhole: call.isOver, course, reworded: [...this.#reworded] }
  }

  /** When the next recorded action is due; undefined while its prompt has not come. */
  #dueAtMs(): AtMs | undefined {
    const next = this.#visit?.verbs[this.#nextVerb]
    if (!next) return undefined
    const { sentences, nowMs } = this.#call
    const prompts = sentences.length - this.#sentencesBefore
    if (prompts < next.prompts) return undefined
    if (prompts > next.prompts) return nowMs
    const sentence = prompts === 0 ? undefined : sentences.at(-1)
    const since =
      sentence === undefined ? this.#enteredAtMs : next.since === 'begin' ? sentence.fromMs : sentence.endsAtMs
    return Math.max(nowMs, since + next.afterMs)
  }

  #act(atMs: AtMs): void {
    const call = this.#call
    if (call.step(atMs)) return
    const { verb } = this.#visit!.verbs[this.#nextVerb++]!
    switch (verb.kind) {
      case 'press':
        return call.press(verb.keys)
      case 'speak':
        return call.speak(verb.says, verb.confidence)
      case 'say':
        if (call.tape.isOn && verb.forMs > 0) call.tape.say(verb.forMs, call.nowMs)
        else if (call.hearsVoice) call.talk(verb.forMs)
        return
      case 'hangup':
        return call.hangUp()
      case 'event':
        return call.postEvent(verb.name, verb.data)
      case 'agent':
        if (call.queue === (verb.does === 'answers' ? 'waiting' : 'talking')) call.agent(verb.does)
        return
    }
  }

  #readNotes(): void {
    const { notes } = this.#call
    while (this.#noteCount < notes.length) {
      const note = notes[this.#noteCount++]!
      if (note.type === 'step.entered') this.#entered(note)
      else this.#left(note)
    }
    const { words, kind } = this.#visit ?? {}
    const first = this.#call.sentences[this.#sentencesBefore]
    if (words !== undefined && first && first.text !== words && ASKING.has(kind!)) this.#reworded.add(this.#step)
  }

  #entered(note: Extract<CallNote, { type: 'step.entered' }>): void {
    const { step, kind } = note
    this.#path.push(step)
    const visit = this.#recorded.visits.get(visitName(note))
    const fits = visit?.kind === kind
    this.#step = step
    this.#visit = fits ? visit : undefined
    this.#nextVerb = 0
    this.#enteredAtMs = this.#call.nowMs
    this.#sentencesBefore =
      this.#call.sentences.length - (this.#call.sentences.at(-1)?.fromMs === this.#call.nowMs ? 1 : 0)
    if (ASKING.has(kind) && !fits) this.#unfit ??= { step, why: `it asks what the call was not asked` }
    else if (fits && visit.isSecret) this.#unfit ??= { step, why: 'the record masks what was typed' }
    else if (kind === 'queue' && !fits && this.#call.queue === 'waiting') this.#meetPerson()
  }

  #meetPerson(): void {
    this.#hasMetPerson = true
    this.#call.agent('answers')
    this.#call.agent('leaves')
  }

  #left({ step, end }: Extract<CallNote, { type: 'step.left' }>): void {
    if (!isSuccess(end)) this.#failures.push(`${step} ${end}`)
    const visit = this.#visit
    if (step !== this.#step || !visit || !ASKING.has(visit.kind)) return
    const wasAnswered = visit.end !== undefined && isSuccess(visit.end)
    const hasKeys = visit.verbs.slice(this.#nextVerb).some(({ verb }) => verb.kind === 'press')
    // A key that the menu did not know then may be the first that it knows now; the others were said to nobody.
    const isLeftOver = hasKeys && (visit.kind === 'gather' || end === visit.end)
    if ((wasAnswered && !isSuccess(end)) || isLeftOver) {
      this.#unfit = { step, why: 'the recorded answer does not fit the question' }
    }
  }

  #world(): World {
    const { replies, texts, stops, queues, places, callbacks, unplayable } = this.#recorded
    const { refusedWait, refusedMessage, transfers } = this.#recorded
    const asked = new Map<string, number>()
    const next = { text: 0, stop: 0, place: 0, callback: 0, transfer: 0 }
    const countOf = (name: string) => {
      const count = asked.get(name) ?? 0
      asked.set(name, count + 1)
      return count
    }
    return {
      answer: (ask) => {
        const name = `${ask.method} ${ask.url}`
        const count = countOf(name)
        const known = replies.get(name)
        const reply = known?.[Math.min(count, known.length - 1)]
        if (!reply)
          this.#unfit ??= { step: this.#call.stepName ?? '', why: `no answer was recorded of ${namesOf(ask)[0]}` }
        return reply
      },
      settleText: () => texts[next.text++] ?? { outcome: 'sent', messageId: 'replay' },
      stopCaller: () => stops[next.stop++] ?? { end: 'done' },
      refuses: (team) => queues.get(team)?.[countOf(team)],
      refusesWait: () => refusedWait,
      refusesMessage: () => refusedMessage,
      transfer: () => transfers[next.transfer++] ?? { end: 'done', afterMs: 0, talkMs: 0 },
      canPlay: (sentence) => !unplayable.has(sentence),
      place: () => places[next.place++] ?? { position: 1 },
      callsBack: () => callbacks[next.callback++] ?? true,
    }
  }
}
