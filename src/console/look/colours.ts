/** The colours of the console, once for each theme. A test holds the contrast of each pair that is used. */
export const TOKENS = {
  light: {
    ground: '#f5f6f8',
    surface: '#ffffff',
    hover: '#eceef2',
    line: '#dfe2e7',
    control: '#858d98',
    text: '#1a1f26',
    dim: '#565f6b',
    accent: '#4a4fc4',
    accentHover: '#3d42ab',
    onAccent: '#ffffff',
    accentGround: '#ecedfb',
    ready: '#1c5fb8',
    talking: '#1d7440',
    wrapUp: '#7a3fa8',
    pause: '#565f6b',
    trouble: '#875600',
    loss: '#b3261e',
  },
  dark: {
    ground: '#15171b',
    surface: '#1d2025',
    hover: '#282c33',
    line: '#31363e',
    control: '#7a838f',
    text: '#e5e8ec',
    dim: '#a2abb6',
    accent: '#a9adf7',
    accentHover: '#bfc2fa',
    onAccent: '#15172e',
    accentGround: '#2a2c48',
    ready: '#7fb3f5',
    talking: '#6fc48d',
    wrapUp: '#c89ced',
    pause: '#a2abb6',
    trouble: '#e2b05c',
    loss: '#f18c82',
  },
} as const

/** The name of a colour; in CSS `var(--sb-NAME)`. */
export type Token = keyof (typeof TOKENS)['light']

/** What is written on what, with the least contrast of WCAG 2.2 (1.4.3: 4.5 for text; 1.4.11: 3 for controls). */
export const PAIRS: readonly {
  readonly on: readonly Token[]
  readonly written: readonly Token[]
  readonly least: number
}[] = [
  {
    written: ['text', 'dim', 'accent', 'ready', 'talking', 'wrapUp', 'pause', 'trouble', 'loss'],
    on: ['ground', 'surface', 'hover'],
    least: 4.5,
  },
  { written: ['text', 'accent'], on: ['accentGround'], least: 4.5 },
  { written: ['onAccent'], on: ['accent', 'accentHover'], least: 4.5 },
  { written: ['control'], on: ['ground', 'surface'], least: 3 },
]
