/** What a benchmark is, and what it hands back. Everything here is data: `report.ts` writes it down. */

/** How much of it: what the command line may choose. A benchmark uses those that it has defaults for. */
export interface Plan {
  /** New calls per second. */
  readonly rate: number
  /** Length of one round. */
  readonly seconds: number
  readonly rounds: number
  /** Callers: at once (`keys`, `waiting`), or one after another in one round (`flows`). */
  readonly callers: number
  /** Clients that ask at once. */
  readonly clients: number
  /** Virtual days of each run, at the most. */
  readonly days: number
  /** Machine detection: a person says no more than this without a pause. 0: as shipped. */
  readonly speechMs: number
  /** Machine detection: so much silence after speech is a pause. 0: as shipped. */
  readonly pauseMs: number
  /** The same chance again. */
  readonly seed: number
}

/** Where a benchmark may write and what it may use. */
export interface Kit {
  /** Made anew by each benchmark that needs it. */
  readonly directory: string
  /** The installed Asterisk; it is installed when it is not there. */
  readonly treeDirectory: string
  /** Recorded greetings of an operator, for `detection`. */
  readonly clipsDirectory?: string
  /** Progress for the person who waits. */
  readonly onLine: (line: string) => void
}

/** One thing to measure. */
export interface Benchmark {
  readonly name: string
  readonly about: string
  /** The plan whose figures count; less of anything is a trial. */
  readonly defaults: Partial<Plan>
  run(plan: Plan, kit: Kit): Promise<Result>
}

/** A promise about a figure. */
export interface Bar {
  readonly what: string
  readonly measured: number
  readonly unit: string
  readonly limit: { readonly atMost: number } | { readonly atLeast: number }
}

/** Rows and columns of text. */
export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** What came of it. */
export interface Result {
  readonly bars: readonly Bar[]
  /** The figures that the bars were taken from. */
  readonly tables: readonly Table[]
  /** How it was measured, and what the figures include; one paragraph each. */
  readonly notes: readonly string[]
  /** Version of the real Asterisk, where there was one. */
  readonly asterisk?: string
}

/** Whether the promise was kept. A figure that could not be measured (NaN) keeps none. */
export function isHeld({ measured, limit }: Bar): boolean {
  return 'atMost' in limit ? measured <= limit.atMost : measured >= limit.atLeast
}
