/** A sign for each state of an agent, beside its word: the shape tells, the colour repeats it. */
const SHAPES: Readonly<Record<string, { readonly shape: string; readonly colour: string; readonly isFull?: boolean }>> =
  {
    talking: { shape: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Z', colour: 'talking', isFull: true },
    ready: { shape: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Z', colour: 'ready' },
    reserved: {
      shape: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
      colour: 'ready',
    },
    wrapUp: { shape: 'M3 13h3l7-7-3-3-7 7v3Z', colour: 'wrapUp' },
    paused: { shape: 'M5.5 3v10M10.5 3v10', colour: 'pause' },
    calling: { shape: 'M8 2 1.5 13.5h13L8 2Zm0 4.5v3.2m0 1.7v.1', colour: 'trouble' },
  }

/** Hidden from screen readers, which read the word. */
export function StateIcon({ state }: { readonly state: string }) {
  const { shape, colour, isFull } = SHAPES[state] ?? { shape: 'M3 8h10', colour: 'pause' }
  const line = `var(--sb-${colour})`
  return (
    <svg width={16} height={16} viewBox="0 0 16 16" fill={isFull ? line : 'none'} aria-hidden="true">
      <path d={shape} stroke={line} strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
