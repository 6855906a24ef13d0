/** What is known of a call: who, when, how long, how it went, why it was dialed, and which telephones were in it. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AnswerOf } from '../../client/request.ts'
import { ask } from '../session/ask.ts'
import { fill } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainLines, plainText } from '../texts/outside-text.ts'
import { Result } from './call-table.tsx'
import { type Call, length, timeOf } from './call-wording.ts'
import { CALLS_TEXTS } from './calls-texts.ts'
import css from './one-call.module.css'
import { DIALED_TEXTS, ONE_CALL_TEXTS } from './one-call-texts.ts'

/** One call as the node tells it. */
export type CallTold = AnswerOf<'GET /svcems/calls/{eactId}'>

interface Row {
  readonly term: string
  readonly fact: ReactNode
}

/** Rows of a term and what there is to say; rows without anything to say are left out. */
function Facts({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <dl className={css.facts}>
      {rows
        .filter(({ fact }) => fact !== undefined && fact !== null)
        .map(({ term, fact }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
    </dl>
  )
}

function named(name: string | null | undefined): ReactNode {
  return name === null || name === undefined ? undefined : <bdi>{plainText(name)}</bdi>
}

/** Who, when, how long, how it went. */
export function CallFacts({ call }: { readonly call: Call }) {
  const texts = useTexts(ONE_CALL_TEXTS)
  const words = useTexts(CALLS_TEXTS)
  const { language } = useLanguage()
  const contact = useContact(call.entityExtension?.eeexId)
  const { talkSeconds, waitSeconds, eactId, callAttempt, feedback } = call
  const parts = { wait: length(waitSeconds), talk: length(talkSeconds) }
  const ids = { call: eactId, task: callAttempt?.itcaId ?? '', attempt: callAttempt?.iccaId ?? '' }
  const by = call.hangupBy
  const rows: Row[] = [
    { term: words.result, fact: <Result call={call} /> },
    { term: words.direction, fact: call.direction === 1 ? words.in : words.out },
    { term: texts.from, fact: named(call.callNumber) },
    { term: texts.to, fact: named(call.calledNumber) },
    { term: texts.contact, fact: named(contact) },
    { term: words.agent, fact: named(call.agent?.name) },
    { term: words.team, fact: named(call.queue?.name) },
    { term: texts.began, fact: timeOf(call.creationTs, language, 'dateTime') },
    { term: texts.lasted, fact: fill(texts.lastedParts, parts) },
    {
      term: texts.endedBy,
      fact: by === 'caller' || by === 'callee' || by === 'agent' || by === 'us' ? texts[by] : undefined,
    },
    { term: texts.caseNumber, fact: named(call.systemLookupCode) },
    { term: texts.ids, fact: fill(callAttempt ? texts.idsOfTask : texts.idsOfCall, ids) },
  ]
  return (
    <section className={css.card}>
      <h2 className={css.heading}>{texts.facts}</h2>
      <Facts rows={rows} />
      {feedback.length > 0 && (
        <>
          <h3 className={css.subheading}>{texts.feedback}</h3>
          <ul className={css.feedback}>
            {feedback.map(({ feedbackType, note, agent, creationTs }) => (
              <li key={`${creationTs} ${feedbackType}`}>
                <bdi>{plainText(feedbackType)}</bdi>
                {note !== null && <bdi className={css.long}>{plainLines(note)}</bdi>}
                <span className={css.dim}>
                  <bdi>{plainText(agent.name)}</bdi>, {timeOf(creationTs, language, 'time')}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** Why the dialer placed it, and by which rules. */
export function WhyDialed({ dialed }: { readonly dialed: CallTold['dialed'] }) {
  const texts = useTexts(ONE_CALL_TEXTS)
  const words = useTexts(CALLS_TEXTS)
  const reasons = useTexts(DIALED_TEXTS)
  const { language } = useLanguage()
  if (!dialed) return null
  const { campaignName, attemptNo, claimTs, trunk, rules, reason, reasonText, madeFor } = dialed
  const known = reason !== null && Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : reasonText
  const rows: Row[] = [
    { term: words.campaign, fact: named(campaignName) },
    { term: texts.attempt, fact: String(attemptNo) },
    { term: texts.decided, fact: timeOf(claimTs, language, 'time') },
    { term: texts.madeFor, fact: named(madeFor) },
    { term: texts.trunk, fact: named(trunk) },
    { term: texts.rules, fact: named(rules) },
  ]
  return (
    <section className={css.card}>
      <h2 className={css.heading}>{texts.why}</h2>
      {known !== null && <p className={css.sentence}>{plainLines(known)}</p>}
      <Facts rows={rows} />
    </section>
  )
}

/** The flow that took the call. */
export function FlowTaken({ flow }: { readonly flow: CallTold['flow'] }) {
  const texts = useTexts(ONE_CALL_TEXTS)
  if (!flow) return null
  const rows: Row[] = [
    { term: texts.flow, fact: named(flow.name) },
    { term: texts.outcome, fact: named(flow.outcome) },
    { term: texts.path, fact: flow.path.length > 0 ? <bdi>{flow.path.map(plainText).join(' → ')}</bdi> : undefined },
  ]
  return (
    <section className={css.card}>
      <h2 className={css.heading}>{texts.flow}</h2>
      <Facts rows={rows} />
    </section>
  )
}

/** The telephones of the call, each with its times. */
export function Legs({ legs }: { readonly legs: CallTold['legs'] }) {
  const texts = useTexts(ONE_CALL_TEXTS)
  const { language } = useLanguage()
  return (
    <section className={css.card}>
      <h2 className={css.heading}>{texts.legs}</h2>
      <ul className={css.legs}>
        {legs.map(({ kind, who, creationTs, startTs, endTs }) => (
          <li key={`${kind} ${who} ${creationTs}`}>
            <span className={css.dim}>{texts[`kind${kind}` as keyof typeof texts]}</span>
            <bdi className={css.who}>{plainText(who)}</bdi>
            <span className={css.dim}>
              {timeOf(creationTs, language, 'time')}
              {startTs !== null && `, ${texts.answered.toLowerCase()} ${timeOf(startTs, language, 'time')}`}
              {endTs !== null && `, ${texts.ended.toLowerCase()} ${timeOf(endTs, language, 'time')}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The name of a contact; undefined where there is none, or one that may not be seen. */
function useContact(eeexId: number | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['calls', 'contact', eeexId],
    queryFn: async () => {
      const [found] = await ask('GET /rest/svcems/entity', { query: { eeexIds: [eeexId!] } })
      return [found?.name1, found?.name2].filter(Boolean).join(' ') || null
    },
    enabled: eeexId !== undefined,
  })
  return data ?? undefined
}
