/** Who it is, why they are called, and what happened before. */
import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { fill, LOCALES } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { CALL_TEXTS } from './call-texts.ts'
import css from './contact.module.css'
import type { DeskTask } from './desk-state.ts'
import { useCallTask, useCampaign } from './use-call-task.ts'

const BEFORE_SHOWN = 5
/** Of a field of the debt system. */
const VALUE_MAX = 300

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
    place: campaign.zone.split('/').at(-1)!.replaceAll('_', ' '),
  }
  return (
    <Paper component="section" withBorder className={css.card} aria-label={texts.contact}>
      <h2 className={css.name}>
        <bdi>{plainText(task?.name || number || texts.contact)}</bdi>
      </h2>
      {task === null && <p className={css.dim}>{texts.nobody}</p>}
      <dl className={css.facts}>
        <Fact term={texts.caseNumber} fact={task?.caseNumber} />
        {typedCode && typedCode !== task?.caseNumber && <Fact term={texts.typedCode} fact={typedCode} />}
        <Fact term={texts.customer} fact={task?.customer} />
        <Fact term={texts.number} fact={number ?? data?.callNumberList?.[0]?.e164} />
        {data?.properties?.map(({ emprId, name, value }) => (
          <Fact key={emprId} term={plainText(name, 40)} fact={plainText(value, VALUE_MAX)} />
        ))}
        <Fact term={texts.local} fact={local && `${local.time} ${local.place}`} />
        <Fact term={texts.campaign} fact={campaign?.name} />
      </dl>
      {task !== null && isPending && <p className={css.dim}>{texts.loading}</p>}
      {isError && <p role="alert">{texts.notLoaded}</p>}
      {data && <Why task={data} isOffered={number === undefined} />}
    </Paper>
  )
}

type Loaded = NonNullable<ReturnType<typeof useCallTask>['data']>

/** The number of the attempt, a promise, and the attempts before. */
function Why({ task, isOffered }: { readonly task: Loaded; readonly isOffered: boolean }) {
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
        {task.callBackTs && <p>{fill(texts.callback, { time: time.format(new Date(task.callBackTs)) })}</p>}
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
                    <bdi key={creationTs} className={css.said}>
                      {plainText([feedbackType, note].filter(Boolean).join(': '), VALUE_MAX)}
                    </bdi>
                  ))}
                </span>
              </li>
            ))}
        </ol>
      </Part>
    </>
  )
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
        <bdi>{term}</bdi>
      </dt>
      <dd>
        <bdi>{fact ? plainText(fact, VALUE_MAX) : '–'}</bdi>
      </dd>
    </div>
  )
}
