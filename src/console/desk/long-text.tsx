/** A text from outside in little room: of a long one the beginning, and the whole on request. */
import { useState } from 'react'
import { useTexts } from '../texts/language.tsx'
import { plainLines, plainText } from '../texts/outside-text.ts'
import { CALL_TEXTS } from './call-texts.ts'
import css from './contact.module.css'

/** `lettersMax`: of the beginning. A text that is not longer has no button. */
export function LongText({ text, lettersMax }: { readonly text: string; readonly lettersMax: number }) {
  const { showWhole, showLess } = useTexts(CALL_TEXTS)
  const [isWhole, setWhole] = useState(false)
  const beginning = plainText(text, lettersMax)
  // Never more letters than units of UTF-16.
  const isCut = beginning !== plainText(text, text.length)
  return (
    <>
      <bdi className={isWhole ? css.whole : undefined}>{isWhole ? plainLines(text) : beginning}</bdi>
      {isCut && (
        <button type="button" className={css.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? showLess : showWhole}
        </button>
      )}
    </>
  )
}
