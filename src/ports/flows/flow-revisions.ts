import type { AtMs } from '../../kernel/clock.ts'
import type { FlowName } from '../../kernel/ids.ts'
import type { Simulation, SimulationOrder } from './flow-simulation.ts'

/** How a revision became the live one: a file on disk changed, somebody published it, or went back to it. */
export type PublishedBy = 'file' | 'publish' | 'rollback'

/** A flow under the hash of its text: the first 12 digits of its SHA-256. */
export interface FlowId {
  readonly flow: FlowName
  readonly revision: string
}

/** Who did it, and why. Both are shown, and neither is checked. */
export interface Signed {
  readonly author: string
  readonly note: string | null
}

/** The revision that new calls of a flow take, on all nodes. */
export interface LiveFlow extends FlowId, Signed {
  readonly way: PublishedBy
  readonly atMs: AtMs
}

/** One text of a flow, which never changes; `author` and `note` are those of its first publication. */
export interface FlowRevision extends FlowId, Signed {
  readonly createdAtMs: AtMs
  /** How and when it became the live one, the last time; null: it was on trial only. */
  readonly way: PublishedBy | null
  readonly publishedAtMs: AtMs | null
  readonly lastAuthor: string | null
  readonly lastNote: string | null
  readonly isLive: boolean
}

/** What somebody writes before it is published; it may have errors. */
export interface FlowDraft extends Signed {
  readonly text: string
  readonly savedAtMs: AtMs
}

/** A checked text that becomes the live revision. */
export interface NewPublication extends FlowId, Signed {
  readonly text: string
  readonly atMs: AtMs
  /** The revision that the author has seen; another live one refuses the publication. Absent: whatever is live. */
  readonly replaces?: string
}

/** `none`: there is no such revision, or no earlier one. */
export type WentBack =
  | { readonly outcome: 'live'; readonly revision: string }
  | { readonly outcome: 'none' }
  | { readonly outcome: 'already live'; readonly revision: string }

/** Drafts and revisions of flows. They belong to the installation, as the numbers of its configuration do. */
export interface FlowRevisions {
  /** By name. */
  live(): Promise<readonly LiveFlow[]>
  /** The live one first, then those that were live last; at most 200. Empty: there is no such flow. */
  revisions(flow: FlowName): Promise<readonly FlowRevision[]>
  /** A revision by its hash, which is unique in practice. */
  read(revision: string): Promise<(FlowId & Signed & { readonly text: string; readonly createdAtMs: AtMs }) | undefined>
  /**
   * Wakes all nodes (`flows`). `liveNow`: another revision is live than the one that this was to replace. With a note,
   * a revision that is live already is published once more: its file may have been faster than who has the reason.
   */
  publish(publication: NewPublication): Promise<'published' | 'already live' | { readonly liveNow: string | undefined }>
  /** The revision that `goBack` would make live: the named one, else the newest one that is older than the live one. */
  earlier(flow: FlowName, revision?: string): Promise<string | undefined>
  /** Makes an old revision live again, and wakes all nodes. A note is kept also if it is live already. */
  goBack(flow: FlowName, revision: string, how: Signed & { readonly atMs: AtMs }): Promise<WentBack>
  /**
   * Those of these files that `takeFile` would publish: the text is news to this node, and was not the last that any
   * node took from a file. To a node that never read this flow, a text that was published before is no news.
   */
  newsOf(node: string, files: readonly FlowId[]): Promise<ReadonlySet<FlowName>>
  /** Remembers what this node read in a file, and publishes it if it is news. */
  takeFile(node: string, file: Omit<NewPublication, 'replaces'>): Promise<'published' | 'no news'>
  draft(flow: FlowName): Promise<FlowDraft | undefined>
  /** False: there are 500 drafts of other flows already. */
  saveDraft(flow: FlowName, draft: FlowDraft): Promise<boolean>
  /** False: there was none. */
  dropDraft(flow: FlowName): Promise<boolean>
}

/** A problem in a text of a flow, as `switchboard flow check` reports it. */
export interface FlowMistake {
  /** 1-based, as editors count. */
  readonly line: number
  readonly column: number
  readonly severity: 'error' | 'warn'
  readonly message: string
}

/** What callers would notice of one step; of the flow itself where `step` is null. */
export interface FlowStepChanges {
  /** The new name; the old one of a step that is gone. */
  readonly step: string | null
  readonly what: 'new' | 'gone' | 'changed' | 'renamed'
  readonly oldName: string | null
  /** Sentences of `flow describe`; null where there is none. */
  readonly changes: readonly { readonly before: string | null; readonly after: string | null }[]
}

/** `flow` is undefined if there is an error. */
export interface CheckedFlow {
  readonly flow: FlowName | undefined
  readonly revision: string | undefined
  readonly problems: readonly FlowMistake[]
  /** Null with an error, and where there is nothing to compare with. */
  readonly changes: readonly FlowStepChanges[] | null
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

/** `busy`: others are worked on just now. `tooLong`: given up. `closed`: we are shutting down. */
export type FlowWork<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly why: 'busy' | 'tooLong' | 'closed' }

/** What this node knows of texts of flows. */
export interface FlowWorkshop {
  /**
   * Beside the configuration in force: unknown teams, numbers, env and secrets are errors in a flow with a number.
   * `before`: an earlier text, to compare with.
   */
  check(text: string, before?: string): Promise<FlowWork<CheckedFlow>>
  /** One at a time, in a process of its own. */
  test(order: FlowTestOrder): Promise<FlowWork<FlowTestReport>>
  /** As `test`, two at a time. */
  simulate(order: SimulationOrder): Promise<FlowWork<Simulation>>
  /** Resolves when new calls of this node take what is live now, as far as it fits the configuration. */
  follow(): Promise<void>
  /** The revision that new calls of this node take. */
  taken(flow: FlowName): string | undefined
  /** The revision that a share of the new calls of this node takes. */
  onTrial(flow: FlowName): string | undefined
  /** Errors of flow files and of live revisions on this node, with their places. The last good revisions go on. */
  problems(): readonly string[]
  close(): Promise<void>
}
