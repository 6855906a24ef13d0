/** The outcomes of the campaign, their fields, and the keys that save. */
import { Button, Kbd, Paper, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type Ref, useRef } from 'react'
import { BusyButton } from '../look/busy-button.tsx'
import { useAskedInView } from '../shell/use-asked-in-view.ts'
import { fill } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { spoken } from '../texts/spoken-refusal.ts'
import { CALL_TEXTS } from './call-texts.ts'
import type { Desk, DeskCall } from './desk-state.ts'
import { DESK_TEXTS } from './desk-texts.ts'
import { OtherActs } from './other-acts.tsx'
import css from './outcome.module.css'
import { OutcomeFields } from './outcome-fields.tsx'
import type { Draft, Outcome } from './outcome-order.ts'
import type { Saving, Trouble } from './use-save.ts'

/** As keyboards have it, in every language. */
const SAVE_KEY = 'Enter'

interface PanelProps {
  readonly ref: Ref<HTMLFormElement>
  readonly desk: Desk
  readonly call: DeskCall
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  readonly saving: Saving
  readonly nowMs: number
}

/** Digits choose while the caret is in the list; Enter saves, Shift+Enter saves and pauses. */
export function OutcomePanel({ ref, desk, call, draft, change, saving, nowMs }: PanelProps) {
  const texts = useTexts(CALL_TEXTS)
  const { hasOutcome, isOver, isSaved, outcomes, isError, trouble, save, next } = saving
  // What is wrong with the note has taken the caret there.
  const { asked, watch } = useAskedInView(draft.outcomeId, trouble?.at === 'note' ? undefined : trouble)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save('ready')
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || (event.target instanceof HTMLButtonElement && !isPauseOn(event.target, event))) return
    event.preventDefault()
    if (!event.repeat) void save(event.shiftKey ? 'pause' : 'ready')
  }
  const button = !hasOutcome || isSaved ? texts.onlyReady : isOver ? texts.save : texts.saveNow
  return (
    <Paper
      component="form"
      ref={ref}
      withBorder
      className={css.card}
      onSubmit={submit}
      onKeyDown={keys}
      noValidate
      {...watch}
    >
      <h2 className={css.heading}>{texts.outcome}</h2>
      {hasOutcome && outcomes && outcomes.length > 0 && <Outcomes outcomes={outcomes} draft={draft} change={change} />}
      {hasOutcome && outcomes?.length === 0 && <Free draft={draft} change={change} isIncoming={call.isIncoming} />}
      {hasOutcome && !outcomes && <p className={css.dim}>{isError ? texts.outcomesAway : texts.loading}</p>}
      <div ref={asked} className={css.asked}>
        {hasOutcome && <OutcomeFields draft={draft} change={change} saving={saving} nowMs={nowMs} />}
        <p className={css.trouble} role="alert">
          {trouble && <Told trouble={trouble} isSaved={isSaved} />}
        </p>
        <div className={css.buttons}>
          <BusyButton
            type="submit"
            isOff={saving.isBusy}
            rightSection={<Kbd aria-hidden="true">{SAVE_KEY}</Kbd>}
            data-first={hasOutcome ? undefined : true}
          >
            {button}
          </BusyButton>
          <Button variant="default" onClick={() => void save('pause')}>
            {texts.savePause}
          </Button>
        </div>
      </div>
      <p className={css.done} role="status">
        {isSaved ? `${texts.saved}${desk.isConnected && next ? `. ${texts[`savedHint.${next}`]}` : ''}` : ''}
      </p>
      {hasOutcome && <OtherActs call={call} draft={draft} change={change} isConnected={desk.isConnected} />}
    </Paper>
  )
}

/** Browsers press a button with Shift+Enter too: on the one that saves it means what it means everywhere here. */
const isPauseOn = ({ type }: HTMLButtonElement, { shiftKey }: KeyboardEvent) => type === 'submit' && shiftKey

function Told({ trouble, isSaved }: { readonly trouble: Trouble; readonly isSaved: boolean }) {
  const texts = useTexts(CALL_TEXTS)
  const { failed } = useTexts(DESK_TEXTS)
  const { language } = useLanguage()
  if ('missing' in trouble) return texts[`missing.${trouble.missing}`]
  // Enter would not ask for the pause again.
  if (trouble.why === null) return isSaved ? failed : texts.noAnswer
  const why = plainText(spoken(trouble.why, language), 300)
  // Below it stands that it is saved: what was to come next is refused.
  return isSaved ? why : fill(texts.notSaved, { why })
}

interface ListProps {
  readonly outcomes: readonly Outcome[]
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
}

function Outcomes({ outcomes, draft, change }: ListProps) {
  const texts = useTexts(CALL_TEXTS)
  const list = useRef<HTMLFieldSetElement>(null)
  const choose = (outcome: Outcome) => change({ outcomeId: outcome.outcomeId })
  const keys = (event: KeyboardEvent) => {
    const chosen = outcomes.find(({ key }) => key === event.key)
    if (!chosen || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    choose(chosen)
    list.current?.querySelector<HTMLElement>(`[value="${chosen.outcomeId}"]`)?.focus()
  }
  const first = draft.outcomeId ?? outcomes[0]?.outcomeId
  return (
    <fieldset ref={list} className={css.list} onKeyDown={keys}>
      <legend className={css.hidden}>{texts.outcome}</legend>
      {outcomes.map((outcome) => (
        <label key={outcome.outcomeId} className={css.outcome}>
          <input
            type="radio"
            name="outcome"
            value={outcome.outcomeId}
            checked={draft.outcomeId === outcome.outcomeId}
            onChange={() => choose(outcome)}
            data-first={outcome.outcomeId === first || undefined}
            data-place={outcome.outcomeId === first ? 'outcome' : undefined}
          />
          <Kbd aria-hidden="true">{outcome.key ?? '–'}</Kbd>
          <bdi>{plainText(outcome.name)}</bdi>
        </label>
      ))}
    </fieldset>
  )
}

function Free({ draft, change, isIncoming }: Pick<ListProps, 'draft' | 'change'> & Pick<DeskCall, 'isIncoming'>) {
  const texts = useTexts(CALL_TEXTS)
  return (
    <TextInput
      label={texts.result}
      description={isIncoming ? texts.noCatalogueOfTeam : texts.noCatalogue}
      value={draft.result}
      onChange={({ currentTarget }) => change({ result: currentTarget.value })}
      maxLength={64}
      data-first
      data-place="result"
    />
  )
}
