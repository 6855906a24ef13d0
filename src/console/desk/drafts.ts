/** What an agent has typed about calls, kept in this browser: a reload loses nothing, and other tabs show the same. */
import { useMemo, useSyncExternalStore } from 'react'
import { keptName, keptNames } from '../session/kept-here.ts'
import { type Draft, isUnsaved } from './outcome-order.ts'

const KIND = 'draft:'
const DRAFTS_MAX = 30

/** Reads and writes the drafts of one person. */
class Drafts {
  readonly #userName: string
  readonly #listeners = new Set<() => void>()
  #all: readonly Draft[]

  constructor(userName: string) {
    this.#userName = userName
    this.#all = this.#read()
  }

  readonly all = (): readonly Draft[] => this.#all

  readonly listen = (told: () => void): (() => void) => {
    this.#listeners.add(told)
    // The browser tells the other tabs alone.
    const heard = ({ key }: StorageEvent) => (key === null || key.startsWith(this.#name(''))) && this.#changed()
    window.addEventListener('storage', heard)
    return () => {
      this.#listeners.delete(told)
      window.removeEventListener('storage', heard)
    }
  }

  put(draft: Draft): void {
    localStorage.setItem(this.#name(draft.call.callId), JSON.stringify(draft))
    this.#changed()
  }

  /** What was typed while it was being saved stays, and is not saved. */
  saved(draft: Draft, content: string): void {
    const present = this.#all.find(({ call }) => call.callId === draft.call.callId) ?? draft
    this.put(Object.assign({}, present, { saved: content }))
  }

  /** Those that are saved go, but that of the call that is shown. */
  tidy(present: string | undefined): void {
    const done = this.#all.filter((one) => one.call.callId !== present && !isUnsaved(one))
    for (const { call } of done) this.drop(call.callId)
  }

  drop(callId: string): void {
    localStorage.removeItem(this.#name(callId))
    this.#changed()
  }

  #name(callId: string): string {
    return keptName(this.#userName, `${KIND}${callId}`)
  }

  #changed(): void {
    this.#all = this.#read()
    for (const told of this.#listeners) told()
  }

  #read(): readonly Draft[] {
    const texts = keptNames(this.#userName, KIND).map((name) => localStorage.getItem(name))
    return texts.slice(0, DRAFTS_MAX).flatMap((text) => (text === null ? [] : draftOf(text)))
  }
}

/** The drafts of this person, and how to change them. */
export function useDrafts(userName: string): { readonly drafts: Drafts; readonly all: readonly Draft[] } {
  const drafts = useMemo(() => new Drafts(userName), [userName])
  return { drafts, all: useSyncExternalStore(drafts.listen, drafts.all) }
}

export type { Drafts }

/** What another version has kept, or somebody has changed, is no draft. */
function draftOf(text: string): Draft[] {
  try {
    const read = JSON.parse(text) as Draft
    const isDraft = typeof read.call.callId === 'string' && typeof read.note === 'string' && read.fields !== null
    return isDraft ? [read] : []
  } catch {
    return []
  }
}
