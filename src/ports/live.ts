import type { AtMs } from '../kernel/clock.ts'
import type { AgentName } from '../kernel/ids.ts'

export interface LiveNode {
  readonly node: string
  /** Where clients reach it; what the state operation returns. */
  readonly endpoint: string
  readonly seenAtMs: AtMs
}

/** What an agent does, on whichever node. Plain JSON, shown and never decided upon. */
export interface LiveAgent {
  readonly agent: AgentName
  readonly node: string
  readonly state: string
  readonly sinceAtMs: AtMs
}

/** A line for boards: what changed, as plain JSON. Lost without a listener. */
export interface BoardLine {
  readonly node: string
  readonly atMs: AtMs
  readonly what: Readonly<Record<string, unknown>> & { readonly type: string }
}

/**
 * What nodes tell each other and may forget within seconds: who is there, what agents do, what boards show. No fact
 * lives here (R1): a flush, a crash or a slow answer costs nothing but a stale picture. Every method settles within
 * half a second and none rejects: what cannot be told is dropped, what cannot be asked is answered from what this
 * node knows by itself.
 */
export interface LivePort {
  /** `shared`: several nodes see each other. `alone`: in one process, for one node. */
  readonly kind: 'shared' | 'alone'
  /** Says that this node lives; to be repeated, else it is forgotten after `lifeMs`. */
  beat(node: Omit<LiveNode, 'seenAtMs'>, lifeMs: number): Promise<void>
  /** Nodes that live, this one among them. */
  nodes(): Promise<readonly LiveNode[]>
  /** Says what an agent does; forgotten after `lifeMs` unless it is said again. */
  showAgent(agent: LiveAgent, lifeMs: number): Promise<void>
  hideAgent(agent: AgentName): Promise<void>
  agents(): Promise<readonly LiveAgent[]>
  publishBoard(line: BoardLine): void
  /** Hears every node's lines from now on, until the answer is called. */
  onBoard(listener: (line: BoardLine) => void): () => void
  /** Whether the others can be reached just now; boards say so. */
  isConnected(): boolean
  close(): Promise<void>
}
