/** Frames of `switchboard.v1`, as the console reads and sends them. */

export type Fields = Readonly<Record<string, unknown>>

export type Op =
  | readonly ['u', kind: string, key: string | number, fields: Fields]
  | readonly ['x', string, string | number]

/** A frame of the server. Unknown kinds are ignored: newer servers may say more. */
export type ServerFrame =
  | { readonly t: 'welcome'; readonly epoch: string; readonly serverTs: string }
  | {
      readonly t: 'snap'
      readonly id: number
      readonly seq: number
      readonly part: number
      readonly of: number
      readonly rows: readonly (readonly [kind: string, key: string | number, fields: Fields])[]
    }
  | { readonly t: 'd'; readonly id: number; readonly seq: number; readonly ops: readonly Op[] }
  | { readonly t: 'hb'; readonly seqs: Readonly<Record<string, number>>; readonly serverTs: string }
  | { readonly t: 'gap'; readonly id: number; readonly reason: string }
  | { readonly t: 'ev'; readonly id: number; readonly evId: string; readonly name: string; readonly data: Fields }
  | { readonly t: 'deny'; readonly id: number; readonly code: string }
  | { readonly t: 'bye'; readonly code: string; readonly retryMs: number }

/** Where a subscription goes on. */
export interface Since {
  readonly epoch: string
  readonly seq: number
}
