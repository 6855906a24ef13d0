/** Letters that go to pages while nobody types: two of them, so that one alone does nothing (WCAG 2.1.4). */
import { useSyncExternalStore } from 'react'

/** The pages that a letter leads to, with the letters that they have at first. */
export const LETTERS = { desk: 'd', board: 'b', calls: 'c', me: 'm' } as const

export type LetterPage = keyof typeof LETTERS

/** What somebody has chosen in this browser. */
export interface LetterKeys {
  readonly isOn: boolean
  readonly letters: Readonly<Record<LetterPage, string>>
}

const STORED = 'sb-letter-keys'
/** The letter before them. */
export const LEADER = 'g'
const listeners = new Set<() => void>()
let read: { readonly text: string | null; readonly keys: LetterKeys } | undefined

/** The choice, and how to change it; other tabs follow. */
export function useLetterKeys(): readonly [LetterKeys, (next: LetterKeys) => void] {
  return [useSyncExternalStore(listen, letterKeys), keep]
}

/** The choice as it is now. */
export function letterKeys(): LetterKeys {
  const text = localStorage.getItem(STORED)
  if (read?.text !== text || !read) read = { text, keys: keysOf(text) }
  return read.keys
}

function keep(next: LetterKeys): void {
  localStorage.setItem(STORED, JSON.stringify(next))
  for (const told of listeners) told()
}

function listen(told: () => void): () => void {
  listeners.add(told)
  window.addEventListener('storage', told)
  return () => {
    listeners.delete(told)
    window.removeEventListener('storage', told)
  }
}

/** What another version has kept, or somebody has changed, is the first choice. */
function keysOf(text: string | null): LetterKeys {
  const first: LetterKeys = { isOn: true, letters: LETTERS }
  try {
    const { isOn, letters } = JSON.parse(text ?? '{}') as Partial<LetterKeys>
    const pages = Object.keys(LETTERS) as LetterPage[]
    const chosen = pages.map((page) => [page, letters?.[page]] as const)
    if (letters && chosen.some(([, letter]) => !isLetter(letter))) return first
    return { isOn: isOn !== false, letters: letters ?? LETTERS }
  } catch {
    return first
  }
}

/** Whether it is one letter that may lead to a page. */
export function isLetter(text: unknown): text is string {
  return typeof text === 'string' && /^\p{Ll}$/u.test(text) && text !== LEADER
}
