/** One call: its facts, its recording with the transcript in step, its summary, and what happened in it. */
import { Button, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { SwitchboardProblem } from '../../client/problem.ts'
import { PRODUCT } from '../look/brand.tsx'
import { Icon } from '../look/icon.tsx'
import { ask } from '../session/ask.ts'
import { PATHS } from '../shell/paths.ts'
import { fill } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { CallFacts, type CallTold, FlowTaken, Legs, WhyDialed } from './call-facts.tsx'
import { CallLadder } from './call-ladder.tsx'
import { CallSound } from './call-sound.tsx'
import { otherSide, timeOf, zone } from './call-wording.ts'
import css from './one-call.module.css'
import { ONE_CALL_TEXTS } from './one-call-texts.ts'
import { Recordings } from './recording-player.tsx'
import { SummaryEditor } from './summary-editor.tsx'

/** The page. Each look at it is in the audit trail, so it is asked once, when it is opened. */
export function OneCallPage() {
  const { eactId = '' } = useParams()
  const texts = useTexts(ONE_CALL_TEXTS)
  const { data, error, refetch } = useQuery({
    queryKey: ['calls', 'one', eactId],
    queryFn: () => ask('GET /svcems/calls/{eactId}', { params: { eactId } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <div className={css.page}>
      <Link href={PATHS.calls} className={css.back}>
        <Icon name="back" size={16} />
        {texts.back}
      </Link>
      {data ? <Told told={data} /> : error ? <Failed error={error} onAgain={() => void refetch()} /> : <Waiting />}
    </div>
  )
}

function Waiting() {
  const { loading } = useTexts(ONE_CALL_TEXTS)
  return <p className={css.sentence}>{loading}</p>
}

function Told({ told }: { readonly told: CallTold }) {
  const texts = useTexts(ONE_CALL_TEXTS)
  const { language } = useLanguage()
  const { call, dialed, flow, legs, ladder, servedBy, sound } = told
  const title = fill(texts.title, { time: timeOf(call.creationTs, language, 'dateTime') })
  useEffect(() => {
    document.title = `${title} – ${PRODUCT}`
  }, [title])
  const isErased = ladder.state === 'erased'
  // The ladder has what was said: who may not read it may read neither transcript nor summary.
  const mayRead = ladder.state !== 'notAllowed'
  return (
    <>
      <header className={css.head}>
        <Title order={1}>{title}</Title>
        <bdi className={css.other}>{plainText(otherSide(call))}</bdi>
        <span className={css.dim}>{zone()}</span>
      </header>
      <div className={css.columns}>
        <div className={css.column}>
          <Recordings call={call} servedBy={servedBy} isErased={isErased} mayRead={mayRead} />
          {!isErased && <SummaryEditor eactId={call.eactId} mayRead={mayRead} />}
          <CallLadder call={call} ladder={ladder} servedBy={servedBy} />
        </div>
        <div className={css.column}>
          <CallFacts call={call} />
          <WhyDialed dialed={dialed} />
          <FlowTaken flow={flow} />
          <Legs legs={legs} />
          <CallSound sound={sound} />
        </div>
      </div>
    </>
  )
}

function Failed({ error, onAgain }: { readonly error: Error; readonly onAgain: () => void }) {
  const texts = useTexts(ONE_CALL_TEXTS)
  const isNotHere = error instanceof SwitchboardProblem && [400, 403, 404].includes(error.status)
  return (
    <div className={css.card} role="alert">
      <p className={css.sentence}>{isNotHere ? texts.notHere : texts.away}</p>
      {!isNotHere && (
        <Button variant="default" onClick={onAgain}>
          {texts.again}
        </Button>
      )}
    </div>
  )
}
