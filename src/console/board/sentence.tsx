/** A text with values from outside in it: each value is isolated, so that no name can turn the sentence around. */
import { Fragment, type ReactNode } from 'react'
import { plainText } from '../texts/outside-text.ts'

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
  return <bdi>{plainText(children)}</bdi>
}
