/** A person in files beside the database: call journals, refused outcomes, logs of our own Asterisk. */
import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { PersonTraces } from '../../ports/privacy.ts'
import { eraseLines, wholeLines } from './erase-lines.ts'
import { fileName, startsOfFiles } from './journal-folder.ts'
import { refusedFile } from './spool-file.ts'

export interface TracePlaces {
  readonly journalDirectory: string
  readonly spoolFile: string
  /** Of our own Asterisk. Beside it are its other logs, and rotated ones. */
  readonly callEventsFile: string
}

/** The journal and the spool of a node in its data directory. */
export function tracePlaces(dataDirectory: string): TracePlaces {
  const inFolder = (...names: string[]) => resolve(dataDirectory, ...names)
  return {
    journalDirectory: inFolder('journal'),
    spoolFile: inFolder('spool', 'outcomes.jsonl'),
    callEventsFile: inFolder('asterisk-run', 'log', 'call-events.json'),
  }
}

/** Erases all lines of a call that names one of their numbers. The spool stays: its calls are not in the database. */
export async function eraseTraces(places: TracePlaces, traces: PersonTraces): Promise<void> {
  const { files, isNamed, calls, isTheirs } = await tracesIn(places, traces)
  for (const path of files) await eraseLines(path, isTheirs)
  const logs = dirname(places.callEventsFile)
  for (const found of await readdir(logs, { withFileTypes: true }).catch(() => []))
    if (found.isFile()) await eraseLines(join(logs, found.name), isNamed)
  const isOfCall = wordsFinder([...calls].map((call) => JSON.stringify(call)))
  await eraseLines(refusedFile(places.spoolFile), (line) => isNamed(line) || isOfCall(line))
}

/** The lines of the journal that an erasure would take, the oldest first; `linesMax` at most, after `linesBefore`. */
export async function storyOf(
  places: TracePlaces,
  traces: PersonTraces,
  linesMax: number,
  linesBefore: number,
): Promise<object[]> {
  const { files, isTheirs } = await tracesIn(places, traces)
  const story: object[] = []
  let before = 0
  for (const path of files) {
    for await (const line of wholeLines(path)) {
      if (!isTheirs(line) || before++ < linesBefore) continue
      if (story.length === linesMax) return story
      story.push(lineOf(line))
    }
  }
  return story
}

/** A line that a crash has torn is shown as it is. */
function lineOf(line: string): object {
  try {
    return JSON.parse(line) as object
  } catch {
    return { line }
  }
}

/** The files of the journal, and which of their lines are the person's: those of each call that names a number. */
async function tracesIn({ journalDirectory }: TracePlaces, traces: PersonTraces) {
  // Numbers appear with and without a plus.
  const isNamed = wordsFinder(traces.words.map((word) => word.replace(/^\+/, '')))
  const files = (await startsOfFiles(journalDirectory)).map((startAtMs) => join(journalDirectory, fileName(startAtMs)))
  const calls = new Set(traces.calls)
  for (const path of files) {
    for await (const line of wholeLines(path)) {
      const call = isNamed(line) ? callOf(line) : undefined
      if (call !== undefined) calls.add(call)
    }
  }
  return { files, isNamed, calls, isTheirs: (line: string) => isNamed(line) || calls.has(callOf(line) ?? '') }
}

/** Whether a text contains one of the words as a whole word: a number is not part of a longer one. */
function wordsFinder(words: readonly string[]): (text: string) => boolean {
  if (words.length === 0) return () => false
  const escaped = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const pattern = new RegExp(`(?<![0-9A-Za-z])(?:${escaped.join('|')})(?![0-9A-Za-z])`)
  return (text) => pattern.test(text)
}

const CALL = /"call":("(?:[^"\\]|\\.)*")/

function callOf(line: string): string | undefined {
  const found = CALL.exec(line)?.[1]
  return found === undefined ? undefined : (JSON.parse(found) as string)
}
