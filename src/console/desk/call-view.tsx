/** One call, talked or over: its contact, the note, the outcome. */
import { Paper, Textarea } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTexts } from '../texts/language.tsx'
import { CALL_TEXTS } from './call-texts.ts'
import { ContactCard } from './contact-card.tsx'
import css from './desk.module.css'
import type { Desk, DeskCall } from './desk-state.ts'
import type { Drafts } from './drafts.ts'
import { type Draft, emptyDraft } from './outcome-order.ts'
import { OutcomePanel } from './outcome-panel.tsx'
import script from './script.module.css'
import { ScriptCard } from './script-card.tsx'
import { useCaret } from './use-caret.ts'
import { useSave } from './use-save.ts'

/** What is pasted stays to be shortened, and is never cut; more than this is no note. */
const TYPED_MAX = 65_536

interface CallViewProps {
  readonly desk: Desk
  readonly call: DeskCall
  readonly drafts: Drafts
  readonly all: readonly Draft[]
  readonly nowMs: number
  /** The call that is finished later, where this is one. */
  readonly choose: (next: (now: string | undefined) => string | undefined) => void
}

/** As `useCaret` says; Escape leads from the note to the outcomes. */
export function CallView({ desk, call, drafts, all, nowMs, choose }: CallViewProps) {
  const texts = useTexts(CALL_TEXTS)
  const note = useRef<HTMLTextAreaElement>(null)
  const panel = useRef<HTMLFormElement>(null)
  const draft = all.find((one) => one.call.callId === call.callId) ?? emptyDraft(call)
  const change = (part: Partial<Draft>) => drafts.change(draft, Object.assign({ call }, part))
  const saving = useSave({ desk, draft, drafts, nowMs, choose, panel })
  const toOutcomes = () => panel.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  const { isConnected } = desk
  const { hasOutcome } = saving
  const isLoaded = saving.outcomes !== undefined || !hasOutcome
  useCaret({ isTalked: isConnected && hasOutcome, isLoaded, note, panel })
  const isNoteWrong = saving.trouble?.at === 'note'
  useEffect(() => {
    if (isNoteWrong) note.current?.focus()
  }, [isNoteWrong])

  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') toOutcomes()
    else if (event.key === 'Enter' && event.ctrlKey) {
      if (!event.repeat) void saving.save(event.shiftKey ? 'pause' : 'ready')
    } else return
    event.preventDefault()
  }
  return (
    <div className={css.call}>
      <ContactCard task={call.task} number={call.number} typedCode={call.typedCode} nowMs={nowMs} />
      <div className={script.middle}>
        <ScriptCard task={call.task} number={call.number} />
        <Paper component="section" withBorder className={css.card}>
          <Textarea
            ref={note}
            label={texts.note}
            description={texts.noteHint}
            value={draft.note}
            onChange={({ currentTarget }) => change({ note: currentTarget.value })}
            onKeyDown={keys}
            maxLength={TYPED_MAX}
            data-note-of={call.callId}
            aria-invalid={isNoteWrong || undefined}
            disabled={!hasOutcome}
            rows={10}
            classNames={{ label: css.heading! }}
          />
          <p className={css.dim}>{texts.keys}</p>
        </Paper>
      </div>
      <OutcomePanel ref={panel} desk={desk} call={call} draft={draft} change={change} saving={saving} nowMs={nowMs} />
    </div>
  )
}
