/** Saves what was typed about a call, and goes on: ready, or a pause. Nothing typed is dropped before it is saved. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import { isHalfDate } from '../look/date-field.tsx'
import { newKey } from '../session/ask.ts'
import { useTexts } from '../texts/language.tsx'
import type { Desk } from './desk-state.ts'
import { DESK_TEXTS } from './desk-texts.ts'
import type { Drafts } from './drafts.ts'
import { contentOf, type Draft, type Missing, outcomeOrder, type Place } from './outcome-order.ts'
import { ownZone, useCampaign, useOutcomes, useQueueOutcomes } from './use-call-task.ts'
import { type Order, order } from './use-orders.ts'

export type Next = 'ready' | 'pause'

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
  const { data: campaign } = useCampaign(call.task?.callCode)
  const zone = campaign?.zone ?? ownZone()
  const [told, setTold] = useState<{ readonly trouble: Trouble; readonly about: string }>()
  const [isSaving, setSaving] = useState(false)
  const sent = useRef<{ readonly content: string; readonly key: string; readonly body: Order }>(undefined)
  const isPresent = desk.call?.callId === call.callId
  const isOver = isPresent && desk.state === 'wrapUp'
  const content = contentOf(draft)
  const isSaved = draft.saved === content
  const done = () => choose((now) => (now === call.callId ? undefined : now))
  const setTrouble = (trouble: Trouble) => setTold({ trouble, about: content })
  // Whoever goes on typing is mending it.
  const trouble = told?.about === content ? told.trouble : undefined

  const isDue = isOver && isSaved
  const { next, isGoing, goOn, goOnLater } = useNext(call.callId, isDue, (why) => setTrouble({ at: 'outcome', why }))
  const isBusy = isSaving || isGoing

  const save = async (to: Next) => {
    if (isBusy) return
    setTold(undefined)
    if (isSaved || !hasOutcome) return isOver ? goOn(to) : isPresent ? goOnLater(to) : done()
    // What has failed is asked for again: nothing else would, and nothing could be saved for good.
    if (!outcomes) return (await refetch()).isError ? setTrouble({ at: 'outcome', why: null }) : undefined
    const half = halfDateIn(panel.current)
    const made = half ? ({ ok: false, at: half, why: 'date' } as const) : outcomeOrder(draft, outcomes, { nowMs, zone })
    if (!made.ok) {
      setTrouble({ at: made.at, missing: made.why })
      return focusOn(panel.current, made.at)
    }
    // The same words again are the same intention, and are carried out once: "in 2 h" as it was meant at first.
    if (sent.current?.content !== content) sent.current = { content, key: newKey(), body: made.body }
    const { key, body } = sent.current
    setSaving(true)
    const answer = await order(body, key)
    setSaving(false)
    if (!answer.ok) {
      // A refusal is the answer to this key: the next try may be another.
      if (answer.why !== null) sent.current = undefined
      const at = placeOf(answer.at, body)
      setTrouble({ at, why: answer.why })
      return focusOn(panel.current, at)
    }
    setTold(undefined)
    drafts.saved(draft, content)
    done()
    // Also where the time of the wrap-up is over meanwhile, and this view is gone: a pause was asked for.
    if (isOver) await goOn(to)
    else if (isPresent) goOnLater(to)
  }
  return { save, trouble, isBusy, isSaved, hasOutcome, isOver, outcomes, isError, zone, next }
}

export type Saving = ReturnType<typeof useSave>

/** What comes after the call: of this tab alone, or two tabs would do it twice. `isDue`: it is over, and saved. */
function useNext(callId: string, isDue: boolean, failed: (why: string | null) => void) {
  const { break: reason } = useTexts(DESK_TEXTS)
  const [next, setNext] = useState<Next>()
  const [isGoing, setGoing] = useState(false)
  const give = async (body: Order) => {
    const answer = await order(body)
    if (!answer.ok) failed(answer.why)
  }
  const goOn = async (to: Next) => {
    setNext(undefined)
    setGoing(true)
    await give(to === 'ready' ? { type: 'endWrapUp', callId } : { type: 'pause', reason })
    setGoing(false)
  }
  useEffect(() => {
    if (isDue && next) void goOn(next)
  })
  /** The node is told of a pause while the call goes on: where there is no wrap-up, the next call would come first. */
  const goOnLater = (to: Next) => {
    if (to === 'pause') void give({ type: 'pause', reason })
    else if (next === 'pause') void give({ type: 'ready' })
    setNext(to)
  }
  return { next, isGoing, goOn, goOnLater }
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
