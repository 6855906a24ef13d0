/** What a person left in our files beside the database: the stories of their calls, outcomes that were set aside. */
import { join, resolve } from 'node:path'
import type { PersonTraces } from '../../ports/privacy.ts'
import { eraseLines, wholeLines } from './erase-lines.ts'
import { fileName, startsOfFiles } from './journal-folder.ts'
import { refusedFile } from './spool-file.ts'

/** Where they lie. */
export interface TracePlaces {
  readonly journalDirectory: string
  readonly spoolFile: string
}

/** Where the journal and the spool of a node lie in its folder. */
export function tracePlaces(dataDirectory: string): TracePlaces {
  const inFolder = (...names: string[]) => resolve(dataDirectory, ...names)
  return { journalDirectory: inFolder('journal'), spoolFile: inFolder('spool', 'outcomes.jsonl') }
}

/**
 * A story of a call in which one of their numbers stands is theirs, whole: names and answers stand in other lines of
 * it. What waits in the spool itself is an outcome of a call that is not on record yet; it is not touched.
 */
export async function eraseTraces({ journalDirectory, spoolFile }: TracePlaces, traces: PersonTraces): Promise<void> {
  // A number is written with its plus or without it.
  const isNamed = wordsFinder(traces.words.map((word) => word.replace(/^\+/, '')))
  const files = (await startsOfFiles(journalDirectory)).map((startAtMs) => join(journalDirectory, fileName(startAtMs)))
  const calls = new Set(traces.calls)
  for (const path of files) {
    for await (const line of wholeLines(path)) {
      const call = isNamed(line) ? callOf(line) : undefined
      if (call !== undefined) calls.add(call)
    }
  }
  const isTheirs = (line: string) => isNamed(line) || calls.has(callOf(line) ?? '')
  for (const path of files) await eraseLines(path, isTheirs)
  const isOfCall = wordsFinder([...calls].map((call) => JSON.stringify(call)))
  await eraseLines(refusedFile(spoolFile), (line) => isNamed(line) || isOfCall(line))
}

/** Whether one of the words stands in a text, as a word of its own: a number is no part of a longer one. */
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
