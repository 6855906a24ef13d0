/** Who it is, why they are called, and what happened before. */
import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { fill, type Language, LOCALES } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { CALL_TEXTS } from './call-texts.ts'
import css from './contact.module.css'
import type { DeskTask } from './desk-state.ts'
import { LongText } from './long-text.tsx'
import { useCallTask, useCampaign } from './use-call-task.ts'

const BEFORE_SHOWN = 5
/** Of a field of the debt system. */
const VALUE_MAX = 300
const TERM_MAX = 40
const NAME_MAX = 80
/** More than this fills a small window. */
const LETTERS_MAX = 700

interface ContactProps {
  readonly task: DeskTask | null
  readonly number: string | undefined
  readonly typedCode?: string | null
  readonly nowMs: number
}

/** What the stream knows is there at once; the rest comes from the node. */
export function ContactCard({ task, number, typedCode, nowMs }: ContactProps) {
  const texts = useTexts(CALL_TEXTS)
  const { language } = useLanguage()
  const { data, isError, isPending } = useCallTask(task?.itcaId)
  const { data: campaign } = useCampaign(task?.callCode)
  const local = campaign?.zone && {
    time: new Intl.DateTimeFormat(LOCALES[language], { timeStyle: 'short', timeZone: campaign.zone }).format(nowMs),
    place: placeOf(campaign.zone),
  }
  return (
    <Paper component="section" withBorder className={css.card} aria-label={texts.contact}>
      <h2 className={css.name}>
        <LongText key={task?.itcaId} text={task?.name || number || texts.contact} lettersMax={NAME_MAX} />
      </h2>
      {task === null && <p className={css.dim}>{texts.nobody}</p>}
      <About key={task?.itcaId} isLong={lettersOf(data ?? {}) > LETTERS_MAX}>
        <dl className={css.facts}>
          <Fact term={texts.caseNumber} fact={task?.caseNumber} />
          {typedCode && typedCode !== task?.caseNumber && <Fact term={texts.typedCode} fact={typedCode} />}
          <Fact term={texts.customer} fact={task?.customer} />
          <Fact term={texts.number} fact={number ?? data?.callNumberList?.[0]?.e164} />
          {data?.properties?.map(({ emprId, name, value }) => (
            <Fact key={emprId} term={name} fact={value} />
          ))}
          <Fact term={texts.local} fact={local && `${local.time} ${local.place}`} />
          <Fact term={texts.campaign} fact={campaign?.name} />
        </dl>
        {task !== null && isPending && <p className={css.dim}>{texts.loading}</p>}
        {isError && <p role="alert">{texts.notLoaded}</p>}
        {data && <Why task={data} isOffered={number === undefined} zone={campaign?.zone} />}
      </About>
    </Paper>
  )
}

type Loaded = NonNullable<ReturnType<typeof useCallTask>['data']>

/** Of what somebody wrote. */
function lettersOf({ properties = [], callAttempts = [] }: Partial<Loaded>): number {
  const fields = properties.map(({ name, value }) => name + value)
  const notes = callAttempts.flatMap(({ feedback }) => feedback.map(({ note }) => note ?? ''))
  return [...fields, ...notes].reduce((sum, { length }) => sum + length, 0)
}

/** Much to read scrolls by itself in a small window, also with the keyboard, and moves nothing below. */
function About({ isLong, children }: { readonly isLong: boolean; readonly children: ReactNode }) {
  const { about } = useTexts(CALL_TEXTS)
  if (!isLong) return <div className={css.about}>{children}</div>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard (WCAG 2.1.1).
    <section className={css.about} tabIndex={0} aria-label={about} data-long>
      {children}
    </section>
  )
}

interface WhyProps {
  readonly task: Loaded
  readonly isOffered: boolean
  /** Where the callee lives: a promise was made in their time. */
  readonly zone: string | undefined
}

/** The number of the attempt, a promise, and the attempts before. */
function Why({ task, isOffered, zone }: WhyProps) {
  const texts = useTexts(CALL_TEXTS)
  const { language } = useLanguage()
  const time = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeStyle: 'short' })
  const attempts = task.callAttempts ?? []
  const isRunning = attempts.at(-1)?.result === 0
  const before = isRunning ? attempts.slice(0, -1) : attempts
  const last = attempts.at(-1)?.attemptNo ?? 0
  const why = { number: isOffered ? last + 1 : Math.max(1, last), max: task.maxCallAttempts ?? '–' }
  return (
    <>
      <Part title={texts.why}>
        <p>{fill(texts.attempt, why)}</p>
        {task.callBackTs && <p>{fill(texts.callback, { time: promisedFor(task.callBackTs, zone, language) })}</p>}
      </Part>
      <Part title={texts.before}>
        {before.length === 0 && <p className={css.dim}>{texts.firstTry}</p>}
        <ol className={css.before}>
          {before
            .slice(-BEFORE_SHOWN)
            .reverse()
            .map(({ iccaId, dialTs, result, feedback }) => (
              <li key={iccaId}>
                <span className={css.dim}>{dialTs === null ? '–' : time.format(new Date(dialTs))}</span>
                <span>
                  {texts[`result.${result}` as 'result.other'] ?? texts['result.other']}
                  {feedback.map(({ feedbackType, note, creationTs }) => (
                    <span key={creationTs} className={css.said}>
                      <LongText text={[feedbackType, note].filter(Boolean).join(': ')} lettersMax={VALUE_MAX} />
                    </span>
                  ))}
                </span>
              </li>
            ))}
        </ol>
      </Part>
    </>
  )
}

/** With the place, as the local time has it; without a zone, the time of this browser. */
function promisedFor(callBackTs: string, timeZone: string | undefined, language: Language): string {
  const style = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const
  const date = new Intl.DateTimeFormat(LOCALES[language], style).format(new Date(callBackTs))
  return timeZone === undefined ? date : `${date} ${placeOf(timeZone)}`
}

function placeOf(zone: string): string {
  return zone.split('/').at(-1)!.replaceAll('_', ' ')
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={css.part}>
      <h3 className={css.heading}>{title}</h3>
      {children}
    </div>
  )
}

function Fact({ term, fact }: { readonly term: string; readonly fact: string | null | undefined | '' }) {
  return (
    <div>
      <dt>
        <LongText text={term} lettersMax={TERM_MAX} />
      </dt>
      <dd>
        <LongText text={fact || '–'} lettersMax={VALUE_MAX} />
      </dd>
    </div>
  )
}
