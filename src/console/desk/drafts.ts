/**
 * What an agent has typed about calls, kept in this browser: a reload loses nothing, and other tabs show the same. And
 * what they type between calls, kept by the page.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { keptName, keptNames } from '../session/kept-here.ts'
import { useLateKeys } from '../shell/late-keys.ts'
import { type Draft, isUnsaved } from './outcome-order.ts'

const KIND = 'draft:'
/** A key may be pressed by mistake, and the next call may be there before anybody has seen it. */
const CALLS_TO_PUT_BACK = 2
const TYPED = ['desk', 'typed']

/** Reads and writes the drafts of one person. */
class Drafts {
  readonly #userName: string
  readonly #listeners = new Set<() => void>()
  /** What the browser does not keep, because its storage is full: it is there as long as the page is. */
  readonly #unkept = new Map<string, Draft>()
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

  #put(draft: Draft): void {
    const { callId } = draft.call
    this.#unkept.delete(callId)
    try {
      localStorage.setItem(this.#name(callId), JSON.stringify(draft))
    } catch {
      this.#unkept.set(callId, draft)
    }
    this.#changed()
  }

  /** What was typed when its note had gone from the screen already. */
  append(callId: string, letters: string): void {
    const draft = this.#all.find(({ call }) => call.callId === callId)
    if (draft) this.#put(Object.assign({}, draft, { note: draft.note + letters }))
  }

  /** A part of it: what was typed or saved meanwhile stays. */
  change(draft: Draft, part: Partial<Draft>): void {
    const present = this.#all.find(({ call }) => call.callId === draft.call.callId) ?? draft
    this.#put(Object.assign({}, present, part))
  }

  /** What comes after the call: a reload and another tab know it too. */
  next(draft: Draft, next: Draft['next']): void {
    const present = this.#all.find(({ call }) => call.callId === draft.call.callId)
    if (present || next) this.#put(Object.assign({}, present ?? draft, { next }))
  }

  /** It can be put back until the second call has come. */
  discard(draft: Draft): void {
    this.#put(Object.assign({}, draft, { discarded: [] }))
  }

  putBack({ discarded: _, ...draft }: Draft): void {
    this.#put(draft)
  }

  /** Those that are saved go, but that of the call that is shown; so do those that were discarded two calls ago. */
  tidy(present: string | undefined): void {
    for (const draft of this.#all) {
      const { call, discarded } = draft
      if (call.callId === present) continue
      if (!isUnsaved(draft)) this.#drop(call.callId)
      else if (discarded && present !== undefined && !discarded.includes(present)) {
        const calls = [...discarded, present]
        if (calls.length < CALLS_TO_PUT_BACK) this.#put(Object.assign({}, draft, { discarded: calls }))
        else this.#drop(call.callId)
      }
    }
  }

  #drop(callId: string): void {
    this.#unkept.delete(callId)
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
    const kept = texts.flatMap((text) => (text === null ? [] : draftOf(text)))
    return [...kept.filter(({ call }) => !this.#unkept.has(call.callId)), ...this.#unkept.values()]
  }
}

/** The drafts of this person, and how to change them. */
export function useDrafts(userName: string): { readonly drafts: Drafts; readonly all: readonly Draft[] } {
  const drafts = useMemo(() => new Drafts(userName), [userName])
  useLateKeys((callId, letters) => drafts.append(callId, letters))
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

/**
 * The text of a field between calls, and how to change it. It is there again when the call that came is over, and it is
 * forgotten with the session: it may be somebody's number.
 */
export function useTyped(field: 'number' | 'search') {
  return useKept([...TYPED, field])
}

/** The campaign in which numbers are dialed, by its code; empty: none was chosen. It stays chosen all day. */
export function useChosenCampaign() {
  return useKept(['desk', 'campaign'])
}

function useKept(key: readonly string[]) {
  const client = useQueryClient()
  const [typed, setTyped] = useState(() => client.getQueryData<string>(key) ?? '')
  const type = (text: string) => {
    setTyped(text)
    client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY })
    client.setQueryData(key, text)
  }
  return [typed, type] as const
}

/** Whether anything was typed between calls, and is still there. It does not tell of changes. */
export function useHasTyped(): boolean {
  return useQueryClient()
    .getQueriesData<string>({ queryKey: TYPED })
    .some(([, text]) => text !== undefined && text !== '')
}
