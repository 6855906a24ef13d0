/**
 * Looks at the finished file of a message, by its plain name in the recordings' folder. A message without a voice is
 * removed. Never rejects; a repetition answers the same.
 */
export type KeepMessage = (file: string) => Promise<KeptMessage>

export type KeptMessage =
  | { readonly result: 'stored'; readonly lengthMs: number }
  | { readonly result: 'silent' }
  | { readonly result: 'failed'; readonly why: string }
