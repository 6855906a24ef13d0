import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatProblem, type Problem } from '../../kernel/file-problem.ts'
import type { Log } from '../../kernel/log.ts'
import { YamlSource } from '../../kernel/yaml-source.ts'
import { languagesFor, SPOKEN_LENGTH_MAX } from '../../ports/speech.ts'
import { whyNoRecording } from './recording-file.ts'
import { speakable } from './speakable.ts'

/** Beside the flows; one list for each language. */
const FOLDER = 'recordings'
const LIST = /^[a-z]{2,3}(-[A-Za-z0-9]+)*\.yaml$/
const FILE = /^[A-Za-z0-9_][A-Za-z0-9_/-]{0,199}[.](wav|mp3|ogg)$/
const SENTENCES_MAX = 2_000
const BYTES_MAX = 1024 * 1024
/** Problems that one reading logs. */
const LOGGED_MAX = 20

/** One sentence that a person has recorded. */
export interface StudioSentence {
  readonly language: string
  /** As an engine would get them. */
  readonly words: string
  /** Relative to the folder of the flows. */
  readonly file: string
  /** At its place in the list: for problems that only its reader knows. */
  problem(message: string, severity: Problem['severity']): Problem
}

export interface StudioLists {
  readonly sentences: readonly StudioSentence[]
  readonly problems: readonly Problem[]
}

/**
 * The lists `recordings/<language>.yaml` beside the flows: each maps a sentence to the sound file that a speaker made
 * of it, word for word. A file is named relative to `recordings`. Never throws: every mistake is a problem.
 */
export function readStudioLists(flowsDirectory: string): StudioLists {
  const lists = listsIn(flowsDirectory).map((name) => readList(flowsDirectory, name))
  return {
    sentences: lists.flatMap(({ sentences }) => sentences),
    problems: lists.flatMap(({ problems }) => problems),
  }
}

/** The recorded sentences of one installation, as of the last `readAgain`. */
export class StudioRecordings {
  readonly #directory: string
  readonly #log: Log
  #state = ''
  #files = new Map<string, string>()
  #failures = new Set<string>()
  /** Another number for other lists. */
  revision = 0

  constructor(flowsDirectory: string, log: Log) {
    this.#directory = flowsDirectory
    this.#log = log
    this.readAgain()
  }

  /** The recording of these words, relative to the folder of the flows. */
  fileOf(words: string, language: string): string | undefined {
    const found = languagesFor(language).find((name) => this.#files.has(keyOf(name, words)))
    return found === undefined ? undefined : this.#files.get(keyOf(found, words))
  }

  /** Takes changed lists. */
  readAgain(): void {
    const state = JSON.stringify(listsIn(this.#directory).map((name) => [name, stateOf(this.#directory, name)]))
    if (state === this.#state) return
    this.#state = state
    const { sentences, problems } = readStudioLists(this.#directory)
    this.#files = new Map(sentences.map(({ language, words, file }) => [keyOf(language, words), file]))
    this.#failures = new Set()
    this.revision++
    for (const problem of problems.slice(0, LOGGED_MAX)) {
      this.#log.warn({ problem: formatProblem(problem) }, 'a studio recording cannot be used; an engine speaks')
    }
  }

  /** Logs a recording that could not be played, once. */
  failed(why: string): void {
    if (this.#failures.has(why)) return
    this.#failures.add(why)
    this.#log.warn({ why }, 'a studio recording cannot be used; an engine speaks')
  }
}

function keyOf(language: string, words: string): string {
  return `${language} ${words}`
}

function listsIn(flowsDirectory: string): string[] {
  try {
    const names = readdirSync(join(flowsDirectory, FOLDER))
    return names.filter((name) => name.endsWith('.yaml')).sort()
  } catch {
    return []
  }
}

function stateOf(flowsDirectory: string, name: string): string {
  const facts = statSync(join(flowsDirectory, FOLDER, name), { throwIfNoEntry: false })
  return facts ? `${facts.mtimeMs} ${facts.size}` : ''
}

function readList(flowsDirectory: string, name: string): StudioLists {
  const path = join(flowsDirectory, FOLDER, name)
  const refused = (message: string): StudioLists => {
    return { sentences: [], problems: [{ file: path, line: 1, column: 1, severity: 'error', message }] }
  }
  if (!LIST.test(name)) return refused('the file is not named after a language; rename it, such as en.yaml')
  let text: string
  try {
    const { size } = statSync(path)
    if (size > BYTES_MAX) return refused(`the file has ${size} bytes; shorten it to at most ${BYTES_MAX}`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return refused(`the file cannot be read (${(error as NodeJS.ErrnoException).code}); give access to it`)
  }
  const source = new YamlSource(path, text, 'list of recordings')
  if (source.problems.length > 0) return { sentences: [], problems: source.problems }
  const { value } = source
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refused('the file must map sentences to sound files, such as "Goodbye.": en/goodbye.wav')
  }
  const entries = Object.entries(value)
  if (entries.length > SENTENCES_MAX) {
    return refused(`the file has ${entries.length} sentences; at most ${SENTENCES_MAX} can be used`)
  }
  const problems: Problem[] = []
  const sentences = entries.flatMap(([said, file]): StudioSentence[] => {
    const problem = (message: string, severity: Problem['severity']) => source.problemAtKey([said], message, severity)
    const why = whyUnusable(flowsDirectory, said, file)
    if (why === undefined) {
      const language = name.slice(0, -'.yaml'.length).toLowerCase()
      return [{ language, words: speakable(said), file: `${FOLDER}/${file}`, problem }]
    }
    problems.push(problem(why, 'error'))
    return []
  })
  return { sentences, problems }
}

function whyUnusable(flowsDirectory: string, said: string, file: unknown): string | undefined {
  // A value differs from call to call, and the words are compared with what a caller is told.
  if (said.includes('${')) return 'a sentence with values has no recording; record the words around it by themselves'
  const { length } = speakable(said)
  if (length === 0 || length > SPOKEN_LENGTH_MAX) {
    return `the sentence has ${length} characters; it must have 1 to ${SPOKEN_LENGTH_MAX}`
  }
  if (typeof file !== 'string' || !FILE.test(file)) {
    return 'the sound file must be a path such as en/goodbye.wav: letters, digits, "_", "-" and "/", .wav, .mp3 or .ogg'
  }
  return whyNoRecording(flowsDirectory, `${FOLDER}/${file}`)
}
