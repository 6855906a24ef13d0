/** The look of everything: type, colours, the theme of this browser. */
import '@fontsource-variable/inter/wght.css'
import './library-styles.ts'
import './look.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { THEME, VARIABLES } from './theme.ts'

const stored = localStorageColorSchemeManager({ key: 'sb-theme' })
/** The policy of the page admits style elements with this nonce alone. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

/** Around everything that is drawn. */
export function Look({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={THEME}
      cssVariablesResolver={VARIABLES}
      defaultColorScheme="auto"
      colorSchemeManager={stored}
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  )
}
