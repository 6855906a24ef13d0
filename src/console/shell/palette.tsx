/** Ctrl+K: every act and page by a few letters of its name, with the keyboard alone. */
import { Kbd } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { foundCommands } from './command-search.ts'
import { type Command, commandsNow } from './commands.ts'
import css from './palette.module.css'
import { SHELL_TEXTS } from './shell-texts.ts'
import { toNoteFrom } from './to-note.ts'

/** A dialog of the browser: it holds the focus, Esc closes it, and the focus goes back to where it was. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (dialog.current?.open) dialog.current.close()
      else {
        setOpen(true)
        dialog.current?.showModal()
      }
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
  const texts = useTexts(SHELL_TEXTS)
  const closed = () => {
    setOpen(false)
    // While it is open nothing else can have the focus: a note that came up was refused it.
    toNoteFrom(null)
  }
  return (
    <dialog ref={dialog} className={css.palette} aria-label={texts.palette} onClose={closed}>
      {isOpen && (
        <Search
          choose={({ run }) => {
            dialog.current?.close()
            run()
          }}
        />
      )}
    </dialog>
  )
}

/** The pattern of a combobox: the caret stays in the field, arrows move the choice (WAI-ARIA APG, combobox). */
function Search({ choose }: { readonly choose: (command: Command) => void }) {
  const texts = useTexts(SHELL_TEXTS)
  const [typed, setTyped] = useState('')
  const [place, setPlace] = useState(0)
  const id = useId()
  const found = foundCommands(commandsNow(), typed)
  const at = Math.min(place, found.length - 1)
  useEffect(() => {
    document.getElementById(optionOf(id, at))?.scrollIntoView({ block: 'nearest' })
  }, [id, at])

  const keys = (event: KeyboardEvent) => {
    const chosen = found[at]
    if (event.key === 'ArrowDown') setPlace((at + 1) % Math.max(1, found.length))
    else if (event.key === 'ArrowUp') setPlace((at + found.length - 1) % Math.max(1, found.length))
    else if (event.key === 'Enter') chosen && choose(chosen)
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        className={css.field}
        role="combobox"
        aria-label={texts.palette}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? optionOf(id, at) : undefined}
        placeholder={texts.paletteHint}
        value={typed}
        maxLength={60}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: somebody has asked for this field with a key.
        autoFocus
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          setPlace(0)
        }}
        onKeyDown={keys}
      />
      <Options id={id} found={found} at={at} choose={choose} />
      <p role="status" className={css.none}>
        {found.length === 0 ? texts.paletteNone : ''}
      </p>
    </>
  )
}

interface OptionsProps {
  readonly id: string
  readonly found: readonly Command[]
  readonly at: number
  readonly choose: (command: Command) => void
}

function Options({ id, found, at, choose }: OptionsProps) {
  const texts = useTexts(SHELL_TEXTS)
  const { language } = useLanguage()
  return (
    <div id={id} role="listbox" aria-label={texts.palette} className={css.list}>
      {found.map((command, each) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
        <div
          key={command.id}
          id={optionOf(id, each)}
          role="option"
          tabIndex={-1}
          aria-selected={each === at}
          className={css.option}
          onClick={() => choose(command)}
        >
          <span>{command.names[language]}</span>
          {command.keys && <Kbd>{command.keys}</Kbd>}
        </div>
      ))}
    </div>
  )
}

function optionOf(id: string, place: number): string {
  return `${id}-${place}`
}
