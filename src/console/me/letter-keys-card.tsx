/** The letters that lead to pages: one switch for all of them, and each can be another one (WCAG 2.1.4). */
import { Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isLetter, LETTERS, type LetterPage, useLetterKeys } from '../shell/letter-keys.ts'
import { SHELL_TEXTS } from '../shell/shell-texts.ts'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import css from './me.module.css'
import { ME_TEXTS } from './me-texts.ts'

const PAGES = Object.keys(LETTERS) as LetterPage[]

/** Every change is kept at once; a letter that is taken, or is none, is not. */
export function LetterKeysCard() {
  const texts = useTexts(ME_TEXTS)
  const pages = useTexts(SHELL_TEXTS)
  const [keys, keep] = useLetterKeys()
  const [wrong, setWrong] = useState<LetterPage>()
  const change = (page: LetterPage, typed: string) => {
    const letter = typed.slice(-1).toLowerCase()
    const isTaken = PAGES.some((other) => other !== page && keys.letters[other] === letter)
    const isGood = isLetter(letter) && !isTaken
    setWrong(isGood ? undefined : page)
    if (isGood) keep({ isOn: keys.isOn, letters: Object.assign({}, keys.letters, { [page]: letter }) })
  }
  return (
    <>
      <Switch
        label={texts.lettersOn}
        description={texts.lettersHint}
        checked={keys.isOn}
        onChange={({ currentTarget }) => keep({ isOn: currentTarget.checked, letters: keys.letters })}
      />
      <div className={css.letters}>
        {PAGES.map((page) => (
          <TextInput
            key={page}
            label={fill(texts.letterOf, { page: pages[page] })}
            value={keys.letters[page]}
            error={wrong === page && texts.letterTaken}
            disabled={!keys.isOn}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onChange={({ currentTarget }) => change(page, currentTarget.value)}
            autoComplete="off"
          />
        ))}
      </div>
    </>
  )
}
