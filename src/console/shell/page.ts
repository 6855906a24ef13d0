import type { ComponentType } from 'react'
import type { IconName } from '../look/icon.tsx'
import type { Role } from '../session/use-session.ts'
import type { SHELL_TEXTS } from './shell-texts.ts'

/** A page behind the login. */
export interface Page {
  /** One of `PATHS`; the router also matches what follows its `:name`. */
  readonly path: string
  readonly Page: ComponentType
  /** What goes on while another page is shown, from when this one was opened. */
  readonly Away?: ComponentType
  /** Who may open it; absent: everybody who has signed in. */
  readonly roles?: readonly Role[]
  /** Nothing around it: a screen that everybody in a room looks at. */
  readonly isBare?: boolean
  /** Its entry in the rail; absent: it is reached from another page. */
  readonly rail?: { readonly icon: IconName; readonly text: keyof (typeof SHELL_TEXTS)['en'] }
}
