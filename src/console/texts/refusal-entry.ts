/**
 * How a sentence of the node is said on a screen: in Danish; a pair where its English is for programs, which know
 * operations and settings, and people need another.
 */
export type Said = string | readonly [english: string, danish: string]

/** By the sentence of the node. `{name}` stands for a value, which stays as it is; that of `{why}` is a sentence. */
export type Refusals = Readonly<Record<string, Said>>
