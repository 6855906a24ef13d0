/** Signs of 20 × 20 px, drawn with one line. They repeat a word beside them, and are hidden from screen readers. */
const SHAPES = {
  board: 'M3 4h14v12H3V4Zm0 4h14M8 8v8',
  person: 'M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6.5 7a6.5 6.5 0 0 1 13 0',
  down: 'm6 8 4 4 4-4',
  headset:
    'M3.5 13v-3a6.5 6.5 0 0 1 13 0v3m-13 0a1.5 1.5 0 0 0 3 0v-2a1.5 1.5 0 0 0-3 0Z' +
    'm13 0a1.5 1.5 0 0 1-3 0v-2a1.5 1.5 0 0 1 3 0Zm0 0v1a3 3 0 0 1-3 3H11',
  off: 'M10 3v7M6 5.5a6.5 6.5 0 1 0 8 0',
  ready: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm-3-7 2 2 4-4',
  call: 'M4 3h3l1.5 4-2 1.5a9 9 0 0 0 5 5l1.5-2 4 1.5v3a1 1 0 0 1-1 1A13 13 0 0 1 3 4a1 1 0 0 1 1-1Z',
  look: 'M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5Zm8 2a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  write: 'M4 16h3l9-9-3-3-9 9v3Zm7-10 3 3',
  leave: 'M12 5V3H4v14h8v-2m-4-5h9m-3-3 3 3-3 3',
  back: 'm12 5-5 5 5 5',
  phone: 'M6.5 3 8 7 6 8.5a9 9 0 0 0 5.5 5.5l1.5-2 4 1.5v2.5a2 2 0 0 1-2.2 2A12.6 12.6 0 0 1 2 5.2 2 2 0 0 1 4 3Z',
  in: 'M15 5 5 15m0-7v7h7',
  out: 'm5 15 10-10m-7 0h7v7',
  play: 'M6 4v12l10-6Z',
  pause: 'M7 4v12m6-12v12',
  sound: 'M4 8v4m4-7v10m4-8v6m4-9v12',
  check: 'm4 10.5 4 4 8-9',
  cross: 'm5 5 10 10m0-10L5 15',
  dash: 'M5 10h10',
  mute: 'M7.5 9V6a2.5 2.5 0 0 1 5 0v4m-7 0a4.5 4.5 0 0 0 7.5 3.3M10 14.5V17M4 3l12 14',
  keys: 'M5 5h.01M10 5h.01M15 5h.01M5 10h.01M10 10h.01M15 10h.01M5 15h.01M10 15h.01M15 15h.01',
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
