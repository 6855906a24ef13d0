/** Signs of 20 × 20 px, drawn with one line. They repeat a word beside them, and are hidden from screen readers. */
const SHAPES = {
  board: 'M3 4h14v12H3V4Zm0 4h14M8 8v8',
  person: 'M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6.5 7a6.5 6.5 0 0 1 13 0',
  down: 'm6 8 4 4 4-4',
  leave: 'M12 5V3H4v14h8v-2m-4-5h9m-3-3 3 3-3 3',
} as const

export type IconName = keyof typeof SHAPES

/** One sign. */
export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <path d={SHAPES[name]} stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
