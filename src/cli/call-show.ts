import type { CallId } from '../kernel/ids.ts'
import type { Journal } from '../ports/journal.ts'
import type { CallClue, FoundCall } from '../store/calls/find-calls.ts'
import { callLine, readClue } from './call-clue.ts'
import { type LadderOptions, ladder } from './ladder.ts'

/** `write` takes whole lines without line ends. `find` asks the database, and undefined: it cannot be asked. */
interface CallShowContext {
  readonly journal: Pick<Journal, 'read'>
  readonly find: (clue: CallClue, countMax: number) => Promise<readonly FoundCall[] | undefined>
  readonly write: (text: string) => void
}

const LISTED_MAX = 50

/**
 * `switchboard call show WHAT`: prints one call as a ladder, or a list where several fit. Resolves with the exit
 * status: 1 if nothing was found.
 */
export async function callShow(text: string, context: CallShowContext, options: LadderOptions = {}): Promise<number> {
  const clue = readClue(text)
  if (clue.by === 'call') return (await drawn(clue.call, context, options)) ? 0 : unknown(text, context)
  const found = await context.find(clue, LISTED_MAX)
  if (!found) return 1
  const [first, ...others] = found
  if (!first) return unknown(text, context)
  const { showsNumbers = false } = options
  if (others.length === 0 && (await drawn(first.call, context, options))) return 0
  for (const one of found) context.write(callLine(one, showsNumbers))
  if (others.length === 0) {
    context.write('The journal has nothing of this call: no engine served it, or its file was deleted (JOURNAL_FILES).')
  }
  if (found.length === LISTED_MAX) context.write(`These are the newest ${LISTED_MAX}; name a minute to see others.`)
  return 0
}

async function drawn(call: CallId, { journal, write }: CallShowContext, options: LadderOptions): Promise<boolean> {
  const lines = await journal.read(call)
  if (lines.length > 0) write(ladder(lines, options))
  return lines.length > 0
}

function unknown(text: string, { write }: CallShowContext): number {
  write(`no call "${text}"`)
  write('Give a call id (sb-call-mhk2v1c0-7f3k9a), the number of an activity (67), a telephone number with its plus')
  write('(+4520123456) or a minute in UTC (2026-11-22T10:15). The log line "a call ended" has them.')
  write('Check DATA_DIR. The journal deletes the oldest calls (JOURNAL_FILES, JOURNAL_FILE_MB).')
  return 1
}
