/** A text with values from outside in it: each value is isolated, so that no name can turn the sentence around. */
import { Fragment, type ReactNode } from 'react'

const LETTERS_MAX = 80

/** Puts values into `{name}` of a text, as elements. */
export function Sentence({
  text,
  values,
}: {
  readonly text: string
  readonly values: Readonly<Record<string, ReactNode>>
}) {
  return text.split(/(\{\w+\})/).map((part, place) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    const value = name === undefined ? part : (values[name] ?? part)
    const key = `${place} ${part}`
    return (
      <Fragment key={key}>{typeof value === 'string' && name !== undefined ? <Name>{value}</Name> : value}</Fragment>
    )
  })
}

/** A name of somebody or something: shown as text in one line, however it is written. */
export function Name({ children }: { readonly children: string }) {
  return <bdi>{cleanName(children)}</bdi>
}

/** Without signs that control or turn the text, and not longer than 80 letters. */
export function cleanName(name: string): string {
  const letters = [...name.slice(0, 4 * LETTERS_MAX).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '␣')]
  return letters.length > LETTERS_MAX ? `${letters.slice(0, LETTERS_MAX).join('')}…` : letters.join('')
}
