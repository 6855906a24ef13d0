/** Where something happened, which way it went, and what it was. `in`: towards the engine; `out`: away from it. */
export interface Telling {
  readonly lane: 'caller' | 'engine' | 'agent'
  readonly way: 'in' | 'out' | 'none'
  readonly text: string
}
