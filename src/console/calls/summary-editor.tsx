/** The summary of a call: read, written and corrected. Two who write at once see both texts, and none is lost. */
import { Button, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react'
import { SwitchboardProblem } from '../../client/problem.ts'
import type { AnswerOf } from '../../client/request.ts'
import { BusyButton } from '../look/busy-button.tsx'
import { ask } from '../session/ask.ts'
import { UNSAVED_KEY } from '../session/query-client.ts'
import { useFocusBack } from '../shell/use-focus-back.ts'
import { fill } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainLines } from '../texts/outside-text.ts'
import { timeOf } from './call-wording.ts'
import { ONE_CALL_TEXTS } from './one-call-texts.ts'
import css from './recording.module.css'
import { RECORDING_TEXTS } from './recording-texts.ts'

type Summary = AnswerOf<'PUT /rest/svcems/activity-summary/{eactId}'>
type Texts = (typeof RECORDING_TEXTS)['en']

/** What is being written, and the version that it was begun from. It outlives the page, not the session. */
interface Draft {
  readonly text: string
  readonly version: number
}

/** As the node has it: 10,000 letters. */
const LETTERS_MAX = 10_000
const WRONG_VERSION = 412

/** The card. */
export function SummaryEditor({ eactId, mayRead }: { readonly eactId: number; readonly mayRead: boolean }) {
  const texts = useTexts(RECORDING_TEXTS)
  const { summary: title, mayNotRead } = useTexts(ONE_CALL_TEXTS)
  const { data, isPending, isError, refetch } = useSummary(eactId, mayRead)
  const shown = () => {
    if (!mayRead) return <p className={css.note}>{mayNotRead}</p>
    if (isError && data === undefined) return <Away texts={texts} onAgain={() => void refetch()} />
    return isPending ? null : <Known key={eactId} eactId={eactId} summary={data ?? null} onRefresh={() => refetch()} />
  }
  return (
    <section className={css.card} aria-label={title}>
      <h2 className={css.heading}>{title}</h2>
      {shown()}
    </section>
  )
}

function Away({ texts, onAgain }: { readonly texts: Texts; readonly onAgain: () => void }) {
  return (
    <>
      <p className={css.note}>{texts.away}</p>
      <Button variant="default" onClick={onAgain}>
        {texts.again}
      </Button>
    </>
  )
}

function useSummary(eactId: number, mayRead: boolean) {
  return useQuery({
    queryKey: ['calls', 'summary', eactId],
    queryFn: async () => {
      const [found] = await ask('POST /rest/svcems/activity-summary/search', { body: { activities: [{ eactId }] } })
      return found ?? null
    },
    enabled: mayRead,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/**
 * The draft lies in memory beside the answers of the node, which are forgotten when the session ends. What is typed is
 * state of the page first: a field whose text comes back later than the next key loses letters.
 */
function useDraft(eactId: number) {
  const key = [...UNSAVED_KEY, 'summary', eactId]
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => client.getQueryData<Draft>(key))
  const hasDraft = draft !== undefined
  useEffect(() => {
    if (!hasDraft) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [hasDraft])
  const keep = (next: Draft) => {
    setDraft(next)
    client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY })
    client.setQueryData(key, next)
  }
  const drop = () => {
    setDraft(undefined)
    client.removeQueries({ queryKey: key, exact: true })
  }
  /** What was typed while it was being saved stays, and is not saved. */
  const wasSaved = (sent: string, version: number) => {
    const now = client.getQueryData<Draft>(key)
    if (now === undefined || now.text === sent) drop()
    else keep({ text: now.text, version })
  }
  return { draft, keep, drop, wasSaved }
}

interface KnownProps {
  readonly eactId: number
  /** Null: the call has none. */
  readonly summary: Summary | null
  readonly onRefresh: () => Promise<unknown>
}

function Known({ eactId, summary, onRefresh }: KnownProps) {
  const texts = useTexts(RECORDING_TEXTS)
  const client = useQueryClient()
  const { draft, keep, drop, wasSaved } = useDraft(eactId)
  const [isSaved, setSaved] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  useFocusBack(draft !== undefined, edit)
  const save = useMutation({
    mutationFn: ({ text, version }: Draft) =>
      ask('PUT /rest/svcems/activity-summary/{eactId}', {
        params: { eactId },
        headers: { 'if-match': `"${version}"` },
        body: { text },
      }),
    onSuccess: (saved, { text: sent }) => {
      client.setQueryData(['calls', 'summary', eactId], saved)
      wasSaved(sent, saved.version)
      setSaved(true)
    },
    // Somebody else was faster: their text comes beside mine.
    onError: (error) => (isConflict(error) ? onRefresh() : undefined),
  })
  const [version, text] = [summary?.version ?? 0, summary?.text ?? '']
  const begin = () => {
    setSaved(false)
    save.reset()
    keep({ text, version })
  }
  if (!draft) return <Shown edit={edit} summary={summary} isSaved={isSaved} onEdit={begin} onRefresh={onRefresh} />
  const isCurrent = draft.version === version
  const failure = save.error && (isCurrent || !isConflict(save.error)) ? failureOf(save.error, texts) : undefined
  const own = { draft, keep, isSaving: save.isPending, failure, onCancel: drop }
  return isCurrent ? (
    <Writing {...own} label={texts.summaryLabel} saveText={texts.save} onSave={() => save.mutate(draft)} />
  ) : (
    <>
      <p className={css.conflict} role="alert">
        {texts.conflict}
      </p>
      <div className={css.versions}>
        <div>
          <h3 className={css.subheading}>{texts.theirText}</h3>
          <p className={css.text} dir="auto">
            {plainLines(text)}
          </p>
          <Written summary={summary} />
        </div>
        <div>
          <Writing
            {...own}
            label={texts.myText}
            saveText={texts.saveMine}
            cancelText={texts.takeTheirs}
            onSave={() => save.mutate({ text: draft.text, version })}
          />
        </div>
      </div>
    </>
  )
}

interface ShownProps {
  /** The button that begins to write. */
  readonly edit: Ref<HTMLButtonElement>
  readonly summary: Summary | null
  readonly isSaved: boolean
  readonly onEdit: () => void
  readonly onRefresh: () => void
}

function Shown({ edit, summary, isSaved, onEdit, onRefresh }: ShownProps) {
  const texts = useTexts(RECORDING_TEXTS)
  const { text = null, status } = summary ?? {}
  const note =
    status === 'pending' ? texts.summaryPending : status === 'failed' ? texts.summaryFailed : texts.summaryNone
  return (
    <>
      {text === null ? (
        <p className={css.note}>{note}</p>
      ) : (
        <p className={css.text} dir="auto" lang={summary?.language ?? undefined}>
          {plainLines(text)}
        </p>
      )}
      <Written summary={summary} />
      <div className={css.controls}>
        <Button ref={edit} variant="default" onClick={onEdit}>
          {text === null ? texts.write : texts.edit}
        </Button>
        {status === 'pending' && (
          <Button variant="default" onClick={onRefresh}>
            {texts.refresh}
          </Button>
        )}
        <span role="status" className={css.hint}>
          {isSaved && texts.saved}
        </span>
      </div>
    </>
  )
}

/** Who wrote it: the machine or a person, and when. */
function Written({ summary }: { readonly summary: Summary | null }) {
  const texts = useTexts(RECORDING_TEXTS)
  const { language } = useLanguage()
  if (!summary || summary.text === null) return null
  const written = summary.source === 'edited' ? texts.edited : texts.generated
  return <p className={css.hint}>{fill(written, { time: timeOf(summary.updateTs, language, 'dateTime') })}</p>
}

interface WritingProps {
  readonly draft: Draft
  readonly keep: (draft: Draft) => void
  readonly label: string
  readonly saveText: string
  readonly cancelText?: string
  readonly isSaving: boolean
  readonly failure: string | undefined
  readonly onSave: () => void
  readonly onCancel: () => void
}

function Writing({ draft, keep, label, saveText, cancelText, isSaving, failure, onSave, onCancel }: WritingProps) {
  const texts = useTexts(RECORDING_TEXTS)
  const isBlank = draft.text.trim() === ''
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isBlank || isSaving) return
    event.preventDefault()
    onSave()
  }
  return (
    <>
      <Textarea
        className={css.writing}
        label={label}
        description={texts.saveKey}
        value={draft.text}
        onChange={(event) => keep({ text: event.currentTarget.value, version: draft.version })}
        onKeyDown={onKeyDown}
        maxLength={LETTERS_MAX}
        rows={8}
        dir="auto"
        autoFocus
      />
      {failure && (
        <p role="alert" className={css.failure}>
          {failure}
        </p>
      )}
      <div className={css.controls}>
        <BusyButton onClick={onSave} isOff={isSaving || isBlank}>
          {saveText}
        </BusyButton>
        <Button variant="default" onClick={onCancel} disabled={isSaving}>
          {cancelText ?? texts.cancel}
        </Button>
      </div>
    </>
  )
}

function isConflict(error: Error): boolean {
  return error instanceof SwitchboardProblem && error.status === WRONG_VERSION
}

function failureOf(error: Error, texts: Texts): string {
  return error instanceof SwitchboardProblem && error.status === 403 ? texts.saveForbidden : texts.saveFailed
}
