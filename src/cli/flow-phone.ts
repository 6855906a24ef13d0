/** `switchboard flow run`: a telephone in the terminal, for one flow. */
import { dirname } from 'node:path'
import { whyNoRecording } from '../adapters/speech/recording-file.ts'
import { readFlow } from '../flow/read/read-flow.ts'
import { compileFlow } from '../flow/run/compile.ts'
import { readGivenFile } from '../flow-test/read-test-file.ts'
import { Rehearsal } from '../flow-test/rehearsal.ts'
import type { RawGiven, RawReply } from '../flow-test/test-file-schema.ts'
import { testFileText, testOf } from '../flow-test/write-test.ts'
import { parseDuration } from '../kernel/duration.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import { YamlSource } from '../kernel/yaml-source.ts'
import { textOf, unread } from './flow-check.ts'
import { noticedLines, recordLines } from './phone-lines.ts'

interface FlowPhoneOptions {
  /** A file with `given`, as in tests of flows. */
  readonly given?: string
  readonly caller?: string
  readonly called?: string
  readonly time?: string
  readonly language?: string
  readonly asTest?: boolean
}

interface FlowPhoneContext {
  readonly write: (line: string) => void
  /** A line of the user; undefined when there are no more. */
  readonly ask: (question: string) => Promise<string | undefined>
}

const HELP = [
  '1, 42#     press keys when the prompt has been heard; !1 presses at once, and cuts the prompt off',
  'Enter      wait for the next thing that happens',
  'w 30s      wait so long',
  's 8s       say something for so long, after the tone of a record step',
  'a          an agent takes the waiting caller; once more: the agent leaves',
  'e {a: 1}   the event that the caller waits for comes, with this data',
  'h          hang up',
  '?          this help',
]

/** 0 when the call is over; 1 if a file has errors, or the input ends before a request is answered. */
export async function flowPhone(file: string, options: FlowPhoneOptions, context: FlowPhoneContext): Promise<number> {
  const { write, ask } = context
  const text = textOf(file)
  if (text === undefined) {
    write(formatProblem(unread(file)))
    return 1
  }
  const recordings = { whyNoRecording: (name: string) => whyNoRecording(dirname(file), name) }
  const { flow, problems } = readFlow(file, text, recordings)
  const given = givenBy(options, write)
  if (!flow) for (const problem of problems) write(formatProblem(problem))
  if (!flow || !given) return 1
  const { language } = given
  if (language !== undefined && !flow.languages.includes(language)) {
    write(`the flow ${flow.name} has no language "${language}"; it has ${flow.languages.join(', ')}`)
    return 1
  }
  const compiled = compileFlow(flow)
  const phone = new Phone(new Rehearsal(compiled, given), file, context)
  write(`${flow.title} (${flow.name}@${flow.revision}); ? shows what you can do`)
  if (!(await phone.call())) return 1
  const { call, actions, given: world } = phone.rehearsal
  for (const line of recordLines(call)) write(line)
  const wantsTest = options.asTest || (await ask('t prints the call as a test, Enter ends: '))?.trim() === 't'
  if (wantsTest) write(`\n${testFileText(flow.name, [testOf(compiled, undefined, world, actions)])}`)
  return 0
}

/** The world of the call: the file, and the options on top of it. Undefined: what is wrong was printed. */
function givenBy(options: FlowPhoneOptions, write: (line: string) => void): RawGiven | undefined {
  const { given: file, caller, called, time, language } = options
  const text = file === undefined ? '' : textOf(file)
  if (text === undefined) {
    write(formatProblem(unread(file!)))
    return undefined
  }
  const own = {
    ...(caller && { caller }),
    ...(called && { called }),
    ...(time && { time }),
    ...(language && { language }),
  }
  const fromOptions = readGivenFile('the options', JSON.stringify({ given: own }))
  const fromFile = file === undefined ? fromOptions : readGivenFile(file, text)
  const problems = [...new Set([fromFile, fromOptions])].flatMap((read) => read.problems)
  for (const problem of problems) write(formatProblem(problem))
  return problems.length === 0 ? { ...fromFile.given, ...own } : undefined
}

class Phone {
  readonly rehearsal: Rehearsal
  readonly #file: string
  readonly #context: FlowPhoneContext
  /** Lines of the journal that were printed. */
  #shown = 0

  constructor(rehearsal: Rehearsal, file: string, context: FlowPhoneContext) {
    this.rehearsal = rehearsal
    this.#file = file
    this.#context = context
  }

  /** Until the call is over. False: a request got no answer. */
  async call(): Promise<boolean> {
    for (;;) {
      if (!(await this.#answerRequests())) return false
      this.#show(this.rehearsal.call.lines.length)
      if (this.rehearsal.call.isOver) return true
      const order = await this.#context.ask('> ')
      if (order === undefined) await this.#stayToTheEnd()
      else this.#obey(order.trim())
    }
  }

  /** The input has ended: the caller says and presses nothing more. */
  async #stayToTheEnd(): Promise<void> {
    const { rehearsal } = this
    while (!rehearsal.call.isOver && !rehearsal.question) {
      if (!rehearsal.wait()) rehearsal.act(rehearsal.call.queue === 'talking' ? LEAVES : { kind: 'hangup' })
    }
  }

  #obey(order: string): void {
    const { write } = this.#context
    const [, letter = '', rest = ''] = /^([a-z?]?)\s*(.*)$/.exec(order)!
    const fault = (ORDERS[letter] ?? unknown)(this.rehearsal, rest)
    if (fault !== undefined) write(fault)
  }

  async #answerRequests(): Promise<boolean> {
    const { write, ask } = this.#context
    for (let open = this.rehearsal.question; open; open = this.rehearsal.question) {
      this.#show(this.#lineOfQuestion() + 1)
      const reply = await replyTo(open.name, ask, write)
      if (!reply) {
        write(`nothing answers ${open.name}; answer it here, or write given.http into a file and name it with --given`)
        return false
      }
      this.rehearsal.answer(open.name, reply)
    }
    return true
  }

  #lineOfQuestion(): number {
    const { lines, requests, unanswered } = this.rehearsal.call
    let left = requests.indexOf(unanswered[0]!)
    return lines.findIndex(({ kind, what }) => kind === 'command' && what.type === 'request' && left-- === 0)
  }

  #show(until: number): void {
    const { lines } = this.rehearsal.call
    const beganAtMs = lines[0]!.atMs
    for (const line of noticedLines(lines.slice(this.#shown, until), beganAtMs, this.#file)) this.#context.write(line)
    this.#shown = Math.max(this.#shown, until)
  }
}

type Order = (rehearsal: Rehearsal, rest: string) => string | undefined

const LEAVES = { kind: 'agent', does: 'leaves' } as const
const KEYS = /^!?[0-9*#]{1,64}$/
const unknown: Order = () => 'this is none of the orders; ? shows them'

const ORDERS: Readonly<Record<string, Order>> = {
  '': (rehearsal, rest) => {
    if (KEYS.test(rest)) return rehearsal.act({ kind: 'press', keys: rest.replace('!', '') }, rest.startsWith('!'))
    if (rest !== '') return 'keys are digits, * and #; ? shows what else you can do'
    return rehearsal.wait() ? undefined : 'nothing happens by itself now; a: the agent leaves, h: hang up'
  },
  '?': () => HELP.join('\n'),
  h: (rehearsal) => rehearsal.act({ kind: 'hangup' }),
  w: (rehearsal, rest) => {
    const forMs = parseDuration(rest)
    return forMs === undefined ? 'write how long: w 30s' : rehearsal.act({ kind: 'wait', forMs })
  },
  s: (rehearsal, rest) => {
    const forMs = parseDuration(rest)
    return forMs === undefined ? 'write how long: s 8s' : rehearsal.act({ kind: 'say', forMs })
  },
  a: (rehearsal) => {
    const { queue } = rehearsal.call
    if (queue === 'none') return 'the caller waits in no queue'
    return rehearsal.act(queue === 'talking' ? LEAVES : { kind: 'agent', does: 'answers' })
  },
  e: (rehearsal, rest) => {
    const { awaited } = rehearsal.call
    if (!awaited) return 'the caller waits for no event'
    const { value = {}, problems } = rest === '' ? NO_DATA : new YamlSource('the data', rest, 'data of an event')
    if (problems.length > 0 || typeof value !== 'object' || value === null) return 'write the data as {amount: 120.5}'
    const { event, of } = awaited
    return rehearsal.act({ kind: 'event', name: { event, of }, data: value as Readonly<Record<string, unknown>> })
  },
}

const NO_DATA: Pick<YamlSource, 'value' | 'problems'> = { value: {}, problems: [] }
const FAILURES = ['timeout', 'network', 'tooLarge', 'forbidden', 'unavailable'] as const

/** Asks the user what the other system answers. Undefined: the input has ended. */
async function replyTo(
  name: string,
  ask: FlowPhoneContext['ask'],
  write: FlowPhoneContext['write'],
): Promise<RawReply | undefined> {
  const status = await ask(`  status of ${name} (Enter: 200; or ${FAILURES.join(', ')}): `)
  if (status === undefined) return undefined
  const fails = FAILURES.find((failure) => failure === status.trim())
  if (fails) return { fails }
  if (status.trim() !== '' && !/^[1-5]\d\d$/.test(status.trim())) {
    write('  a status has three digits, such as 404')
    return replyTo(name, ask, write)
  }
  const text = await ask('  body, as JSON or YAML on one line (Enter: none): ')
  if (text === undefined) return undefined
  const { value, problems } = new YamlSource('the body', text, 'answer')
  if (problems.length > 0 && text.trim() !== '') {
    write(`  ${problems[0]!.message}`)
    return replyTo(name, ask, write)
  }
  const body = text.trim() === '' ? {} : { body: value }
  return { ...(status.trim() !== '' && { status: Number(status) }), ...body }
}
