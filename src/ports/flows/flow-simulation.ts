/** A call by hand through a text of a flow, on virtual time. */
/** `actions` and `given` are those of flow tests. */
export interface SimulationOrder {
  readonly text: string
  readonly given: Readonly<Record<string, unknown>>
  readonly actions: readonly unknown[]
}

/** The call as it is after the last action, or after the one before that which was not possible. */
export interface SimulatedCallReport {
  readonly flow: string
  readonly revision: string
  /** Prompts, the first one first. */
  readonly heard: readonly { readonly afterMs: number; readonly words: string; readonly cutOff: boolean }[]
  /** Lines of the journal, at most 5,000. */
  readonly trace: readonly {
    readonly afterMs: number
    readonly kind: 'fact' | 'command' | 'note'
    readonly what: Readonly<Record<string, unknown>>
  }[]
  readonly isOver: boolean
  /** The step that the call is in, or ended in. */
  readonly step: string | null
  /** A request that `given.http` does not answer: the call stands there. */
  readonly unanswered: string | null
  /** The first action that was not possible; those after it were not tried. */
  readonly notDone: { readonly action: number; readonly why: string } | null
  /** Of a call that is over. */
  readonly record: {
    readonly outcome: string
    readonly path: readonly string[]
    readonly marks: readonly string[]
    readonly activity: Readonly<Record<string, string>>
  } | null
}

/** With an error among `problems` there was no call. */
export interface Simulation {
  readonly problems: readonly {
    readonly in: 'text' | 'given' | 'actions'
    readonly severity: 'error' | 'warn'
    readonly message: string
    /** Of the text; null elsewhere. */
    readonly line: number | null
    readonly column: number | null
    /** Which of the actions, from 0; null elsewhere. */
    readonly action: number | null
  }[]
  readonly call: SimulatedCallReport | null
}
