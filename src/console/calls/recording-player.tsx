/** One recording: its waveform, its player and its transcript, or why there is none. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { SwitchboardProblem } from '../../client/problem.ts'
import { prepare } from '../../client/request.ts'
import { Icon } from '../look/icon.tsx'
import { ask, newKey } from '../session/ask.ts'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import type { CallTold } from './call-facts.tsx'
import { type Call, length } from './call-wording.ts'
import { Elsewhere } from './elsewhere.tsx'
import css from './recording.module.css'
import { RECORDING_TEXTS } from './recording-texts.ts'
import { Transcript } from './transcript.tsx'
import { usePlayer } from './use-player.ts'
import { playByKey, Waveform } from './waveform.tsx'

type Recording = Call['recordings'][number]

interface RecordingsProps extends Pick<CallTold, 'servedBy'> {
  readonly call: Call
  readonly isErased: boolean
  /** Whether the person may read what was said. */
  readonly mayRead: boolean
}

/** All recordings of a call. */
export function Recordings({ call, servedBy, isErased, mayRead }: RecordingsProps) {
  const texts = useTexts(RECORDING_TEXTS)
  const { recordings } = call
  if (isErased) return <Section title={texts.recording} note={texts.erased} />
  if (recordings.length === 0) return <Section title={texts.recording} note={texts.none} />
  return recordings.map((recording, at) => {
    const title = fill(texts.recordingOf, { number: at + 1, count: recordings.length })
    const where = { eactId: call.eactId, servedBy }
    const own = {
      recording,
      where,
      mayRead,
      title: recordings.length === 1 ? texts.recording : title,
      isFirst: at === 0,
    }
    return recording.cfreId === null ? (
      <Section key={recording.pcreId} title={own.title} note={texts.gone} />
    ) : (
      <Recorded key={recording.pcreId} {...own} cfreId={recording.cfreId} />
    )
  })
}

function Section({ title, note }: { readonly title: string; readonly note: ReactNode }) {
  return (
    <section className={css.card}>
      <h2 className={css.heading}>{title}</h2>
      <p className={css.note}>{note}</p>
    </section>
  )
}

interface RecordedProps {
  readonly recording: Recording
  readonly cfreId: number
  readonly where: { readonly eactId: number; readonly servedBy: CallTold['servedBy'] }
  readonly title: string
  readonly mayRead: boolean
  /** It has the focus first, so that Space plays it at once. */
  readonly isFirst: boolean
}

function Recorded({ recording, cfreId, where, title, mayRead, isFirst }: RecordedProps) {
  const texts = useTexts(RECORDING_TEXTS)
  const section = useRef<HTMLElement>(null)
  const peaks = useQuery({
    queryKey: ['calls', 'peaks', cfreId],
    queryFn: () => ask('GET /rest/core/corefile/peaks', { query: { cfreId } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const wholeSeconds = peaks.data ? peaks.data.durationMs / 1_000 : lengthOf(recording)
  const player = usePlayer(wholeSeconds)
  useEffect(() => {
    if (isFirst) section.current?.focus({ preventScroll: true })
  }, [isFirst])
  const status = peaks.error instanceof SwitchboardProblem ? peaks.error.status : undefined
  if (status === 403) return <Section title={title} note={texts.mayNotHear} />
  const notHere = <Elsewhere {...where} here={texts.deleted} unknown={texts.elsewhere} />
  if (status === 404) return <Section title={title} note={notHere} />
  const onKeyDown = (event: KeyboardEvent) => playByKey(event, player)
  const note = peaks.isPending ? texts.loading : peaks.error ? texts.noWaveform : undefined
  return (
    <section ref={section} className={css.card} tabIndex={-1} aria-label={title} onKeyDown={onKeyDown}>
      <h2 className={css.heading}>{title}</h2>
      {recording.voicemail && <p className={css.note}>{texts.message}</p>}
      <audio ref={player.audio} preload="none" src={addressOfSound(cfreId)} {...player.events} />
      <Waveform peaks={peaks.data} wholeSeconds={wholeSeconds} player={player} />
      <div className={css.controls}>
        <Button leftSection={<Icon name={player.isPlaying ? 'pause' : 'play'} size={16} />} onClick={player.toggle}>
          {player.isPlaying ? texts.pause : texts.play}
        </Button>
        <span className={css.place}>
          {length(player.atSeconds)} / {length(wholeSeconds)}
        </span>
        <span className={css.hint}>{note ?? `${texts.keys} ${texts.heard}`}</span>
      </div>
      {player.hasFailed && (
        <p role="alert" className={css.failure}>
          {texts.failed}
        </p>
      )}
      <Transcript recording={recording.pcreId} player={player} mayRead={mayRead} />
    </section>
  )
}

/** The element fetches it by itself, with the cookie: it can send no header of ours (console-13). */
function addressOfSound(cfreId: number): string {
  return prepare('GET /rest/core/corefile', { query: { cfreId } }, newKey).path
}

function lengthOf({ startTs, endTs }: Recording): number {
  if (startTs === null || endTs === null) return 0
  return Math.max(0, Date.parse(endTs) - Date.parse(startTs)) / 1_000
}
