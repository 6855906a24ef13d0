import type { CallId } from '../kernel/ids.ts'
import type { Journal } from '../ports/journal.ts'
import { type LadderOptions, ladder } from './ladder.ts'

/** `write` takes whole lines without line ends. */
interface CallShowContext {
  readonly journal: Pick<Journal, 'read'>
  readonly write: (text: string) => void
}

/** `switchboard call show ID`: prints one call as a ladder. Resolves with the exit status: 1 if the call is unknown. */
export async function callShow(
  id: string,
  { journal, write }: CallShowContext,
  options: LadderOptions = {},
): Promise<number> {
  const lines = await journal.read(id as CallId)
  if (lines.length > 0) {
    write(ladder(lines, options))
    return 0
  }
  write(`no call "${id}" in the journal`)
  write('Call ids look like sb-call-mhk2v1c0-7f3k9a; the log has them in the field "call".')
  write('Check DATA_DIR. The journal deletes the oldest calls (JOURNAL_FILES, JOURNAL_FILE_MB).')
  return 1
}
