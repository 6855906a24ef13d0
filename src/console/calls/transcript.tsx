/** What was said in a recording, in step with its sound. A click on a line plays from there. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { AnswerOf } from '../../client/request.ts'
import { ask } from '../session/ask.ts'
import { useTexts } from '../texts/language.tsx'
import { plainLines } from '../texts/outside-text.ts'
import { length } from './call-wording.ts'
import { ONE_CALL_TEXTS } from './one-call-texts.ts'
import css from './recording.module.css'
import { RECORDING_TEXTS } from './recording-texts.ts'
import type { Player } from './use-player.ts'

type Text = AnswerOf<'POST /rest/core/transcript/search'>[number]
type Part = NonNullable<Text['parts']>[number]

interface TranscriptProps {
  /** Its `pcreId`. */
  readonly recording: number
  readonly player: Player
  readonly mayRead: boolean
}

/** The transcript, or why there is none. */
export function Transcript({ recording, player, mayRead }: TranscriptProps) {
  const texts = useTexts(RECORDING_TEXTS)
  const { mayNotRead } = useTexts(ONE_CALL_TEXTS)
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: ['calls', 'transcript', recording],
    queryFn: async () => {
      const body = { referenceIds: [recording], getParts: true }
      const [found] = await ask('POST /rest/core/transcript/search', { body })
      return found ?? null
    },
    enabled: mayRead,
    staleTime: Number.POSITIVE_INFINITY,
    // Whoever opens it again reads it again, and the audit trail has that.
    gcTime: 0,
  })
  const state = mayRead ? stateOf(data, isError, texts) : { note: mayNotRead }
  return (
    <>
      <h3 className={css.subheading}>{texts.transcript}</h3>
      {isPending && mayRead ? null : state.note === undefined ? (
        <Lines parts={data?.parts ?? []} language={data?.language ?? undefined} player={player} />
      ) : (
        <p className={css.note}>{state.note}</p>
      )}
      {state.again && (
        <Button variant="default" onClick={() => void refetch()}>
          {state.again}
        </Button>
      )}
    </>
  )
}

type Texts = (typeof RECORDING_TEXTS)['en']

function stateOf(text: Text | null | undefined, isError: boolean, texts: Texts): { note?: string; again?: string } {
  if (isError) return { note: texts.away, again: texts.again }
  if (!text) return { note: texts.transcriptNone }
  if (text.status === 'pending') return { note: texts.transcriptPending, again: texts.refresh }
  if (text.status === 'failed') return { note: texts.transcriptFailed }
  return (text.parts ?? []).length === 0 ? { note: texts.transcriptEmpty } : {}
}

interface LinesProps {
  readonly parts: readonly Part[]
  readonly language: string | undefined
  readonly player: Player
}

function Lines({ parts, language, player }: LinesProps) {
  const { atSeconds, isPlaying, playFrom } = player
  const list = useRef<HTMLOListElement>(null)
  const atMs = atSeconds * 1_000
  const hasBegun = isPlaying || atMs > 0
  const spoken = parts.filter(({ startMs, endMs }) => hasBegun && startMs <= atMs && atMs < endMs)
  const first = spoken[0]?.partNo
  // The line that is spoken stays in sight; the page itself does not move.
  useEffect(() => {
    const line = first === undefined ? undefined : list.current?.children[first - 1]
    if (isPlaying && list.current && line instanceof HTMLElement) keepInSight(list.current, line)
  }, [first, isPlaying])
  return (
    <ol ref={list} className={css.lines}>
      {parts.map((part) => (
        <Line
          key={part.partNo}
          part={part}
          language={language}
          isSpoken={spoken.includes(part)}
          onPlay={() => playFrom(part.startMs / 1_000)}
        />
      ))}
    </ol>
  )
}

interface LineProps {
  readonly part: Part
  readonly language: string | undefined
  readonly isSpoken: boolean
  readonly onPlay: () => void
}

function Line({ part, language, isSpoken, onPlay }: LineProps) {
  const texts = useTexts(RECORDING_TEXTS)
  const key = `speaker${part.speaker ?? 'unknown'}` as const
  const speaker = key in texts ? texts[key as keyof Texts] : texts.speakerunknown
  return (
    <li>
      <button type="button" className={css.said} aria-current={isSpoken ? 'true' : undefined} onClick={onPlay}>
        <span className={css.when}>{length(part.startMs / 1_000)}</span>
        <span className={css.speaker}>{speaker}</span>
        <bdi lang={language}>{plainLines(part.text)}</bdi>
      </button>
    </li>
  )
}

function keepInSight(list: HTMLElement, line: HTMLElement): void {
  const [from, to] = [line.offsetTop - list.offsetTop, line.offsetTop - list.offsetTop + line.offsetHeight]
  if (from < list.scrollTop) list.scrollTop = from
  else if (to > list.scrollTop + list.clientHeight) list.scrollTop = to - list.clientHeight
}
