/** The screen pop: an external system's page about a call (contract.md §4.7, D-28). The agent's browser opens it. */

/** The variables of a template, written as `{$CODE}`. */
export const POPUP_VARIABLES = ['CODE', 'CALLER', 'CALLED', 'ITCAID', 'EACTID', 'EXTCUSTID'] as const

type PopupVariable = (typeof POPUP_VARIABLES)[number]

/** What is known of a call; an unknown value becomes an empty text. */
export type PopupValues = Readonly<Partial<Record<PopupVariable, string>>>

const TEMPLATE_LENGTH_MAX = 1_000
const VARIABLE = /\{\$([^{}]*)\}/g
/** Scheme and host, up to the slash that begins the path. A variable in it could lead anywhere. */
const FIXED_PART = /^https?:\/\/[^/?#\\\s{}]+\//i

/** What is wrong with a template, as the end of "the template …"; undefined when it is valid. */
export function checkPopupTemplate(template: string): string | undefined {
  if (template.length > TEMPLATE_LENGTH_MAX) return `is longer than ${TEMPLATE_LENGTH_MAX} characters`
  if (!/^https?:\/\//i.test(template)) return 'must begin with https:// or http://'
  if (!FIXED_PART.test(template)) return 'must name its host, and a slash after it, before the first variable'
  if (hasControlCharacter(template)) return 'has a blank or control character; write it percent-encoded'
  const unknown = [...template.matchAll(VARIABLE)].map(([, name = '']) => name).find((name) => !isVariable(name))
  if (unknown !== undefined) return `names a variable that does not exist; there are ${NAMES}`
  const rest = template.replaceAll(VARIABLE, '')
  if (/[{}]/.test(rest)) return `has a brace that belongs to no variable; there are ${NAMES}`
  const url = URL.parse(rest)
  if (!url) return 'is not an address'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  return undefined
}

const NAMES = POPUP_VARIABLES.map((name) => `{$${name}}`).join(', ')

/**
 * The address of the page. Every value is percent-encoded, also the characters that RFC 3986 reserves: no value can end
 * a part of the address. A value of dots alone would climb up the path; it becomes an empty text. Undefined when the
 * template is invalid.
 */
export function popupUrl(template: string, values: PopupValues): string | undefined {
  if (checkPopupTemplate(template) !== undefined) return undefined
  return template.replaceAll(VARIABLE, (_, name: PopupVariable) => encoded(values[name] ?? ''))
}

function encoded(value: string): string {
  if (/^\.+$/.test(value)) return ''
  const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(value.toWellFormed()).replaceAll(/[!'()*]/g, percent)
}

function isVariable(name: string): name is PopupVariable {
  return (POPUP_VARIABLES as readonly string[]).includes(name)
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character <= ' ' || character === '\u007f')
}
