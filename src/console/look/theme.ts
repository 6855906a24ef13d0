/** The component library in our colours, sizes and type. */
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'
import { TOKENS, type Token } from './colours.ts'

const { accent, accentGround, accentHover } = TOKENS.light
const INDIGO: MantineColorsTuple = [
  accentGround,
  '#dcdef8',
  '#c3c6f2',
  '#a9adf7',
  '#8a8fe6',
  '#6a6fd8',
  accent,
  accentHover,
  '#33378f',
  '#282b70',
]

/** Sizes and line heights of `docs/console.md`; rem of 16 px. */
export const THEME = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  // Keys and codes too: each system has another monospaced face, with another width and weight.
  fontFamilyMonospace: "'Inter Variable', ui-monospace, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.3333', sm: '1.5385', md: '1.4286', lg: '1.5', xl: '1.4' },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.25rem', lineHeight: '1.4' } } },
  spacing: { xs: '0.25rem', sm: '0.5rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  colors: { indigo: INDIGO },
  primaryColor: 'indigo',
  primaryShade: { light: 6, dark: 3 },
  // The library writes white on everything that is filled; our accent is light where the ground is dark.
  variantColorResolver: (input) => {
    const colours = defaultVariantColorsResolver(input)
    return input.variant === 'filled' ? { ...colours, color: 'var(--sb-onAccent)' } : colours
  },
  defaultRadius: 6,
  components: {
    // What floats is told from what it covers.
    Popover: { defaultProps: { shadow: 'md' } },
    InputWrapper: { styles: { label: { marginBottom: '0.25rem' }, description: { marginBottom: '0.25rem' } } },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
})

/** The library's own colours in terms of ours. */
const LIBRARY: Readonly<Record<string, string>> = {
  '--mantine-color-body': 'var(--sb-ground)',
  '--mantine-color-text': 'var(--sb-text)',
  '--mantine-color-dimmed': 'var(--sb-dim)',
  '--mantine-color-placeholder': 'var(--sb-dim)',
  '--mantine-color-anchor': 'var(--sb-accent)',
  '--mantine-color-error': 'var(--sb-loss)',
  '--mantine-color-default': 'var(--sb-surface)',
  '--mantine-color-default-hover': 'var(--sb-hover)',
  '--mantine-color-default-color': 'var(--sb-text)',
  '--mantine-color-default-border': 'var(--sb-control)',
  // Borders of fields; and their ground where it is dark.
  '--mantine-color-gray-4': 'var(--sb-control)',
  '--mantine-color-dark-4': 'var(--sb-control)',
  '--mantine-color-dark-6': 'var(--sb-ground)',
  '--mantine-color-disabled': 'var(--sb-hover)',
  '--mantine-color-disabled-color': 'var(--sb-dim)',
  '--mantine-color-disabled-border': 'var(--sb-line)',
  '--mantine-primary-color-filled': 'var(--sb-accent)',
  '--mantine-primary-color-filled-hover': 'var(--sb-accentHover)',
  '--mantine-primary-color-contrast': 'var(--sb-onAccent)',
  '--mantine-primary-color-light': 'var(--sb-accentGround)',
  '--mantine-primary-color-light-color': 'var(--sb-accent)',
}

/** Our colours of both themes. The library sets its own for each theme, so ours must be too. */
export const VARIABLES: CSSVariablesResolver = () => ({
  variables: {},
  light: variablesOf(TOKENS.light),
  dark: variablesOf(TOKENS.dark),
})

function variablesOf(tokens: Readonly<Record<Token, string>>): Record<string, string> {
  const own = Object.entries(tokens).map(([name, colour]) => [`--sb-${name}`, colour])
  return { ...LIBRARY, ...Object.fromEntries(own) }
}
