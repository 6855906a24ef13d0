import type { AtMs } from '../kernel/clock.ts'
import type { FlowName } from '../kernel/ids.ts'

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

/** One text of a flow, which never changes. */
export interface FlowRevision extends FlowId, Signed {
  readonly createdAtMs: AtMs
  /** The last time that it became the live one. */
  readonly publishedAtMs: AtMs
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
  /** The newest first, at most 200. Empty: there is no such flow. */
  revisions(flow: FlowName): Promise<readonly FlowRevision[]>
  /** A revision by its hash, which is unique in practice. */
  read(revision: string): Promise<(FlowId & Signed & { readonly text: string; readonly createdAtMs: AtMs }) | undefined>
  /** Wakes all nodes (`flows`). `liveNow`: another revision is live than the one that this was to replace. */
  publish(publication: NewPublication): Promise<'published' | 'already live' | { readonly liveNow: string | undefined }>
  /** The revision that `goBack` would make live: the named one, else the newest one that is older than the live one. */
  earlier(flow: FlowName, revision?: string): Promise<string | undefined>
  /** Makes an old revision live again, and wakes all nodes. */
  goBack(flow: FlowName, revision: string, how: Signed & { readonly atMs: AtMs }): Promise<WentBack>
  /**
   * Those of these files that `takeFile` would publish: the text is news to this node, and was not the last that any
   * node took from a file. To a node that never read this flow, a text that was published before is no news.
   */
  newsOf(node: string, files: readonly FlowId[]): Promise<ReadonlySet<FlowName>>
  /** Remembers what this node read in a file, and publishes it if it is news. */
  takeFile(node: string, file: Omit<NewPublication, 'replaces'>): Promise<'published' | 'no news'>
  draft(flow: FlowName): Promise<FlowDraft | undefined>
  saveDraft(flow: FlowName, draft: FlowDraft): Promise<void>
  /** False: there was none. */
  dropDraft(flow: FlowName): Promise<boolean>
}
