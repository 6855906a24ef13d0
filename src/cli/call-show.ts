import type { CallId } from '../kernel/ids.ts'
import type { Journal } from '../ports/journal.ts'
import { type LadderOptions, ladder } from './ladder.ts'

/** What `switchboard call show` works with; `write` takes whole lines without their ends. */
export interface CallShowContext {
  readonly journal: Pick<Journal, 'read'>
  readonly write: (text: string) => void
}

/** `switchboard call show ID`: prints the story of one call. Gives the exit status: 1 when nothing is known of it. */
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
  write('Ids look like sb-call-mhk2v1c0-7f3k9a and stand in the log, in the field "call".')
  write('Was DATA_DIR the same when the call was made? The oldest calls are removed (JOURNAL_FILES, JOURNAL_FILE_MB).')
  return 1
}
