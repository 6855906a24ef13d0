import type { FlowName } from '../kernel/ids.ts'

/** A problem in a text of a flow, as `switchboard flow check` reports it. */
export interface FlowMistake {
  /** 1-based, as editors count. */
  readonly line: number
  readonly column: number
  readonly severity: 'error' | 'warn'
  readonly message: string
}

/** `flow` is undefined if there is an error. */
export interface CheckedFlow {
  readonly flow: FlowName | undefined
  readonly revision: string | undefined
  readonly problems: readonly FlowMistake[]
}

/** The texts of `a.yaml` and `a.test.yaml`. */
export interface FlowTestOrder {
  readonly text: string
  readonly tests: string
}

/** What `switchboard flow test --coverage` reports; `problems` are errors of either text, and then nothing was run. */
export interface FlowTestReport {
  readonly passed: boolean
  readonly problems: readonly (FlowMistake & { readonly in: 'text' | 'tests' })[]
  readonly tests: readonly {
    readonly name: string
    readonly passed: boolean
    /** Of the test, or of what failed in it. */
    readonly line: number
    readonly column: number
    readonly message: string | null
  }[]
  /** Faults of what holds for every flow: hang-ups, crashes, random callers. */
  readonly faults: readonly { readonly where: string; readonly message: string }[]
  /** Of steps and branches that a test went through, in percent; null if nothing was run. */
  readonly coveredPercent: number | null
  readonly untested: readonly { readonly what: string; readonly line: number }[]
}

/** `busy`: others are tested just now. `tooLong`: given up. `closed`: we are shutting down. */
export type FlowTesting =
  | { readonly ok: true; readonly result: FlowTestReport }
  | { readonly ok: false; readonly why: 'busy' | 'tooLong' | 'closed' }

/** What this node knows of texts of flows. */
export interface FlowWorkshop {
  /** Beside the configuration in force: unknown teams, numbers, env and secrets are errors in a flow with a number. */
  check(text: string): CheckedFlow
  /** One at a time, in a thread of its own. */
  test(order: FlowTestOrder): Promise<FlowTesting>
  /** Resolves when new calls of this node take what is live now, as far as it fits the configuration. */
  follow(): Promise<void>
  /** The revision that new calls of this node take. */
  taken(flow: FlowName): string | undefined
  /** Errors of flow files and of live revisions on this node, with their places. The last good revisions go on. */
  problems(): readonly string[]
  close(): Promise<void>
}
