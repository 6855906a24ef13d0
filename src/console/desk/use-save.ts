/** Saves what was typed about a call, and goes on: ready, or a pause. Nothing typed is dropped before it is saved. */
import { type RefObject, useEffect, useState } from 'react'
import { isHalfDate } from '../look/date-field.tsx'
import { newKey } from '../session/ask.ts'
import { inOneTab } from '../shell/in-one-tab.ts'
import { useTexts } from '../texts/language.tsx'
import type { Desk } from './desk-state.ts'
import { DESK_TEXTS } from './desk-texts.ts'
import type { Drafts } from './drafts.ts'
import { contentOf, type Draft, type Missing, type Next, outcomeOrder, type Place } from './outcome-order.ts'
import { useCalleeZone, useOutcomes, useQueueOutcomes } from './use-call-task.ts'
import { type Order, order } from './use-orders.ts'

/** Why it is not saved: something is missing, or the node's own words; null: no answer came. */
export type Trouble = { readonly at: Place } & ({ readonly missing: Missing } | { readonly why: string | null })

interface SaveInput {
  readonly desk: Desk
  readonly draft: Draft
  readonly drafts: Drafts
  readonly nowMs: number
  readonly choose: (next: (now: string | undefined) => string | undefined) => void
  readonly panel: RefObject<HTMLFormElement | null>
}

/** The saving of one call. */
export function useSave({ desk, draft, drafts, nowMs, choose, panel }: SaveInput) {
  const { call } = draft
  const { data: outcomes, isError, refetch } = useOutcomesOf(call)
  const hasOutcome = call.task !== null || call.isIncoming
  const callee = useCalleeZone(call.task?.callCode)
  const { zone } = callee
  const [told, setTold] = useState<{ readonly trouble: Trouble; readonly about: string }>()
  const [isSaving, setSaving] = useState(false)
  const content = contentOf(draft)
  const isSaved = draft.saved === content
  const isStopping = (draft.stop ?? '').trim() !== ''
  const about = `${content} ${draft.stop}`
  const done = () => choose((now) => (now === call.callId ? undefined : now))
  const setTrouble = (trouble: Trouble) => setTold({ trouble, about })
  // Whoever goes on typing is mending it.
  const trouble = told?.about === about ? told.trouble : undefined

  const failed = (why: string | null) => setTrouble({ at: 'outcome', why })
  const { isOver, isGoing, follow } = useNext({ desk, draft, drafts, done, failed })
  const isBusy = isSaving || isGoing

  const save = async (to: Next) => {
    if (isBusy) return
    setTold(undefined)
    if (isOver && isStopping) {
      setTrouble({ at: 'stop', missing: 'stop' })
      return focusOn(panel.current, 'stop')
    }
    if (isSaved || !hasOutcome) return follow(to)
    // What has failed is asked for again: nothing else would, and nothing could be saved for good.
    if (!outcomes) return (await refetch()).isError ? setTrouble({ at: 'outcome', why: null }) : undefined
    const half = halfDateIn(panel.current)
    const made = half ? ({ ok: false, at: half, why: 'date' } as const) : outcomeOrder(draft, outcomes, { nowMs, zone })
    if (!made.ok) {
      if (made.why === 'callback.zone') await callee.askAgain()
      setTrouble({ at: made.at, missing: made.why })
      return focusOn(panel.current, made.at)
    }
    // The same words again are the same intention, and are carried out once: "in 2 h" as it was meant at first. They
    // may come after a reload, so they are kept before they are sent.
    const sent = draft.sent?.content === content ? draft.sent : { content, key: newKey(), body: made.body }
    const { key, body } = sent
    drafts.change(draft, { sent })
    setSaving(true)
    const answer = await order(body, key)
    setSaving(false)
    if (!answer.ok) {
      // A refusal is the answer to this key: the next try may be another.
      if (answer.why !== null) drafts.change(draft, { sent: undefined })
      const at = placeOf(answer.at, body)
      setTrouble({ at, why: answer.why })
      return focusOn(panel.current, at)
    }
    setTold(undefined)
    drafts.change(draft, { saved: content })
    await follow(to)
  }
  return { save, trouble, isBusy, isSaved, hasOutcome, isOver, outcomes, isError, callee, next: draft.next?.to }
}

export type Saving = ReturnType<typeof useSave>

/** In a shift that is neither paused nor about to be. */
function isAtWork({ state, asked }: Desk): boolean {
  return state !== 'paused' && state !== 'loggedOut' && asked !== 'pause'
}

interface NextInput extends Pick<SaveInput, 'desk' | 'draft' | 'drafts'> {
  /** Closes what is finished later. */
  readonly done: () => void
  readonly failed: (why: string | null) => void
}

/** What comes after the call. One tab asks for it; one that hears too late of that asks with the same key. */
function useNext({ desk, draft, drafts, done, failed }: NextInput) {
  const { break: reason } = useTexts(DESK_TEXTS)
  const { callId } = draft.call
  const { next } = draft
  const [isGoing, setGoing] = useState(false)
  const isPresent = desk.call?.callId === callId
  const isOver = isPresent && desk.state === 'wrapUp'
  const give = async (body: Order, key = newKey()): Promise<boolean> => {
    const answer = await order(body, key)
    if (!answer.ok) failed(answer.why)
    return answer.ok
  }
  const goOn = async (to: Next, key?: string): Promise<boolean> => {
    if (next) drafts.next(draft, undefined)
    setGoing(true)
    const isDone = await give(to === 'ready' ? { type: 'endWrapUp', callId } : { type: 'pause', reason }, key)
    setGoing(false)
    return isDone
  }
  // Whoever writes that nobody is to call again has not finished, whatever was saved before.
  const isDue = isOver && draft.saved === contentOf(draft) && (draft.stop ?? '').trim() === ''
  useEffect(() => {
    if (isDue && next) inOneTab(`sb-after-${callId}`, () => goOn(next.to, next.key))
  })
  /** The node is told of a pause while the call goes on: where there is no wrap-up, the next call would come first. */
  const goOnLater = (to: Next): void => {
    if (to === 'pause') void give({ type: 'pause', reason })
    else if (next?.to === 'pause') void give({ type: 'ready' })
    drafts.next(draft, { to, key: newKey() })
  }
  const follow = async (to: Next): Promise<void> => {
    if (isPresent && !isOver) return goOnLater(to)
    // Also where the time of the wrap-up is over: a pause was asked for.
    if (to === 'pause' && (isOver || isAtWork(desk))) return (await goOn(to)) ? done() : undefined
    done()
    if (isOver) await goOn(to)
  }
  return { isOver, isGoing, follow }
}

/** What can be chosen for this call: of its campaign, or of the team that the caller reached. */
function useOutcomesOf(call: Draft['call']) {
  const ofCampaign = useOutcomes(call.isIncoming ? undefined : call.task?.callCode)
  const ofQueue = useQueueOutcomes(call.isIncoming ? call.queue : undefined)
  return call.isIncoming ? ofQueue : ofCampaign
}

function placeOf(path: string, body: unknown): Place {
  const number = /^fields\[(\d+)\]/.exec(path)?.[1]
  const { fields = [] } = body as { readonly fields?: readonly { readonly name: string }[] }
  if (number !== undefined) return `field:${fields[Number(number)]?.name ?? ''}`
  if (path === 'callBackTs') return 'callback'
  return path === 'note' ? 'note' : 'outcome'
}

/** The field of a date that was begun: it has no value, and would be saved as if it were empty. */
function halfDateIn(panel: HTMLElement | null): Place | undefined {
  const fields = [...(panel?.querySelectorAll('input') ?? [])]
  return fields.find(isHalfDate)?.dataset['place'] as Place | undefined
}

function focusOn(panel: HTMLElement | null, at: Place): void {
  const wanted = [...(panel?.querySelectorAll<HTMLElement>('[data-place]') ?? [])].find(
    ({ dataset }) => dataset['place'] === at,
  )
  wanted?.focus()
}
