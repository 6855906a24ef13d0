/** Writes tests: what was done by hand, or was found by a search, as an author would write it. */
import { Document, isPair, type Pair, visit } from 'yaml'
import type { CompiledFlow } from '../flow/run/compile.ts'
import { formatDuration } from '../kernel/duration.ts'
import type { FlowName } from '../kernel/ids.ts'
import type { Utterance } from '../ports/speech.ts'
import { tailOf } from './heard.ts'
import { atOnce, Player } from './play-script.ts'
import { defaultEnv, readGiven } from './read-given.ts'
import type { Action } from './script.ts'
import { SimulatedCall } from './simulated-call.ts'
import type { Ending, RawExpected, RawGiven, RawTest } from './test-file-schema.ts'
import { beginningOf, namesOf, worldOf } from './test-world.ts'

type RawAction = RawTest['call'][number]

/** The test that does this, and expects what came of it. `name`: what it shows. */
export function testOf(
  compiled: CompiledFlow,
  name: string | undefined,
  raw: RawGiven,
  actions: readonly Action[],
): RawTest {
  const { flow } = compiled
  const given = readGiven(raw, {}, defaultEnv(flow))
  const call = new SimulatedCall(compiled, beginningOf(given, flow), worldOf(given))
  const player = new Player(call, { name: '', path: [], given, actions, ending: {} })
  atOnce(call, player.begin())
  const seen: Seen = { requests: 0, texts: 0, joins: 0, kept: 0, stops: 0, waits: 0, messages: 0, transfers: 0 }
  const written: RawAction[] = []
  for (const action of actions) {
    atOnce(call, player.act(action))
    const came = newsIn(call, seen)
    // What came while the caller listened came before they had heard it all.
    written.push(...(action.kind === 'hear' ? [...came, rawOf(action)] : [rawOf(action), ...came]))
  }
  for (const action of lastWords(call, actions)) {
    atOnce(call, player.act(action))
    written.push(...newsIn(call, seen), rawOf(action))
  }
  call.finish()
  written.push(...newsIn(call, seen))
  while (written.length > 1 && isHeardTwice(written)) written.pop()
  const isGiven = Object.keys(raw).length > 0
  return {
    test: name ?? nameOf(call, actions),
    ...(isGiven && { given: raw }),
    call: written.length === 0 ? [{ wait: '1s' }] : written,
    // biome-ignore lint/suspicious/noThenProperty: a word of the test language, never a promise
    then: endingOf(call),
  }
}

/** The last words are those before them: a queue repeats its announcements, and nobody waits for more. */
function isHeardTwice(written: readonly RawAction[]): boolean {
  const [before, last] = written.slice(-2)
  return typeof last === 'object' && 'hear' in last && JSON.stringify(last) === JSON.stringify(before)
}

/** What the silent caller hears after their last action, once each. The call goes on meanwhile. */
function* lastWords(call: SimulatedCall, actions: readonly Action[]): Generator<Action> {
  let known = call.sentences.length - (actions.at(-1)?.kind === 'hear' || !isSpeaking(call) ? 0 : 1)
  for (let words = 0; words < LAST_WORDS_MAX; words++) {
    const last = call.sentences[known - 1]?.text
    while (call.sentences.length === known || call.sentences.at(-1)!.text === last) {
      known = call.sentences.length
      if (call.isOver || call.unanswered.length > 0 || !call.step()) return
    }
    known = call.sentences.length
    const tail = tailOf(call.sentences.at(-1)!)
    if (tail !== '') yield { path: [], kind: 'hear', phrases: [tail] }
  }
}

function isSpeaking({ sentences, nowMs }: SimulatedCall): boolean {
  return (sentences.at(-1)?.endsAtMs ?? 0) > nowMs
}

const LAST_WORDS_MAX = 6

/** The text of a file of tests. */
export function testFileText(flow: FlowName, tests: readonly RawTest[]): string {
  // Whoever writes tests does not know anchors.
  const document = new Document({ flow, tests }, { aliasDuplicateObjects: false })
  visit(document, {
    Collection: (_, node, path) => {
      const parent = path.at(-1)
      const key = isPair(parent) ? String(parent.key) : isPair(path.at(-2)) ? `${(path.at(-2) as Pair).key}[]` : ''
      // Short values stand on one line, as people write them.
      node.flow = !ON_LINES.has(key) && JSON.stringify(node.toJS(document)).length <= LINE_MAX
    },
  })
  return `# yaml-language-server: $schema=./flow-test.schema.json\n${document.toString({ lineWidth: 110 })}`
}

const ON_LINES: ReadonlySet<string> = new Set(['', 'tests', 'tests[]', 'given', 'http', 'call', 'call[]', 'then'])
const LINE_MAX = 90

type Seen = Record<'requests' | 'texts' | 'joins' | 'kept' | 'stops' | 'waits' | 'messages' | 'transfers', number>

/** What a test can expect of the call, once each. */
function newsIn(call: SimulatedCall, seen: Seen): RawAction[] {
  const { requests, texts, joins, kept, stops, waits, tape, transfers } = call
  const all = { requests, texts, joins, kept, stops, waits, messages: tape.messages, transfers: transfers.all }
  const fresh = <K extends keyof Seen>(what: K): (typeof all)[K] => {
    const news = all[what].slice(seen[what]) as (typeof all)[K]
    seen[what] = all[what].length
    return news
  }
  const expected: RawExpected[] = [
    ...fresh('requests').map(({ body, ...ask }) => ({ http: namesOf(ask)[0]!, ...(body !== undefined && { body }) })),
    ...fresh('texts').map(({ text }) => ({ sms: text })),
    ...fresh('stops').map(({ reason }) => ({ doNotCall: reason })),
    ...fresh('waits').map(({ event, of }) => ({ event, key: of })),
    ...fresh('joins').map(({ team, popup, whisper, priority, skills, recording, recordingConsent }) => ({
      queue: team,
      ...(popup !== undefined && { popup }),
      ...(whisper.length > 0 && { whisper: wordsOf(whisper) }),
      ...(priority !== 0 && { priority }),
      ...(skills && { skills: [...skills] }),
      ...(recording && { recording }),
      ...(recordingConsent && { recordingConsent }),
    })),
    ...fresh('kept').map(({ team }) => ({ callback: team })),
    ...fresh('transfers').map(({ target, mode, callerId }) => ({
      transfer: target,
      ...(mode === 'blind' && { mode }),
      ...(callerId !== undefined && { callerId }),
    })),
    ...fresh('messages').map(({ team, seconds }) => ({ message: { ...(team && { team }), seconds } })),
  ]
  return expected.map((expect) => ({ expect }))
}

function rawOf(action: Action): RawAction {
  switch (action.kind) {
    case 'hear':
      return { hear: action.phrases.length === 1 ? action.phrases[0]! : [...action.phrases] }
    case 'press':
      return { press: action.keys }
    case 'wait':
    case 'say':
      return { [action.kind]: formatDuration(action.forMs) }
    case 'speak':
      return { speak: action.confidence === 1 ? action.says : { says: action.says, confidence: action.confidence } }
    case 'agent':
      return { agent: action.does }
    case 'event': {
      const { event, of } = action.name
      return { event: { name: event, key: of, data: { ...action.data } } }
    }
    case 'hangup':
    case 'crash':
      return action.kind
    case 'expect':
      throw new Error('what a test expects is found by playing it')
  }
}

function endingOf({ record, texts }: SimulatedCall): Ending {
  const { path = [], marks = [], outcome = 'failed', activity = {} } = record ?? {}
  return {
    ...(path.length > 0 && { path: [...path] }),
    ...(marks.length > 0 && { marks: [...marks] }),
    outcome,
    ...(Object.keys(activity).length > 0 && { activity }),
    ...(texts.length > 0 && { texts: texts.length }),
  }
}

/** `pressing 1, 42# leads to bye` */
function nameOf({ record }: SimulatedCall, actions: readonly Action[]): string {
  const keys = actions.flatMap((action) => (action.kind === 'press' ? [action.keys] : []))
  const end = record?.path.at(-1) ?? 'nothing'
  return keys.length === 0
    ? `a silent caller comes to ${end}`
    : `a caller who presses ${keys.join(', ')} comes to ${end}`
}

function wordsOf(say: readonly Utterance[]): string {
  return say.flatMap((utterance) => ('text' in utterance ? [utterance.text] : [])).join(' ')
}
