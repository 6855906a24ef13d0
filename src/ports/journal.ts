import type { AtMs } from '../kernel/clock.ts'
import type { CallId } from '../kernel/ids.ts'

/** One line of a call's story: a fact that came in, a command that went out, or a note that explains. */
export interface JournalLine {
  readonly atMs: AtMs
  readonly call: CallId
  readonly kind: 'fact' | 'command' | 'note'
  /**
   * The call's own line (replayable), the call distributor's about an agent (`desk`), an attempt's, or what a database
   * that is restored from a backup must be told (`witness`).
   */
  readonly by: 'call' | 'desk' | 'attempt' | 'witness'
  readonly what: { readonly type: string; readonly [field: string]: unknown }
}

/** Both in the clock of the node that served the call. */
export interface CallSpan {
  readonly fromAtMs: AtMs
  readonly toAtMs: AtMs
}

/** Where calls leave their traces. Lines of one call are read back in the order they were written. */
export interface Journal {
  /** Never throws and never waits: a story that cannot be written must not cost the call. */
  append(line: JournalLine): void
  /** Makes sure that everything appended so far can be read. */
  flush(): Promise<void>
  /** `within`: when the call began and ended, where that is known; then old files need not be read. */
  read(call: CallId, within?: CallSpan): Promise<JournalLine[]>
}
