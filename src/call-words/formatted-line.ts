/** A cell of a ladder. `in`: towards the engine; `out`: away from it. */
export interface FormattedLine {
  readonly lane: 'caller' | 'engine' | 'agent'
  readonly way: 'in' | 'out' | 'none'
  readonly text: string
}
