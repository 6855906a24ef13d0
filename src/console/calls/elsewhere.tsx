/** What only the node that served a call has: on which node it is, and the way there (console-33). */
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import type { CallTold } from './call-facts.tsx'
import css from './one-call.module.css'
import { ONE_CALL_TEXTS } from './one-call-texts.ts'

interface ElsewhereProps {
  readonly eactId: number
  readonly servedBy: CallTold['servedBy']
  /** What there is to say where this node served it, and where nobody knows who did. */
  readonly here: string
  readonly unknown: string
}

/** A sentence, with a link to the same page of that node where its address is known. */
export function Elsewhere({ eactId, servedBy, here, unknown }: ElsewhereProps) {
  const texts = useTexts(ONE_CALL_TEXTS)
  if (servedBy === null) return unknown
  if (servedBy.thisNode) return here
  const node = plainText(servedBy.node)
  const page = pageOf(servedBy.endpoint, eactId)
  if (page === undefined) return fill(texts.onNodeAway, { node })
  return (
    <>
      {fill(texts.onNode, { node })}{' '}
      <a href={page} rel="noreferrer" className={css.there}>
        {fill(texts.openThere, { node })}
      </a>
    </>
  )
}

/** Undefined where the node is not up, or what it says of itself is no address that a browser should follow. */
function pageOf(endpoint: string | null, eactId: number): string | undefined {
  const address = endpoint === null ? null : URL.parse(`/calls/${eactId}`, endpoint)
  return address && /^https?:$/.test(address.protocol) ? address.href : undefined
}
