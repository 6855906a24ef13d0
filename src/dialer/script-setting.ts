/** The script of a campaign: what agents read to a person, with places that the desk fills in (campaigns-107). */
import Type from 'typebox'

/** Ten pages of text; the dialer never reads it. Our choice. */
const SCRIPT_MAX = 20_000

/** Tabs and line ends are text; every other control character shows nothing. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u

export const scriptSetting = Type.String({
  maxLength: SCRIPT_MAX,
  description:
    'Plain text that agents see beside a call. {name}, {externalCaseNumber}, {customer}, {number} and the names of ' +
    'properties of the call task in braces are filled in.',
})

/** What is wrong with a script of the right length; empty: nothing. */
export function wrongScript(script: string | undefined): { readonly path: string; readonly why: string }[] {
  if (script === undefined || !CONTROL.test(script)) return []
  return [{ path: 'script', why: 'must be plain text: remove the control characters' }]
}
